import { InvalidFieldError } from '../../../../../nodes/shared/fields/invalidField.ts';
import { refusalOf } from '../guarded.mts';
import { itemsOf, requestOf, workOf, type Item } from '../reading.mts';

const NAME = 'endpoint: request';
const POST = { method: 'POST', path: '/x', jsonBody: '{"b":1,"a":[{"d":2,"c":1.50}]}' };
const withKey = async (idempotencyKey: unknown, more: object = {}) =>
	await workOf(NAME, { parameters: { ...POST, ...more, options: { idempotencyKey } } });
const valuesOf = async (more: object) => (await withKey('k', more)).payment?.values;

describe('Idempotency Key', () => {
	it.each(['a', '!"#~ 7', 'x'.repeat(255)])('the key %s names the request', async (key) => {
		const { payment, profile } = await withKey(key);
		expect(payment).toEqual({
			reference: key,
			oncePerDay: false,
			values: ['POST', '/x', '[]', '{"a":[{"c":1.5,"d":2}],"b":1}'],
			key,
		});
		expect(profile.effect).toBe('keyed write');
	});

	it.each([
		[' a\n', 'a'],
		['a\nb', 'a b'],
		['INV\u201117', 'INV-17'],
		[7, '7'],
	])('the key %j is sent in the spelling of a reference, %s', async (given, key) => {
		expect((await withKey(given)).payment).toMatchObject({ reference: key, key });
	});

	it('only a write with a key is keyed', async () => {
		const effectOf = async (method: string, options = {}) => {
			const { payment, profile } = await workOf(NAME, { parameters: { ...POST, method, options } });
			return [profile.effect, payment?.reference];
		};
		for (const method of ['GET', 'HEAD'])
			expect(await effectOf(method, { idempotencyKey: 'k' })).toEqual(['read', undefined]);
		expect(await effectOf('DELETE')).toEqual(['unkeyed write', undefined]);
		expect(await effectOf('DELETE', { idempotencyKey: 'k' })).toEqual(['keyed write', 'k']);
	});

	it.each([
		['is empty', [undefined, null, '']],
		['is not a string', [true]],
		['is an object, where one value is expected', [{ key: 'a' }]],
		['is longer than 255 characters', ['x'.repeat(256)]],
		['contains characters other than ASCII letters, digits, spaces and punctuation', ['aé', 'a€']],
		['holds an invisible character: U+007F at position 2', ['a\u007f']],
		['holds only spaces', ['  ']],
	])('a key that %s is refused', async (reason, keys) => {
		for (const key of keys) {
			const error: unknown = await withKey(key).catch((thrown: unknown) => thrown);
			expect(error).toBeInstanceOf(InvalidFieldError);
			expect(error).toHaveProperty('message', `Idempotency Key ${reason}`);
		}
	});

	it('a key with a part that gave nothing is refused, because other requests would get it too', async () => {
		const options = { idempotencyKey: '=pay-{{ $json.id }}' };
		const item: Item = {
			parameters: { ...POST, options: { idempotencyKey: 'pay-' } },
			raw: { ...POST, options },
			parts: { '{{ $json.id }}': undefined },
		};
		expect(await refusalOf(item, NAME)).toBe(
			'Idempotency Key has a part without a value: {{ $json.id }} gave nothing',
		);
		const full = { ...item, parts: { '{{ $json.id }}': 7 } };
		expect((await workOf(NAME, full)).payment?.key).toBe('pay-');
	});
});

describe('payment of a request', () => {
	it('the payment ignores the order of names in the body', async () => {
		const jsonBody = '{ "a": [{ "c": 1.5, "d": 2 }], "b": 1 }';
		expect(await valuesOf({ jsonBody })).toEqual(await valuesOf({}));
	});

	it.each([
		['method', { method: 'PUT' }],
		['path', { path: '/y' }],
		['query', { queryParameters: { parameter: [{ name: 'a', value: '1' }] } }],
		['body', { jsonBody: '{"b":2}' }],
		['lack of a body', { jsonBody: '' }],
	])('the payment changes with the %s', async (_, change) => {
		expect(await valuesOf(change)).not.toEqual(await valuesOf({}));
	});
});

describe('JSON Body', () => {
	const item = (method: string, given: object, stored: object): Item => ({
		parameters: { method, path: '/x', ...given },
		raw: { method, path: '/x', ...stored },
	});
	const NOTHING = { jsonBody: '={{ $json.typo }}' };

	it.each([undefined, null, ''])('an expression that returns %j is refused', async (jsonBody) => {
		expect(await refusalOf(item('POST', { jsonBody }, NOTHING), NAME)).toBe(
			'JSON Body has no value: {{ $json.typo }} gave nothing',
		);
	});

	it.each([
		['[{{ $json.ids }}]', [], undefined],
		['[ {{ $json.ids }} ]', [], undefined],
		['[{{ $json.ids }}]', [null], 'JSON Body has a part without a value'],
		['"{{ $json.ids }}"', [], 'JSON Body has a part without a value'],
	])('in the body, %s made of %j: %j', async (part, ids, refusal) => {
		const raw = item('POST', {}, { jsonBody: `={"ids": ${part}}` });
		const given = {
			...raw,
			parameters: { ...raw.parameters, jsonBody: `{"ids": ${part.replace(/\{.*\}/, '')}}` },
		};
		const filled = { ...given, parts: { '{{ $json.ids }}': ids } };
		if (refusal === undefined) await expect(workOf(NAME, filled)).resolves.toBeDefined();
		else expect(await refusalOf(filled, NAME)).toContain(refusal);
	});

	it.each<[string, Item]>([
		['left empty', item('POST', { jsonBody: '' }, { jsonBody: '' })],
		['not set', item('POST', {}, {})],
		['hidden', item('GET', {}, NOTHING)],
	])('a body that is %s is not sent', async (_, given) => {
		expect(await requestOf(NAME, given)).not.toHaveProperty('body');
	});
});

describe('call by an AI agent', () => {
	const call = (method: string, path: string, raw: object = {}): Item => ({
		parameters: { method, path },
		raw: { method, path, ...raw },
		isTool: true,
	});
	const AGENTS = '={{ $fromAI("x") }}';

	it.each([
		call('POST', '/management/clients'),
		call('GET', '/x', { method: AGENTS }),
		call('HEAD', '/x', { path: `=/cards/individual-cards/{{ $fromAI("id") }}` }),
		call('GET', '/x', { path: `=/cards/{{ $fromAI("id") }}/x` }),
		call('GET', '/virtual-wallets/ramps/transfer/r'),
		{ ...call('POST', '/mpc/accounts/a/wallets/w/transfer'), isTool: false },
	])('the call %j is accepted', async (item) => {
		await expect(workOf(NAME, item)).resolves.toBeDefined();
	});

	it.each([
		{ path: AGENTS },
		{ path: `=/{{ $fromAI("path") }}` },
		{ path: `=/car{{ $fromAI("path") }}` },
		{ path: `={{ $json.beginning }}/cards/{{ $fromAI("path") }}` },
		{ path: undefined },
	])('a read needs a path with a fixed beginning: %j', async (raw) => {
		for (const method of ['GET', 'HEAD'])
			expect(await refusalOf(call(method, '/x', raw), NAME)).toBe(
				'Path has no fixed beginning, and an AI agent is using this node',
			);
	});

	it("n8n's AI assistant may not read, because it enters all values", async () => {
		const item = { ...call('GET', '/x'), isAssistant: true };
		expect(await refusalOf(item, NAME)).toContain('Path has no fixed beginning');
	});

	it.each([
		['path', 'Path'],
		['method', 'Method'],
	])('a write needs a fixed %s', async (name, label) => {
		for (const raw of [AGENTS, '=/fixed/but/an/expression', undefined])
			expect(await refusalOf(call('POST', '/x', { [name]: raw }), NAME)).toBe(
				`${label} is not a fixed value, and an AI agent is requesting a write`,
			);
	});

	it("n8n's AI assistant may not write, because it enters all values", async () => {
		const item = { ...call('POST', '/x'), isAssistant: true };
		expect(await refusalOf(item, NAME)).toContain('Method is not a fixed value');
	});

	it.each([
		'/mpc/accounts/a/wallets/w/transfer',
		'/MPC/accounts/a/wallets/w/Transfer/',
		'/mpc/accounts/a/wallets/w/%74ransfer',
		'/mpc/accounts/a/wallets/w/transfer;x',
		'/virtual-wallets/ramps/transfer/r',
	])('a write to %s is refused, because it moves money', async (path) => {
		expect(await refusalOf(call('POST', path), NAME)).toBe(
			'Path belongs to an operation that moves money, and an AI agent is requesting it',
		);
	});
});

describe('answer of any endpoint', () => {
	const items = async (answer: object, method = 'GET') =>
		await itemsOf(NAME, { parameters: { method, path: '/x' } }, answer);

	it('a text is the answer, and a top-level error that is null is none', async () => {
		expect(await items({ text: 'OK' })).toEqual([{ answer: 'OK' }]);
		expect(await items({ json: { error: null, id: 1 } })).toEqual([{ error: null, id: 1 }]);
		expect(await items({ json: { error: 'no' } })).toEqual([{ answer: { error: 'no' } }]);
	});

	it('an empty list is no item of a read, and one item of a write', async () => {
		expect(await items({ json: [] })).toEqual([]);
		expect(await items({ json: [] }, 'POST')).toMatchObject([{ answer: [] }]);
	});
});

describe('Path', () => {
	const refusalOfPath = async (path: string) =>
		await refusalOf({ parameters: { method: 'GET', path } }, NAME);

	it.each(['{clientId}', '{}', ':id', '<client_id>'])(
		'the placeholder %s, which nothing fills, is refused',
		async (placeholder) => {
			expect(await refusalOfPath(`/clients/${placeholder}/x`)).toBe(
				`Path contains ${placeholder}, a placeholder that nothing fills`,
			);
		},
	);

	it.each(['/a:b', '/v1/x:cancel', '/17:30'])('the path %s is accepted', async (path) => {
		await expect(workOf(NAME, { parameters: { method: 'GET', path } })).resolves.toBeDefined();
	});
});
