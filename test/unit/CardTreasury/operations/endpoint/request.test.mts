import { InvalidFieldError } from '../../../../../nodes/shared/fields/invalidField.ts';
import { workOf } from '../reading.mts';

const POST = { method: 'POST', path: '/x', jsonBody: '{"b":1,"a":[{"d":2,"c":1.50}]}' };
const withKey = async (idempotencyKey: unknown, more: object = {}) =>
	await workOf('endpoint: request', {
		parameters: { ...POST, ...more, options: { idempotencyKey } },
	});
const valuesOf = async (more: object) => (await withKey('k', more)).payment?.values;

describe('Idempotency Key', () => {
	it.each(['a', 'invoice 7', '!"#~', 'x'.repeat(255)])('names the request: %s', async (key) => {
		const { payment, profile } = await withKey(key);
		expect(payment).toEqual({
			reference: key,
			oncePerDay: false,
			values: ['POST', '/x', '[]', '{"a":[{"c":1.5,"d":2}],"b":1}'],
			key,
		});
		expect(profile.effect).toBe('keyed write');
	});

	it('names no read, and nothing where it is not set', async () => {
		const read = await withKey('k', { method: 'GET' });
		expect([read.payment, read.profile.effect]).toEqual([undefined, 'read']);
		const unnamed = await workOf('endpoint: request', { parameters: POST });
		expect([unnamed.payment, unnamed.profile.effect]).toEqual([undefined, 'unkeyed write']);
	});

	it.each([
		['is empty', [undefined, null, '']],
		['is not a string', [7, true, { key: 'a' }]],
		['is longer than 255 characters', ['x'.repeat(256)]],
		[
			'contains characters other than ASCII letters, digits, spaces and punctuation',
			['é', 'aé', 'éa', 'a\nb', 'a\r\n', '\ta', 'a\u007f', 'a\u200b'],
		],
		['begins or ends with a space', [' a', 'a ', '  ']],
	])('is refused if it %s', async (reason, keys) => {
		for (const key of keys) {
			const error: unknown = await withKey(key).catch((thrown: unknown) => thrown);
			expect(error).toBeInstanceOf(InvalidFieldError);
			expect(error).toHaveProperty('message', `Idempotency Key ${reason}`);
		}
	});
});

describe('the payment of a request', () => {
	it('ignores the order of names in the body', async () => {
		const jsonBody = '{ "a": [{ "c": 1.5, "d": 2 }], "b": 1 }';
		expect(await valuesOf({ jsonBody })).toEqual(await valuesOf({}));
	});

	it.each([
		['method', { method: 'PUT' }],
		['path', { path: '/y' }],
		['query', { queryParameters: { parameter: [{ name: 'a', value: '1' }] } }],
		['body', { jsonBody: '{"b":2}' }],
		['lack of a body', { jsonBody: '' }],
	])('changes with the %s', async (_, change) => {
		expect(await valuesOf(change)).not.toEqual(await valuesOf({}));
	});
});
