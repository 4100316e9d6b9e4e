import {
	answered,
	complaint,
	Execution,
	failed,
	HOUR_MS,
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

	it('stays done when the retry is refused before sending', async () => {
		const execution = new Execution('wallet: transfer', (_work, before) =>
			before === 1 ? failed('unknown') : answered(),
		);
		await execution.run([transferOf('1'), transferOf('2'), transferOf('3')]);
		const refused = await execution.run([transferOf('1'), transferOf('2'), transferOf('x')]);
		expect(kinds(refused)).toEqual(['not sent', 'not sent', 'failed']);
		expect(refused.outcomes).toEqual(['accepted', 'unknown', 'accepted']);
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
			outcome: 'accepted',
		});
		expect(execution.sent).toHaveLength(2);
	});
});

describe('what may have been executed', () => {
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
		['another key of the user', { idempotencyKey: 'a' }, { idempotencyKey: 'b' }],
		['a key of the user', {}, { idempotencyKey: 'b' }],
	])('is not sent again with %s', async (_name, before, now) => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		await execution.run([transferOf('1', before)]);
		const again = await execution.run([transferOf('1', now)]);
		expect(complaint(again)).toEqual({
			message:
				'Idempotency Key differs from the key that this item was sent with earlier in this execution, and the outcome is unknown: it may have been executed',
			fix: `Set Idempotency Key to ${execution.keys[0]} to send the same work again, or ask the provider whether it was executed.`,
			outcome: 'unknown',
		});
		expect(execution.sent).toHaveLength(1);
	});

	it('is sent again under the key that was sent when the own key was removed', async () => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		await execution.run([transferOf('1', { idempotencyKey: 'a' })]);
		await execution.run([transferOf('1')]);
		expect(execution.keys).toEqual(['a', 'a']);
		expect(execution.sent[1]).toMatchObject({
			outcomeUnknown: true,
			profile: { recovery: 'retry' },
		});
	});

	it('is not followed by another request with another key of the user', async () => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		await execution.run([transferOf('1', { idempotencyKey: 'a' })]);
		const changed = await execution.run([transferOf('2', { idempotencyKey: 'b' })]);
		expect(complaint(changed)).toMatchObject({ fix: NOW_FIX, outcome: 'unknown' });
		const sameKey = await execution.run([transferOf('2', { idempotencyKey: 'a' })]);
		expect(complaint(sameKey)).toMatchObject({ fix: NOW_FIX, outcome: 'unknown' });
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
		for (const items of [
			[transferOf('1'), transferOf('x')],
			[transferOf('x'), transferOf('x')],
		]) {
			expect((await execution.run(items)).outcomes).toEqual(['unknown', 'unknown']);
		}
	});

	it('does not keep a read from its place, and is not forgotten for it', async () => {
		const execution = new Execution('endpoint: request', () => failed('unknown'));
		await execution.run([postOf('{}')]);
		execution.service = () => answered();
		const get = { parameters: { method: 'GET', path: '/any', options: {} } };
		expect(kinds(await execution.run([get]))).toEqual(['done']);
		expect(complaint(await execution.run([postOf('{}')]))).toMatchObject({ fix: ASK_FIX });
	});

	it("stays open when n8n is stopped before the retry's first attempt", async () => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		await execution.run([transferOf('1')]);
		await execution.run([transferOf('1')], {
			client: { send: async () => ({ kind: 'stopped' }) },
		});
		expect(execution.entries).toMatchObject([{ outcome: 'unknown' }]);
	});
});

describe('with another credential', () => {
	const RESTORE =
		'Restore that credential and retry, or start a new execution for what is still to be done.';

	it.each([
		['accepted', answered(), 'was executed'],
		['unknown', failed('unknown'), 'may have been executed'],
	])('what is %s is neither shown nor sent', async (outcome, result, was) => {
		for (const isTool of [false, true]) {
			const execution = new Execution('wallet: transfer', () => result);
			const items = [transferOf('1', { maximumAmount: '9' })];
			await execution.run(items, { isTool });
			execution.target = 'target-2';
			expect(complaint(await execution.run(items, { isTool }))).toEqual({
				message: `This ${isTool ? 'call' : 'item'} ${was} earlier in this execution with another credential: its environment, host or API key was different`,
				fix: RESTORE,
				outcome,
			});
			expect(execution.sent).toHaveLength(1);
		}
	});

	it('what was rejected is sent', async () => {
		const execution = new Execution('wallet: transfer', () => failed('rejected'));
		await execution.run([transferOf('1')]);
		execution.target = 'target-2';
		await execution.run([transferOf('1')]);
		expect(execution.entries).toMatchObject([{ outcome: 'rejected', target: 'target-2' }]);
		expect(execution.sent).toHaveLength(2);
	});
});

describe('the Idempotency Window', () => {
	const runAfter = async (ms: number, options: object = {}, first = failed('unknown')) => {
		const execution = new Execution('wallet: transfer', () => first);
		await execution.run([transferOf('1')]);
		execution.now += ms;
		return { execution, again: await execution.run([transferOf('1', options)]) };
	};

	it('ends the repetition of what may have been executed', async () => {
		const { execution, again } = await runAfter(24 * HOUR_MS);
		expect(complaint(again)).toEqual({
			message:
				'This item may have been executed more than 24 hours ago, and the service may have forgotten its idempotency key since',
			fix: 'Ask the provider whether it was executed. If it was not, start a new execution for it, with an Idempotency Key of your own. That time is the Idempotency Window in the credential.',
			outcome: 'unknown',
		});
		expect(execution.sent).toHaveLength(1);
	});

	it('begins when it was first sent, and the client is told when it ends', async () => {
		const { execution } = await runAfter(24 * HOUR_MS - 1);
		expect(execution.sent.map(({ forgottenAt }) => forgottenAt)).toEqual([
			1_000 + 24 * HOUR_MS,
			1_000 + 24 * HOUR_MS,
		]);
		expect(execution.entries).toMatchObject([{ sentAt: 1_000 }]);
		execution.now += 1;
		expect(kinds(await execution.run([transferOf('1')]))).toEqual(['failed']);
		expect(execution.sent).toHaveLength(2);
	});

	it('says nothing of what was accepted or rejected, nor of a dry run', async () => {
		const accepted = await runAfter(48 * HOUR_MS, {}, answered());
		expect([kinds(accepted.again), accepted.execution.sent.length]).toEqual([['done'], 1]);
		const rejected = await runAfter(48 * HOUR_MS, {}, failed('rejected'));
		expect(rejected.execution.entries).toMatchObject([{ sentAt: 1_000 + 48 * HOUR_MS }]);
		const dry = await runAfter(48 * HOUR_MS, { dryRun: true });
		expect([kinds(dry.again), dry.execution.sent.length]).toEqual([['done'], 1]);
	});
});

it.each([
	['accepted', answered(), 'was executed'],
	['unknown', failed('unknown'), 'may have been executed'],
])('a dry run over what is %s, with other values, is refused too', async (outcome, first, was) => {
	const execution = new Execution('wallet: transfer', () => first);
	await execution.run([transferOf('1')]);
	expect(complaint(await execution.run([transferOf('2', { dryRun: true })]))).toMatchObject({
		message: `This item ${was} earlier in this execution, with other values`,
		outcome,
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
