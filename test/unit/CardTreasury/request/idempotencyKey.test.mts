import { createHash } from 'node:crypto';

import { paymentKey } from '../../../../nodes/CardTreasury/request/idempotencyKey.ts';

const SERVICE = 'api.example.com';
const VALUES = ['acc-1', 'wal-1', '0xabc', 'native', '12.5'];
const key = (service = SERVICE, reference = 'INV-17', values = VALUES) =>
	paymentKey(service, reference, values);

describe('the key of a payment', () => {
	it('the key never changes, because a change pays open invoices twice', () => {
		expect(key()).toBe('77399e36-21a4-5efd-8d44-852ebf19fa3f');
	});

	it('a hundred keys are UUIDs of version 5 and their hash never changes', () => {
		// One golden key shows one setting of the bits that the version and the variant replace.
		const keys = Array.from({ length: 100 }, (_, n) => key(SERVICE, `INV-${n}`));
		const UUID_5 = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
		expect(keys.filter((each) => !UUID_5.test(each))).toEqual([]);
		expect(createHash('sha256').update(keys.join()).digest('hex')).toBe(
			'40505e89ad5de671e1aa7fba5c022039972e606e3f192a594c30e845177bc113',
		);
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
