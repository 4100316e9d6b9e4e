import { operationOf } from '../../reading.mts';
import { memoryOf, prepared, runOf, valuesOf } from './items.mts';

const PAYMENT = valuesOf('5', 'INV-1');
/** Golden values, as in key.test.mts: they may never change. */
it('a payment is named by its reference, and has the key of its values', () => {
	expect(prepared([PAYMENT])[0]!.work).toMatchObject({
		effect: 'payment',
		key: '928710c4-abe0-56ad-9028-a4f7e3be0981',
		payment: { reference: 'INV-1' },
		names: {
			fingerprint: '6aP-KhJGnN_KEQictQcHF0CZQHxRoFuwoC4xWPMVzHE',
			ref: '4BzFArYvh27TUyKYNXRyvbCjduq6edPKHh5ICQ2XCnY',
		},
	});
});

it('a write without a name is named by its place, and has the fingerprint of its request', () => {
	const operation = operationOf('endpoint: request');
	const post = { method: 'POST', path: '/x', jsonBody: '{}' };
	const [, , , fourth] = prepared(Array(4).fill(post), runOf({ operation }));
	const { effect, key, names } = fourth!.work!;
	expect(names).toMatchObject({ ref: 'fR46qkFbQ2d25jhVKA4-8y9Nf9ZlDyDb5olWyiugoGA' });
	expect([effect, key]).toEqual(['once', undefined]);
});

describe('fingerprint of a write without a name', () => {
	const fingerprintOf = (name: string, values: object) =>
		prepared([values], runOf({ operation: operationOf(name) }))[0]!.work!.names!.fingerprint;
	const queryParameters = [['a', '1']];
	const post = { method: 'POST', path: '/x', queryParameters, jsonBody: '{"a":1}' };
	const bytes = async () => await Promise.reject(new Error());
	const file = (size: string) => ({ frontImageField: { type: 'image/png', size, bytes } });
	const document = { clientId: 'c', productRequestId: 'p', documentType: 'passport', metadata: {} };

	it('is the golden one', () => {
		const fingerprint = fingerprintOf('endpoint: request', post);
		expect(fingerprint).toBe('sR8fpil3Oti2yHjPVTrViDBwAv0jIHk0h6MLuGXZz58');
	});

	it.each([
		['endpoint: request', post, { method: 'PUT' }],
		['endpoint: request', post, { path: '/y' }],
		['endpoint: request', post, { queryParameters: [['a', '2']] }],
		['endpoint: request', post, { jsonBody: '{"a":2}' }],
		['endpoint: request', post, { jsonBody: undefined }],
		['productRequest: submitDocument', { ...document, ...file('12 kB') }, { metadata: { b: '1' } }],
		['productRequest: submitDocument', { ...document, ...file('12 kB') }, file('13 kB')],
	])('is another one for %s with %j after a change to %j', (name, values, change) => {
		const first = fingerprintOf(name, values);
		expect(fingerprintOf(name, { ...values })).toBe(first);
		expect(fingerprintOf(name, { ...values, ...change })).not.toBe(first);
	});
});

it('a setting has a random key for each item', () => {
	const operation = operationOf('card: freeze');
	const both = prepared([{ cardId: 'card-1' }, { cardId: 'card-1' }], runOf({ operation }));
	const keys = both.map(({ work }) => work!.key);
	expect(new Set(keys).size).toBe(2);
	expect(keys[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
});

const SENT = ['done', 'pending', 'failed', 'unknown'] as const;
it.each(SENT)('after %s, an item is answered, whatever the checks say by now', (outcome) => {
	const { ref, fingerprint } = prepared([PAYMENT])[0]!.work!.names!;
	const run = runOf({ memory: memoryOf({ [ref]: { fingerprint, outcome, items: [] } }) });
	const [item] = prepared([{ ...PAYMENT, maximumAmount: '1', dryRun: true }], run);
	expect(item!.result).toBeUndefined();
	expect(item!.work!.isAnswered).toBe(true);
});
