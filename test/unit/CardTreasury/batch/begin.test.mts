import type { Beginning } from '../../../../nodes/CardTreasury/batch/batch.ts';
import { InvalidFieldError } from '../../../../nodes/shared/fields/invalidField.ts';
import {
	answered,
	cardOf,
	complaint,
	Execution,
	failed,
	HOUR_MS,
	kinds,
	outputs,
	postOf,
	transferOf,
} from './batches.mts';

const why = new InvalidFieldError('This retry', 'comes second', 'Retry the latest.');
const begins =
	(beginning: Beginning): (() => Promise<Beginning>) =>
	async () =>
		beginning;
const REFUSED = { begin: begins({ kind: 'refused', why }), isRetry: true };
const SAME = { begin: begins({ kind: 'same', since: 500 }), isRetry: true };
const items = [transferOf('1'), transferOf('2')];
const own = (idempotencyKey: string) => transferOf('1', { idempotencyKey });

describe('the plan', () => {
	it.each([
		['wallet: transfer', items, { allKeyed: true, allOwn: false }],
		['wallet: transfer', [own('a')], { allKeyed: true, allOwn: true }],
		['wallet: transfer', [own('a'), transferOf('2')], { allKeyed: true, allOwn: false }],
		// The service may not know the key of such a request.
		['endpoint: request', [postOf('{}')], { allKeyed: false, allOwn: false }],
		[
			'endpoint: request',
			[postOf('{}', { idempotencyKey: 'a' })],
			{ allKeyed: true, allOwn: true },
		],
		[
			'endpoint: request',
			[postOf('{}', { idempotencyKey: 'a' }), postOf('[]')],
			{ allKeyed: false, allOwn: true },
		],
	])('of %s is told once, before the first write: %j', async (name, its, facts) => {
		const execution = new Execution(name);
		execution.service = () => {
			expect(execution.begun).toHaveLength(1);
			return answered();
		};
		await execution.run(its);
		expect(execution.begun).toEqual([
			{ fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/), windowMs: 24 * HOUR_MS, ...facts },
		]);
		expect(execution.sent).toHaveLength(its.length);
	});

	const get = { parameters: { method: 'GET', path: '/any', options: {} } };
	const sweep = transferOf('');
	Object.assign(sweep.parameters, { amountMode: 'aboveFloor', balance: '4', floor: '5' });
	it.each([
		['a dry run', 'wallet: transfer', [transferOf('1', { dryRun: true })]],
		['a read', 'card: get', [cardOf('c1')]],
		['a read of any path', 'endpoint: request', [get]],
		['nothing to send', 'wallet: transfer', [sweep]],
		['an item that is wrong', 'wallet: transfer', [transferOf('1'), transferOf('x')]],
	])('is not told of %s', async (_name, name, its) => {
		const execution = new Execution(name);
		await execution.run(its);
		expect(execution.begun).toEqual([]);
	});

	it('is told in a retry also when nothing can be sent, but never of reads', async () => {
		const execution = new Execution('wallet: transfer');
		await execution.run([transferOf('1'), transferOf('x')], { isRetry: true });
		await execution.run([transferOf('1', { dryRun: true })], { isRetry: true });
		expect(execution.begun).toHaveLength(2);
		const reading = new Execution('card: get');
		await reading.run([cardOf('c1')], { isRetry: true });
		expect(reading.begun).toEqual([]);
	});

	it('tells keys, requests and target from others', async () => {
		const planOf = async (its: typeof items, target = 'target-1', round = 0) => {
			const execution = new Execution('wallet: transfer');
			execution.target = target;
			await execution.run(its, { round });
			return execution.begun[0]?.fingerprint;
		};
		const plans = [
			planOf([own('a')]),
			planOf([own('b')]),
			planOf([own('a')], 'target-2'),
			planOf([transferOf('2', { idempotencyKey: 'a' })]),
			planOf([own('a'), own('b')]),
			planOf([own('b'), own('a')]),
			planOf(items),
			planOf(items, 'target-1', 1),
		];
		expect(new Set(await Promise.all(plans)).size).toBe(plans.length);
		expect(await planOf([own('a')])).toBe(await plans[0]);
	});

	it('is the same once some of it is done', async () => {
		const execution = new Execution('wallet: transfer', (_work, before) =>
			before === 1 ? failed('rejected') : answered(),
		);
		await execution.run(items);
		await execution.run(items, { isRetry: true });
		expect(execution.sent).toHaveLength(3);
		expect(execution.begun[1]).toEqual(execution.begun[0]);
	});
});

describe('a state that another run has continued', () => {
	it('with this plan is sent again under its keys, as of unknown outcome since then', async () => {
		const execution = new Execution('wallet: transfer', (_work, before) =>
			before === 0 ? failed('rejected') : answered(),
		);
		const { outcomes } = await execution.run(items, { ...SAME, continueOnFail: true });
		// That the service rejects it now does not say what it did to the other run.
		expect(outcomes).toEqual(['unknown', 'accepted']);
		for (const work of execution.sent) {
			expect(work).toMatchObject({ outcomeUnknown: true, forgottenAt: 500 + 24 * HOUR_MS });
		}
		expect(execution.entries).toMatchObject([
			{ outcome: 'unknown', sentAt: 500, key: execution.keys[0], subject: { amount: '1' } },
			{ outcome: 'accepted', sentAt: 500 },
		]);
	});

	it('with this plan keeps what is known here', async () => {
		const execution = new Execution('wallet: transfer', (_work, before) =>
			before === 0 ? answered() : failed('unknown'),
		);
		const first = await execution.run(items);
		execution.service = () => answered();
		const second = await execution.run(items, SAME);
		expect(outputs(second)[0]).toEqual(outputs(first)[0]);
		expect(execution.sent).toHaveLength(3);
		expect(execution.sent[2]).toMatchObject({ forgottenAt: 1_000 + 24 * HOUR_MS });
	});

	it('with this plan may have executed what is wrong here', async () => {
		const execution = new Execution('wallet: transfer');
		const { outcomes } = await execution.run([transferOf('1'), transferOf('x')], {
			...SAME,
			continueOnFail: true,
		});
		expect(outcomes).toEqual(['accepted', 'unknown']);
	});

	it('with another plan is refused: nothing is sent, and nothing is told to be unsent', async () => {
		const execution = new Execution('wallet: transfer');
		const refused = await execution.run(items, REFUSED);
		expect([complaint(refused, 0), complaint(refused, 1)]).toEqual(
			Array(2).fill({ message: why.message, fix: why.fix, outcome: 'unknown' }),
		);
		expect([execution.sent, execution.entries]).toEqual([[], []]);
	});

	it('is told also where the item is wrong by itself', async () => {
		const execution = new Execution('wallet: transfer');
		const wrong = await execution.run([transferOf('1'), transferOf('x')], REFUSED);
		expect(complaint(wrong, 1)).toMatchObject({
			message: expect.stringContaining('Amount'),
			outcome: 'unknown',
		});
		expect(wrong.outcomes).toEqual(['unknown', 'unknown']);
	});

	it('is told of other values than this item has, so that those are not shown as sent', async () => {
		const execution = new Execution('wallet: transfer');
		const { results } = await execution.run(items, { ...REFUSED, continueOnFail: true });
		for (const result of results) expect(result).not.toHaveProperty('subject');
	});

	it('leaves done what was done before, and open what was rejected', async () => {
		const execution = new Execution('wallet: transfer', (_work, before) =>
			before === 0 ? answered() : failed('rejected'),
		);
		await execution.run(items);
		const refused = await execution.run(items, { ...REFUSED, continueOnFail: true });
		expect([kinds(refused), refused.outcomes]).toEqual([
			['done', 'failed'],
			['accepted', 'unknown'],
		]);
		await execution.run(items);
		expect(execution.sent).toHaveLength(3);
	});

	it('leaves accepted what was accepted before and is wrong now', async () => {
		const execution = new Execution('wallet: transfer');
		await execution.run(items);
		const wrong = await execution.run([transferOf('x'), transferOf('2')], REFUSED);
		expect(wrong.outcomes).toEqual(['accepted', 'accepted']);
	});

	it('does not count as sent: an agent may ask for others', async () => {
		const execution = new Execution('wallet: transfer');
		const limits = { maximumAmount: '9', maximumTotal: '5' };
		await execution.run([transferOf('4', limits)], { ...REFUSED, isTool: true });
		const next = await execution.run([transferOf('5', limits)], { isTool: true });
		expect(kinds(next)).toEqual(['done']);
	});

	it('keeps no read from its answer', async () => {
		const execution = new Execution('endpoint: request');
		const get = { parameters: { method: 'GET', path: '/any', options: {} } };
		expect(kinds(await execution.run([get], REFUSED))).toEqual(['done']);
	});
});

it('sends nothing while it cannot be noted', async () => {
	const execution = new Execution('wallet: transfer');
	const begin = begins({ kind: 'not noted', why });
	expect(complaint(await execution.run(items, { begin }))).toEqual({
		message: why.message,
		fix: why.fix,
		outcome: 'not_sent',
	});
	expect(execution.sent).toEqual([]);
});
