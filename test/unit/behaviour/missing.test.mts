import { InvalidFieldError } from '../../../nodes/shared/fields/invalidField.ts';
import { requestOf } from '../CardTreasury/operations/reading.mts';

/** Expression without a value, as the workflow stores it. */
const NOTHING = '={{ $json.typo }}';

const read = async (given: Record<string, unknown>, raw: Record<string, unknown>) =>
	await requestOf('endpoint: request', {
		parameters: { method: 'POST', path: '/x', options: {}, ...given },
		raw: { method: 'POST', path: '/x', options: {}, ...raw },
	}).catch((thrown: unknown) =>
		thrown instanceof InvalidFieldError ? thrown.message : Promise.reject(thrown),
	);

describe('JSON body', () => {
	it.each([undefined, null, ''])('is refused if its expression returns %j', async (jsonBody) => {
		expect(await read({ jsonBody }, { jsonBody: NOTHING })).toBe(
			'JSON Body has no value: its expression gave nothing',
		);
	});

	it.each([undefined, ''])('is absent if the user left it empty (%j)', async (jsonBody) => {
		expect(await read({ jsonBody }, { jsonBody })).not.toHaveProperty('body');
		expect(await read({}, {})).not.toHaveProperty('body');
	});

	it('is not read while hidden', async () => {
		const get = { method: 'GET' };
		expect(await read(get, { ...get, jsonBody: NOTHING })).not.toHaveProperty('body');
	});
});

describe('query parameter', () => {
	const GONE = 'Query Parameters has a row without a name or value: its expression gave nothing';
	const row = { name: 'status', value: 'open' };
	const rows = (...parameter: unknown[]) => ({ queryParameters: { parameter } });

	it.each<[string, object, object]>([
		['value gives undefined', { value: undefined }, { value: NOTHING }],
		['value gives null', { value: null }, { value: NOTHING }],
		['name gives undefined', { name: undefined }, { name: NOTHING }],
		['name gives nothing to read', { name: '' }, { name: NOTHING }],
	])('is refused if its %s', async (_name, given, raw) => {
		const before = { name: 'page', value: '1' };
		expect(await read(rows(before, { ...row, ...given }), rows(before, { ...row, ...raw }))).toBe(
			GONE,
		);
	});

	it.each<[string, object, object]>([
		[
			'one expression for all rows',
			rows({ name: 'status', value: undefined }),
			{
				queryParameters: { parameter: NOTHING },
			},
		],
		['one for the whole field', rows({ name: 'status' }), { queryParameters: NOTHING }],
	])('is refused without a value in %s', async (_name, given, raw) => {
		expect(await read({ ...given }, { ...raw })).toBe(GONE);
	});

	it('is refused if one expression for all rows returns none', async () => {
		const raw = { queryParameters: { parameter: NOTHING } };
		expect(await read({ queryParameters: {} }, raw)).toBe('Query Parameters is not a list');
		expect(await read({}, { queryParameters: NOTHING })).toBe('Query Parameters is not a list');
	});

	it('may be left empty or be an empty text', async () => {
		expect(await read(rows({ name: '', value: '' }), rows({ name: '', value: '' }))).toEqual(
			expect.not.objectContaining({ query: expect.anything() }),
		);
		expect(await read({ queryParameters: {} }, { queryParameters: {} })).not.toHaveProperty(
			'query',
		);
		const given = rows({ name: 'a' }, { name: 'b', value: '' }, { name: 'c', value: 0 });
		const raw = rows({ name: 'a' }, { name: 'b', value: NOTHING }, { name: 'c', value: NOTHING });
		expect(await read(given, raw)).toMatchObject({
			query: [
				['a', ''],
				['b', ''],
				['c', '0'],
			],
		});
	});
});

it.each([undefined, null, ''])('an own key whose expression returns %j is refused', async (key) => {
	const message = await read(
		{ options: { idempotencyKey: key } },
		{ options: { idempotencyKey: NOTHING } },
	);
	expect(message).toBe('Idempotency Key is empty');
});
