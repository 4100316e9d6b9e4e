import { InvalidFieldError } from '../../../../nodes/CardTreasury/errors.ts';
import {
	answered,
	complaint,
	Execution,
	failed,
	kinds,
	outputs,
	postOf,
	transferOf,
} from './batches.mts';

const NOW_FIX =
	'Remove what changes over time (such as $now) from its fields and retry, or start a new execution for what is still to be done.';
const ASK_FIX =
	'It carries no idempotency key, so it is not sent again. Ask the provider whether it was executed.';

describe('what was done in this execution', () => {
	it.each([
		['wallet: transfer', transferOf],
		['endpoint: request', (value: string) => postOf(`{"a":${value}}`)],
	])('is given again by a retry, not sent again: %s', async (name, item) => {
		const execution = new Execution(name, (_work, before) =>
			before === 1 ? failed('rejected') : answered({ status: 'SUCCESS', n: before }),
		);
		const items = [item('1'), item('2')];
		const first = await execution.run(items);
		expect([kinds(first), first.failedAt]).toEqual([['done', 'failed'], 1]);
		const second = await execution.run(items);
		expect(kinds(second)).toEqual(['done', 'done']);
		expect(outputs(second)[0]).toEqual(outputs(first)[0]);
		expect(second.results[0]).toMatchObject({ attempts: 0 });
		expect(execution.sent).toHaveLength(3);
	});

	it('is forgotten once all items are done, because n8n has their output', async () => {
		const execution = new Execution('wallet: transfer');
		await execution.run([transferOf('1')]);
		expect(execution.data.entries).toEqual({});
	});

	it.each([
		[{ status: 'SUCCESS', error: 'E1' }, 1],
		[{ status: 'SUCCESS', error: '' }, 1],
		[{ status: 'SUCCESS', error: false }, 0],
		[{ status: 'SUCCESS', error: null }, 0],
	])('stays known where n8n runs the node again because of its output %j', async (answer, kept) => {
		const execution = new Execution('endpoint: request', () => answered(answer));
		const first = await execution.run([postOf('{}')]);
		expect(Object.keys(execution.data.entries ?? {})).toHaveLength(kept);
		if (kept === 0) return;
		expect(outputs(await execution.run([postOf('{}')]))).toEqual(outputs(first));
		expect(execution.sent).toHaveLength(1);
	});

	it('under a key of the user says nothing about another item with that key', async () => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		const item = (amount: string) => transferOf(amount, { idempotencyKey: 'invoice-7' });
		await execution.run([item('1')]);
		const result = await execution.run([item('1'), item('9')], { continueOnFail: true });
		expect([complaint(result, 0)?.outcome, complaint(result, 1)?.outcome]).toEqual([
			'unknown',
			'not_sent',
		]);
	});

	it("is not sent with other values under the user's own key: the service would return the first result", async () => {
		const execution = new Execution('wallet: transfer', (_work, before) =>
			before === 1 ? failed('rejected') : answered(),
		);
		const item = (amount: string) => transferOf(amount, { idempotencyKey: 'invoice-7' });
		await execution.run([item('1'), transferOf('2')]);
		const { results } = await execution.run([item('9'), transferOf('2')]);
		expect(results[0]).toMatchObject({
			kind: 'failed',
			failure: {
				message: 'Idempotency Key was sent earlier in this execution, with other values',
				outcome: 'not_sent',
			},
		});
		expect(execution.sent).toHaveLength(2);
	});

	it('may be sent with other values under the same key once it was rejected', async () => {
		const execution = new Execution('wallet: transfer', (_work, before) =>
			before === 0 ? failed('rejected') : answered(),
		);
		const item = (amount: string) => transferOf(amount, { idempotencyKey: 'invoice-7' });
		await execution.run([item('1')]);
		expect(kinds(await execution.run([item('9')]))).toEqual(['done']);
	});

	it('stays done when the retry is refused before sending', async () => {
		const execution = new Execution('wallet: transfer', (_work, before) =>
			before === 1 ? failed('unknown') : answered(),
		);
		await execution.run([transferOf('1'), transferOf('2'), transferOf('3')]);
		const refused = await execution.run([transferOf('1'), transferOf('2'), transferOf('x')]);
		expect(refused.results).toEqual([
			expect.objectContaining({ kind: 'done' }),
			{ kind: 'not sent', outcomeUnknown: true },
			expect.objectContaining({ kind: 'failed' }),
		]);
		expect(refused.failedAt).toBe(2);
	});

	it('is not followed by another request in its place', async () => {
		const execution = new Execution('wallet: transfer', (_work, before) =>
			before === 0 ? answered() : failed('rejected'),
		);
		await execution.run([transferOf('1'), transferOf('2')]);
		const changed = await execution.run([transferOf('9'), transferOf('2')]);
		expect(complaint(changed)).toEqual({
			message: 'This item was executed earlier in this execution, with other values',
			fix: NOW_FIX,
			outcome: 'not_sent',
		});
		expect(execution.sent).toHaveLength(2);
	});
});

describe('what may have been executed', () => {
	it('is noted before it is sent, so that a thrown error leaves it open', async () => {
		const execution = new Execution('wallet: transfer');
		const states: unknown[] = [];
		execution.service = () => {
			states.push(Object.values(execution.data.entries ?? {}).map(({ state }) => state));
			return answered();
		};
		await execution.run([transferOf('1')]);
		expect(states).toEqual([['unknown']]);
	});

	it('is sent again with its key, and told to the client', async () => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		await execution.run([transferOf('1')]);
		await execution.run([transferOf('1')]);
		expect(execution.sent.map(({ outcomeUnknown }) => outcomeUnknown)).toEqual([false, true]);
	});

	it('is not followed by another request in its place', async () => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		await execution.run([transferOf('1')]);
		const changed = await execution.run([transferOf('2')]);
		expect(complaint(changed)).toEqual({
			message: 'This item may have been executed earlier in this execution, with other values',
			fix: NOW_FIX,
			outcome: 'unknown',
		});
		expect(execution.sent).toHaveLength(1);
	});

	it.each([
		['another key of the user', { idempotencyKey: 'a' }, { idempotencyKey: 'b' }, false],
		['a key of the user', {}, { idempotencyKey: 'b' }, false],
		['a derived key', { idempotencyKey: 'a' }, {}, false],
		["another key, by an agent's call", { idempotencyKey: 'a' }, { idempotencyKey: 'b' }, true],
	])('is not sent again with %s', async (_name, before, now, isTool) => {
		const options = { maximumAmount: '10' };
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		await execution.run([transferOf('1', { ...options, ...before })], { isTool });
		const again = await execution.run([transferOf('1', { ...options, ...now })], { isTool });
		expect(complaint(again)).toEqual({
			message: `Idempotency Key differs from the key that ${isTool ? 'this call' : 'this item'} was sent with earlier in this execution, and the outcome is unknown: it may have been executed`,
			fix: `Set Idempotency Key to ${execution.keys[0]} to send the same work again, or ask the provider whether it was executed.`,
			outcome: 'unknown',
		});
		expect(execution.sent).toHaveLength(1);
	});

	it('is not followed by another request with another key of the user', async () => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		await execution.run([transferOf('1', { idempotencyKey: 'a' })]);
		const changed = await execution.run([transferOf('2', { idempotencyKey: 'b' })]);
		expect(complaint(changed)).toMatchObject({ fix: NOW_FIX, outcome: 'unknown' });
		const sameKey = await execution.run([transferOf('2', { idempotencyKey: 'a' })]);
		expect(complaint(sameKey)).toMatchObject({
			message: 'Idempotency Key was sent earlier in this execution, with other values',
			outcome: 'unknown',
		});
		await execution.run([transferOf('1', { idempotencyKey: 'a' })]);
		expect(execution.keys).toEqual(['a', 'a']);
	});

	it('is sent again when the derived key that went with it is given as the own key', async () => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		await execution.run([transferOf('1')]);
		await execution.run([transferOf('1', { idempotencyKey: String(execution.keys[0]) })]);
		expect(execution.keys[1]).toBe(execution.keys[0]);
		expect(execution.keys).toHaveLength(2);
	});

	it('stays open when the retry must not begin to write', async () => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		await execution.run([transferOf('1')]);
		const refusal = new InvalidFieldError('Idempotency Key', 'is not set', 'Set it.', 'unknown');
		await execution.run([transferOf('1')], { beginWrites: async () => refusal });
		const changed = await execution.run([transferOf('2')]);
		expect(complaint(changed)).toMatchObject({ fix: NOW_FIX, outcome: 'unknown' });
		expect(execution.sent).toHaveLength(1);
	});

	it('keeps its outcome when the fields have become invalid', async () => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		await execution.run([transferOf('1')]);
		const invalid = await execution.run([transferOf('')]);
		expect(complaint(invalid)).toMatchObject({ outcome: 'unknown' });
		expect(complaint(await new Execution('wallet: transfer').run([transferOf('')]))).toMatchObject({
			outcome: 'not_sent',
		});
	});

	it.each([
		[false, 'This item'],
		[true, 'This call'],
	])('is not sent again without a key (as a tool: %s)', async (isTool, subject) => {
		const execution = new Execution('endpoint: request', () => failed('unknown'));
		await execution.run([postOf('{}')], { isTool });
		const again = await execution.run([postOf('{}')], { isTool });
		expect(complaint(again)).toEqual({
			message: `${subject} was sent before in this execution, and its outcome is unknown: it may have been executed`,
			fix: ASK_FIX,
			outcome: 'unknown',
		});
		expect(execution.sent).toHaveLength(1);
	});

	it('keeps its outcome also when it is not sent again for another item', async () => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		await execution.run([transferOf('1'), transferOf('2')], { continueOnFail: true });
		const { results } = await execution.run([transferOf('1'), transferOf('x')]);
		expect(results[0]).toEqual({ kind: 'not sent', outcomeUnknown: true });
		const both = await execution.run([transferOf('x'), transferOf('x')]);
		expect(both.results[1]).toEqual({ kind: 'not sent', outcomeUnknown: true });
	});

	const get = { parameters: { method: 'GET', path: '/any', options: {} } };
	it.each([
		['a read', get],
		['a dry run', postOf('{}', { dryRun: true })],
	])('does not keep %s from its place, and is not forgotten for it', async (_name, item) => {
		const execution = new Execution('endpoint: request', () => failed('unknown'));
		await execution.run([postOf('{}')]);
		execution.service = () => answered();
		expect(kinds(await execution.run([item]))).toEqual(['done']);
		expect(complaint(await execution.run([postOf('{}')]))).toMatchObject({ fix: ASK_FIX });
	});

	it("stays open when n8n is stopped before the retry's first attempt", async () => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		await execution.run([transferOf('1')]);
		await execution.run([transferOf('1')], {
			client: { send: async () => ({ kind: 'stopped' }) },
		});
		expect(Object.values(execution.data.entries ?? {})).toEqual([
			expect.objectContaining({ state: 'unknown' }),
		]);
	});
});

it.each(['rejected', 'not_sent'] as const)(
	'what was %s may be followed by other values, and an unkeyed write is sent again',
	async (outcome) => {
		const transfer = new Execution('wallet: transfer', () => failed(outcome));
		await transfer.run([transferOf('1')]);
		transfer.service = () => answered();
		expect(kinds(await transfer.run([transferOf('2')]))).toEqual(['done']);
		const post = new Execution('endpoint: request', () => failed(outcome));
		await post.run([postOf('{}')]);
		post.service = () => answered();
		expect(kinds(await post.run([postOf('{}')]))).toEqual(['done']);
	},
);
