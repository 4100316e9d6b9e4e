import { createHash } from 'node:crypto';

import { paymentKey } from '../../../../nodes/CardTreasury/request/idempotencyKey.ts';

const SERVICE = 'production api.example.com';
const VALUES = ['acc-1', 'wal-1', '0xabc', 'native', '12.5'];
const key = (service = SERVICE, reference = 'INV-17', values = VALUES) =>
	paymentKey(service, reference, values);

describe('the key of a payment', () => {
	it('is never another one: a change pays open invoices twice', () => {
		expect(key()).toBe('76dce986-e997-50d8-afbd-bb4ff8936185');
	});

	it('is a version-5 UUID of its name', () => {
		expect(key()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
		const namespace = Buffer.from('6f3b1c0e9d5a4b7f8a2c4d1e7b90c3f5', 'hex');
		const name = JSON.stringify([SERVICE, 'INV-17', ...VALUES]);
		const hash = createHash('sha1').update(namespace).update(name).digest('hex');
		expect(key().replaceAll('-', '').slice(0, 12)).toBe(hash.slice(0, 12));
		expect(key().slice(-12)).toBe(hash.slice(20, 32));
	});

	it('is the same for the same payment', () => {
		expect(key()).toBe(key());
	});

	it.each<[string, string]>([
		['environment', key('sandbox api.example.com')],
		['host', key('production other.example.com')],
		['reference', key(SERVICE, 'INV-18')],
		['case of the reference', key(SERVICE, 'inv-17')],
		['amount', key(SERVICE, 'INV-17', [...VALUES.slice(0, 4), '12.6'])],
		['end of a value', key(SERVICE, 'INV-17', ['acc-1w', 'al-1', ...VALUES.slice(2)])],
	])('is another for another %s', (_, other) => {
		expect(other).not.toBe(key());
	});
});
