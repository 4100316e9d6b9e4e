import {
	operation,
	post,
	type Definition,
} from '../../../../nodes/CardTreasury/operations/operation.ts';
import { RawJson } from '../../../../nodes/CardTreasury/request/request.ts';
import { id } from '../../../../nodes/shared/fields/text.ts';
import { answerOf, callerOf, inputOf } from './reading.mts';

type None = Record<never, never>;

/** Minimal operation. */
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

it('a minimal definition gives a minimal operation', async () => {
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
	['keyed write', ['dryRun']],
	['unkeyed write', ['dryRun']],
	['by request', ['dryRun']],
] as const)('effect %s has the options %j', (effect, options) => {
	const defined = define({ effect: effect === 'by request' ? () => 'read' : effect });
	const tuning = ['maxAttempts', 'maxTotalSeconds', 'requestsPerSecond', 'timeoutSeconds'];
	expect(Object.keys(defined.options)).toEqual([...options, ...tuning]);
	expect(defined.effect).toBe(effect);
});

it('a result is pending only if the operation allows it, even after a 302', async () => {
	const pending = { code: 'WARNING', message: 'Wait' };
	const without = await workOf();
	expect(without.profile.pending).toBe(false);
	expect(without.items(answerOf({}))).toEqual([{ kind: 'answer', outcome: 'done' }]);
	const having = await workOf({ mayBePending: true });
	expect(having.profile.pending).toBe(true);
	expect(having.items(answerOf({ pending }))).toEqual([{ kind: 'answer', outcome: 'pending' }]);
	expect(having.items(answerOf({}))).toEqual([{ kind: 'answer', outcome: 'done' }]);
});

it('business keys are the IDs of the fields', async () => {
	const fields = { cardId: id('Card ID', ''), clientId: id('Client ID', '') };
	const found = operation({ ...DEFINITION, fields, endpoint: post('/{cardId}/{clientId}') });
	const parameters = { cardId: 'c 1', clientId: 'k/1', options: {} };
	const { ids, request } = await found.readWork(inputOf({ parameters }), callerOf(ITEM));
	expect(ids).toEqual({ card_id: 'c 1', client_id: 'k/1' });
	expect(request.path).toBe('/c%201/k%2F1');
});

it('a method is required if the user chooses it', async () => {
	const endpoint = { method: 'any', path: '/a' } as const;
	await expect(workOf({ endpoint })).rejects.toMatchObject({ field: 'Method' });
	const route = () => ({ method: 'PUT' as const, path: '/b' });
	expect((await workOf({ endpoint, route })).request).toEqual({ method: 'PUT', path: '/b' });
});

it.each<[string, Partial<Definition<None, None>>]>([
	['Mzm7RKhJU0VhHVDypIWfS32LnllCIBLo0vgC1mMgPow', {}],
	[
		'p3FtAkeLQdJKcL841Oo5ImZ6tbE4zRBqEw4yN6JDPuE',
		{ query: () => [['q', '1']], body: () => ({ amount: new RawJson('1.10') }) },
	],
])(
	'the fingerprint of %s never changes, because another key would move money twice',
	async (golden, more) => {
		expect((await workOf(more)).fingerprint).toBe(golden);
	},
);

it('the work states that it moves money, and its precheck', async () => {
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
