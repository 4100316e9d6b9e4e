import {
	operation,
	post,
	type Definition,
} from '../../../../nodes/CardTreasury/operations/operation.ts';
import { fillPath, RawJson, type Effect } from '../../../../nodes/CardTreasury/request/request.ts';
import { id } from '../../../../nodes/shared/fields/text.ts';
import { answerOf, callerOf, inputOf } from './reading.mts';

type None = Record<never, never>;

/** The smallest operation there can be. */
const DEFINITION: Definition<None, None> = {
	name: 'Name',
	action: 'Action',
	description: 'Description',
	section: '4',
	endpoint: post('/a'),
	effect: 'keyed write',
	answer: 'object',
	timeoutMs: 5_000,
	fields: {},
	items: () => [{ kind: 'answer' }],
	output: {},
};
const ITEM = { parameters: { options: {} } };
const define = (more: Partial<Definition<None, None>> = {}) =>
	operation({ ...DEFINITION, ...more });
const workOf = async (more: Partial<Definition<None, None>> = {}, options: object = {}) =>
	await define(more).readWork(inputOf({ parameters: { options } }), callerOf(ITEM));

it('is as little as it says of itself', async () => {
	expect(define()).toMatchObject({ kind: 'service', movesMoney: false, errors: [] });
	expect(define().hints([[{}]])).toEqual([]);
	const { profile, movesMoney, ids, request, nothingToSend } = await workOf();
	expect(profile).toMatchObject({ effect: 'keyed write', answer: 'object', errors: [] });
	expect([movesMoney, nothingToSend]).toEqual([false, undefined]);
	expect(ids).toStrictEqual({});
	expect(request).toStrictEqual({ method: 'POST', path: '/a' });
});

it.each([
	['read', []],
	['keyed write', ['dryRun', 'idempotencyKey']],
	['unkeyed write', ['dryRun']],
	['by request', ['dryRun', 'idempotencyKey']],
] as const)('effect %s: has the options %j', (effect, options) => {
	const defined = define({ effect: effect === 'by request' ? () => 'read' : effect });
	const tuning = ['maxAttempts', 'maxTotalSeconds', 'requestsPerSecond', 'timeoutSeconds'];
	expect(Object.keys(defined.options)).toEqual([...options, ...tuning]);
	expect(defined.effect).toBe(effect);
});

it.each<[Effect, boolean, boolean]>([
	['read', false, false],
	['keyed write', true, true],
	// Whether the service knows the key of any endpoint, nobody can tell: it goes along.
	['unkeyed write', false, true],
])(
	'effect %s: carries a key: %s; where the request decides: %s',
	async (effect, fixed, decided) => {
		expect((await workOf({ effect })).carriesKey).toBe(fixed);
		const byRequest = await workOf({ effect: () => effect });
		expect([byRequest.carriesKey, byRequest.profile.effect]).toEqual([decided, effect]);
	},
);

it("tells the request's effect by whether the user gave a key", async () => {
	const effect = (_: object, hasOwnKey: boolean) => (hasOwnKey ? 'keyed write' : 'unkeyed write');
	expect((await workOf({ effect })).profile.effect).toBe('unkeyed write');
	expect((await workOf({ effect }, { idempotencyKey: 'k' })).profile.effect).toBe('keyed write');
});

it('has a pending result only where it says so, also for a 302', async () => {
	const pending = { code: 'WARNING', message: 'Wait' };
	const without = await workOf();
	expect(without.profile.pending).toBe(false);
	expect(without.items(answerOf({ pending }))).toEqual([{ kind: 'answer' }]);
	const having = await workOf({ pending: ({ message }) => [{ message }] });
	expect(having.profile.pending).toBe(true);
	expect(having.items(answerOf({ pending }))).toEqual([{ message: 'Wait' }]);
	expect(having.items(answerOf({}))).toEqual([{ kind: 'answer' }]);
});

it('gives the IDs by which its execution is found', async () => {
	const fields = { cardId: id('Card ID', ''), clientId: id('Client ID', '') };
	const found = operation({ ...DEFINITION, fields, endpoint: post('/{cardId}/{clientId}') });
	const parameters = { cardId: 'c 1', clientId: 'k/1', options: {} };
	const { ids, request } = await found.readWork(inputOf({ parameters }), callerOf(ITEM));
	expect(ids).toEqual({ card_id: 'c 1', client_id: 'k/1' });
	expect(request.path).toBe('/c%201/k%2F1');
});

it('leaves a placeholder that has no text', () => {
	expect(fillPath('/{cardId}/{other}', { cardId: 5 })).toBe('/{cardId}/{other}');
});

it('wants a method where the user chooses it', async () => {
	const endpoint = { method: 'any', path: '/a' } as const;
	await expect(workOf({ endpoint })).rejects.toMatchObject({ field: 'Method' });
	const route = () => ({ method: 'PUT' as const, path: '/b' });
	expect((await workOf({ endpoint, route })).request).toEqual({ method: 'PUT', path: '/b' });
});

it.each<[string, Partial<Definition<None, None>>]>([
	['cc5b87865a4b94d9ca9752996a5f3e55934da6033a46372590a092670571070c', {}],
	[
		'13eb659d3845bfd53d8dac3083962b3041efd1f3a695c231327e593c7d952953',
		{ query: () => [['q', '1']], body: () => ({ amount: new RawJson('1.10') }) },
	],
])(
	'keeps the fingerprint %s: another gives another key, and moves money twice',
	async (golden, more) => {
		expect((await workOf(more)).fingerprint).toBe(golden);
	},
);

it('leaves an empty query and absent headers away', async () => {
	const more = { query: () => [], headers: { 'X-API-Version': '2' } };
	expect((await workOf(more)).request).toStrictEqual({
		method: 'POST',
		path: '/a',
		headers: { 'X-API-Version': '2' },
	});
});

it('hands on that it moves money, and what is read before it is sent', async () => {
	const check = jest.fn();
	const errors = [{ status: 404, message: 'Card not found', fix: 'Check it.' }];
	const request = { method: 'GET' as const, path: '/before' };
	const precheck = { request: () => request, level: 1 as const, answer: 'array' as const, errors };
	const work = await workOf({ movesMoney: true, precheck: { ...precheck, check } });
	expect(work.movesMoney).toBe(true);
	expect(work.precheck).toMatchObject({
		request,
		profile: { effect: 'read', answer: 'array', level: 1, errors },
	});
	work.precheck?.check(answerOf({ json: [] }));
	expect(check).toHaveBeenCalledWith(answerOf({ json: [] }), {});
	expect(await workOf()).not.toHaveProperty('precheck');
});
