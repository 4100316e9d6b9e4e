import { paymentKey } from '../../../../nodes/CardTreasury/request/idempotencyKey.ts';

const SERVICE = 'api.example.com';
const VALUES = ['acc-1', 'wal-1', '0xabc', 'native', '12.5'];
const key = (service = SERVICE, reference = 'INV-17', values = VALUES) =>
	paymentKey(service, reference, values);

describe('the key of a payment', () => {
	it('the key never changes, because a change pays open invoices twice', () => {
		expect(key()).toBe('77399e36-21a4-5efd-8d44-852ebf19fa3f');
	});

	it.each<[string, string]>([
		['host', key('other.example.com')],
		['reference', key(SERVICE, 'INV-18')],
		['case of the reference', key(SERVICE, 'inv-17')],
		['amount', key(SERVICE, 'INV-17', [...VALUES.slice(0, 4), '12.6'])],
		['end of a value', key(SERVICE, 'INV-17', ['acc-1w', 'al-1', ...VALUES.slice(2)])],
	])('the key changes with the %s', (_, other) => {
		expect(other).not.toBe(key());
	});
});
