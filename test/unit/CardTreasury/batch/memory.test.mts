import { MAX_PAYMENTS } from '../../../../nodes/CardTreasury/batch/check.ts';
import {
	answered,
	complaint,
	documentOf,
	Execution,
	failed,
	HOUR_MS,
	kinds,
	outputs,
	postOf,
	transferOf,
	type More,
} from './batches.mts';

const RETRY: More = { isRetry: true };
const OPEN = 'Payment Reference was sent before: its outcome is open or FAILED';
const ADVICE =
	'The money may have left. Wait for the treasury.transfer event or ask the provider; only if it FAILED or was not executed, pay under a new reference, such as INV-1-2.';
const pay = (service?: () => ReturnType<typeof answered>) =>
	new Execution('wallet: transfer', service);
/** A run that ends with the process. */
const crash = async (execution: Execution, items = [transferOf('1')], more: More = {}) => {
	const never = { send: async () => await new Promise<never>(() => {}) };
	void execution.run(items, { ...more, client: never });
	for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
	execution.database.restart();
	return execution.retried({ crashed: true });
};

describe('accepted payment', () => {
	it('another execution reports an accepted payment as ALREADY_SENT', async () => {
		const first = pay();
		await first.run([transferOf('1')]);
		const second = first.another();
		const again = await second.run([transferOf('1')]);
		expect(second.sent).toEqual([]);
		expect(outputs(again)[0]).toEqual([
			{
				outcome: 'already_sent',
				status: 'ALREADY_SENT',
				transaction_hash: null,
				wallet_id: 'wal-1',
				to: expect.any(String),
				token_address: null,
				amount: '1',
				payment_reference: 'INV-1',
				idempotency_key: first.keys[0],
				trace_id: null,
			},
		]);
	});

	it('the same execution returns its earlier output', async () => {
		const execution = pay();
		const [first] = outputs(await execution.run([transferOf('1')]));
		for (const again of [execution, execution.retried()]) {
			const [output] = outputs(await again.run([transferOf('1')], RETRY));
			expect(output).toEqual([{ ...first?.[0], repeated: true }]);
		}
		expect(execution.sent).toHaveLength(1);
	});

	it('the payment is a new one at another service', async () => {
		const first = pay();
		await first.run([transferOf('1')]);
		const second = first.another();
		await second.run([transferOf('1')], { target: 'target-2' });
		expect(second.sent).toHaveLength(1);
		expect(second.keys).not.toEqual(first.keys);
	});
});

describe('payment with an unknown outcome', () => {
	const open = async (execution = pay(() => failed('unknown'))) => {
		await execution.run([transferOf('1')]);
		return execution;
	};

	it('a retry within the window re-sends it with its key', async () => {
		const execution = await open();
		const retry = execution.retried();
		retry.service = () => answered();
		const [output] = outputs(await retry.run([transferOf('1')], RETRY));
		expect(output).toMatchObject([{ status: 'SUCCESS' }]);
		expect(retry.keys).toEqual(execution.keys);
		expect(retry.sent).toMatchObject([
			{ outcomeUnknown: true, forgottenAt: execution.startedAt + 24 * HOUR_MS },
		]);
		const later = await retry.another().run([transferOf('1')]);
		expect(outputs(later)[0]).toMatchObject([{ status: 'ALREADY_SENT' }]);
	});

	it('a retry after a crash refuses what was in flight, because only the memory has a record of it', async () => {
		for (const more of [{}, { credential: 'key-2' }, { windowMs: 0 }]) {
			const retry = await crash(pay());
			expect(complaint(await retry.run([transferOf('1')], { ...RETRY, ...more }))).toMatchObject({
				message: OPEN,
				fix: expect.stringContaining(ADVICE),
				outcome: 'unknown',
			});
			expect(retry.sent).toEqual([]);
		}
	});

	it('a retry does not re-send it with another API key, by another node or at another host', async () => {
		const execution = await open();
		const retryWith = async (more: More) => {
			const retry = execution.retried();
			const ended = await retry.run([transferOf('1')], { ...RETRY, ...more });
			expect([retry.sent, ended.outcomes]).toEqual([[], ['unknown']]);
			return complaint(ended)?.message;
		};
		expect(await retryWith({ credential: 'key-2' })).toBe(
			'This item may have been executed earlier in this execution with another API key',
		);
		expect(await retryWith({ target: 'target-2' })).toBe(
			'This item may have been executed earlier in this execution with another host',
		);
		// A copy of the node has no notes, so the payment may have been paid by a retry of the original node.
		expect(await retryWith({ node: 'node-2' })).toBe(OPEN);
	});

	it.each<[string, More, number]>([
		['the window is not known', { windowMs: 0 }, 0],
		['the window is over', {}, 24 * HOUR_MS],
	])('a retry does not re-send it if %s', async (_, more, passed) => {
		const execution = await open();
		const retry = execution.retried();
		retry.now += passed;
		expect(complaint(await retry.run([transferOf('1')], { ...RETRY, ...more }))).toMatchObject({
			message: 'Payment Reference was sent before, and its outcome is unknown',
			fix: expect.stringMatching(/such as INV-1-2\. .*Idempotency Window/),
			outcome: 'unknown',
		});
		expect(retry.sent).toEqual([]);
	});

	it('another execution refuses a payment with an unknown outcome', async () => {
		const execution = await open();
		const other = execution.another();
		expect(complaint(await other.run([transferOf('1')]))).toEqual({
			message: OPEN,
			fix: `${ADVICE} Retry helps only in the execution that sent it, if that one failed and was not killed.`,
			outcome: 'unknown',
		});
		expect(complaint(await other.run([transferOf('1')], { windowMs: 0 }))?.fix).toBe(ADVICE);
		const several = await other.run([transferOf('1'), transferOf('2')], { windowMs: 0 });
		expect(complaint(several)?.fix).toBe(`${ADVICE} On Error: Continue sends the others.`);
		expect(other.sent).toEqual([]);
		// The refusal has left nothing behind.
		const retry = execution.retried();
		expect(kinds(await retry.run([transferOf('1')], RETRY))).toEqual(['failed']);
		expect(retry.sent).toHaveLength(1);
	});

	it("a retry of another execution refuses an unknown payment, even within that execution's window", async () => {
		const execution = await open();
		const other = execution.another(execution.startedAt + 20 * HOUR_MS);
		other.now += 25 * HOUR_MS;
		await other.run([transferOf('1')]);
		const retry = other.retried();
		expect(complaint(await retry.run([transferOf('1')], RETRY))?.message).toBe(OPEN);
		expect(retry.sent).toEqual([]);
	});

	it('the payment stays unknown if its re-send is rejected or not sent', async () => {
		for (const outcome of ['rejected', 'not_sent'] as const) {
			const execution = await open();
			const retry = execution.retried();
			retry.service = () => failed(outcome);
			expect((await retry.run([transferOf('1')], RETRY)).outcomes).toEqual(['unknown']);
			const other = execution.another();
			expect((await other.run([transferOf('1')])).outcomes).toEqual(['unknown']);
			expect(other.sent).toEqual([]);
		}
	});
});

describe('payment that was rejected or not sent', () => {
	it.each(['rejected', 'not_sent'] as const)(
		'the reference can be used again if it is %s',
		async (outcome) => {
			const first = pay(() => failed(outcome));
			await first.run([transferOf('1', { reference: 'INV-7' })]);
			expect(first.database.notes).toEqual([]);
			for (const next of [first.another(), first.retried(), first.retried({ crashed: true })]) {
				next.service = () => failed(outcome);
				await next.run([transferOf('2', { reference: 'INV-7' })], RETRY);
				expect(next.sent).toHaveLength(1);
			}
		},
	);

	it('the advice mentions that the service may have stored a rejection under its key', async () => {
		const execution = pay(() => failed('rejected'));
		expect(complaint(await execution.run([transferOf('1')]))?.fix).toBe(
			'Fix it. It was not executed. If it is rejected again although the cause is gone, the service may have kept the rejection under its key: then pay under a new reference, such as INV-1-2.',
		);
	});
});

describe('payment that came back FAILED', () => {
	const FAILED = { status: 'FAILED', transaction_hash: '0xf' };
	const FAILED_ADVICE =
		'Correct the cause, then pay under a new reference, such as INV-1-2 in a new execution: this one is not sent again.';

	it("the payment is a failed item with the service's reply", async () => {
		const execution = pay(() => answered(FAILED));
		const ended = await execution.run([transferOf('1')], { continueOnFail: true });
		expect(complaint(ended)).toEqual({
			message: 'The service accepted the transfer, and it FAILED',
			fix: FAILED_ADVICE,
			outcome: 'failed',
		});
		expect(ended.results[0]).toMatchObject({
			subject: { status: 'FAILED', transaction_hash: '0xf', payment_reference: 'INV-1' },
		});
	});

	it('the payment fails again in a retry, and another execution refuses it', async () => {
		const execution = pay(() => answered(FAILED));
		await execution.run([transferOf('1')]);
		const retry = execution.retried();
		expect(complaint(await retry.run([transferOf('1')], RETRY))).toEqual({
			message: 'This item came back FAILED earlier in this execution',
			fix: FAILED_ADVICE,
			outcome: 'failed',
		});
		const other = execution.another();
		expect(complaint(await other.run([transferOf('1')]))?.message).toContain('open or FAILED');
		expect([retry.sent, other.sent]).toEqual([[], []]);
	});

	it("an endpoint's answer with this status is returned unchanged", async () => {
		const execution = new Execution('endpoint: request', () => answered(FAILED));
		expect(kinds(await execution.run([postOf('{}', { idempotencyKey: 'k' })]))).toEqual(['done']);
	});
});

describe('Once per Day', () => {
	const daily = (amount: string) => [transferOf(amount, { oncePerDay: true })];

	it('a second transfer is ALREADY_SENT, whatever its amount', async () => {
		const first = pay();
		await first.run(daily('1'));
		const second = first.another();
		expect(outputs(await second.run(daily('1')))[0]).toMatchObject([
			{ status: 'ALREADY_SENT', amount: '1', idempotency_key: first.keys[0] },
		]);
		expect(outputs(await second.run(daily('2')))[0]).toMatchObject([
			{ status: 'ALREADY_SENT', amount: null, idempotency_key: null },
		]);
		expect(second.sent).toEqual([]);
	});

	it('a transfer on another day is sent', async () => {
		const first = pay();
		await first.run(daily('1'));
		const next = first.another(first.startedAt + 48 * HOUR_MS);
		await next.run(daily('1'));
		expect(next.sent).toHaveLength(1);
	});

	it('a second transfer is refused while the first is open', async () => {
		const first = pay(() => failed('unknown'));
		await first.run(daily('1'));
		const second = first.another();
		expect(complaint(await second.run(daily('2')))).toMatchObject({
			message: 'This payment was sent before: its outcome is open or FAILED',
			outcome: 'unknown',
		});
		expect(complaint(await second.run(daily('1')))).toMatchObject({
			message: 'This payment was sent before: its outcome is open or FAILED',
			outcome: 'unknown',
		});
	});
});

describe('unnamed write', () => {
	it.each([
		['endpoint: request', postOf('{}')],
		['productRequest: submitDocument', documentOf('pr-1')],
	])('the write is not re-sent while its outcome is unknown: %s', async (name, item) => {
		for (const crashed of [true, false]) {
			const sending = new Execution(name, ({ request }) =>
				request.method === 'GET'
					? answered([{ id: 'pr-1', status: 'pending_documentation' }])
					: failed('unknown'),
			);
			await sending.run([item]);
			const retry = sending.retried({ crashed });
			expect(complaint(await retry.run([item], RETRY))).toEqual({
				message: 'This item was sent before, and its outcome is unknown',
				fix: 'It may have been executed. Ask the provider whether it was executed before you send it again.',
				outcome: 'unknown',
			});
			expect(retry.sent.filter(({ request }) => request.method !== 'GET')).toEqual([]);
		}
	});

	it('a retry after a crash refuses it with other values, because it may be the same item', async () => {
		const sending = new Execution('endpoint: request', () => failed('unknown'));
		await sending.run([postOf('{"at":1}')]);
		const retry = sending.retried({ crashed: true });
		expect(complaint(await retry.run([postOf('{"at":2}')], RETRY))).toMatchObject({
			message:
				'This item has changed since this execution was interrupted, or these are other items',
			fix: 'Find out what was paid, then start a new execution. Remove values that change over time, such as $now, from its fields.',
			outcome: 'unknown',
		});
	});

	it('after a crash, the retry sends the equal write of a later iteration of a loop', async () => {
		const item = postOf('{"n":1}');
		const sending = new Execution('endpoint: request');
		await sending.run([item]);
		const retry = sending.retried({ crashed: true });
		expect(outputs(await retry.run([item], RETRY))).toEqual([
			[{ outcome: 'already_sent', status: 'ALREADY_SENT' }],
		]);
		expect(kinds(await retry.run([item], { ...RETRY, round: 1 }))).toEqual(['done']);
		expect(retry.sent).toHaveLength(1);
	});
});

describe('invalid item in a retry', () => {
	it('the item counts as not sent by this run after a crash', async () => {
		const retry = await crash(pay());
		expect((await retry.run([transferOf('x')], RETRY)).outcomes).toEqual(['not_sent']);
	});

	it('the item counts as not sent if it never was, and leaves no notes', async () => {
		const execution = pay();
		await execution.run([transferOf('x')]);
		const retry = execution.retried();
		expect((await retry.run([transferOf('x')], RETRY)).outcomes).toEqual(['not_sent']);
		expect(execution.database.notes).toEqual([]);
		expect(kinds(await retry.retried().run([transferOf('1')], RETRY))).toEqual(['done']);
	});

	it('the other items are not sent, and keep their outcomes', async () => {
		const execution = pay();
		const retry = await crash(execution, [transferOf('1'), transferOf('2')]);
		const items = [transferOf('1'), transferOf('2'), transferOf('x')];
		expect((await retry.run(items, RETRY)).outcomes).toEqual(['unknown', 'unknown', 'not_sent']);
		expect(retry.sent).toEqual([]);
	});
});

describe('repeated fixes and retries', () => {
	it('a second retry of the original sends nothing twice', async () => {
		const first = pay();
		first.service = (_work, before) => (before === 0 ? answered() : failed('rejected'));
		const items = [transferOf('1'), transferOf('2')];
		await first.run(items);
		const one = first.retried();
		one.service = () => answered();
		await one.run(items, RETRY);
		const two = first.retried();
		two.service = () => answered();
		const again = await two.run(items, RETRY);
		expect(outputs(again)).toMatchObject([[{ repeated: true }], [{ status: 'ALREADY_SENT' }]]);
		expect([one.sent, two.sent].map(({ length }) => length)).toEqual([1, 0]);
	});
});

describe('simultaneous runs', () => {
	it('one payment is sent once, and the other run reports that it is being sent', async () => {
		const first = pay();
		const second = first.another();
		const [one, two] = await Promise.all([
			first.run([transferOf('1')]),
			second.run([transferOf('1')]),
		]);
		expect(kinds(one)).toEqual(['done']);
		expect(complaint(two)).toEqual({
			message: 'Payment Reference is being sent by another run at this moment',
			fix: 'Wait for its end, then look at its result.',
			outcome: 'unknown',
		});
		expect(second.sent).toEqual([]);
		expect(outputs(await second.run([transferOf('1')]))[0]).toMatchObject([
			{ status: 'ALREADY_SENT' },
		]);
	});

	it('different payments are both sent, even if the runs start in the same millisecond', async () => {
		const first = pay();
		const all = await Promise.all([
			first.run([transferOf('1')]),
			first.another().run([transferOf('2')]),
			first.another(first.startedAt).run([transferOf('3')]),
		]);
		expect(all.flatMap(kinds)).toEqual(['done', 'done', 'done']);
	});
});

describe('database failure', () => {
	const MESSAGE = "Nothing was sent: n8n's database did not record the payments";
	const failing = (calls: number[], when: 'after' | 'before') => {
		const execution = pay();
		execution.database.fails = (call, moment) => calls.includes(call) && moment === when;
		return execution;
	};

	it.each(['before', 'after'] as const)(
		'nothing is sent if the database fails %s recording',
		async (when) => {
			const execution = failing([0], when);
			expect(complaint(await execution.run([transferOf('1')]))).toEqual({
				message: MESSAGE,
				fix: 'Run it again when the database works. If this message stays although it works, restart n8n while no payments run.',
				outcome: 'not_sent',
			});
			const retry = failing([0], when);
			expect(complaint(await retry.run([transferOf('1')], RETRY))).toEqual({
				message: MESSAGE,
				fix: 'Retry when the database works. If this message stays although it works, restart n8n while no payments run.',
				outcome: 'unknown',
			});
			expect([execution.sent, retry.sent]).toEqual([[], []]);
		},
	);

	it('an accepted payment is refused as open if it happens after sending', async () => {
		const execution = failing([1], 'before');
		expect(kinds(await execution.run([transferOf('1')]))).toEqual(['done']);
		const other = execution.another();
		expect((await other.run([transferOf('1')])).outcomes).toEqual(['unknown']);
		expect(other.sent).toEqual([]);
	});

	it('a known payment is refused as open if it happens at the second lookup, and a new one is free again', async () => {
		const execution = pay();
		await execution.run([transferOf('1')]);
		const { calls } = execution.database;
		const failsAt = calls.length + 1;
		execution.database.fails = (call) => call === failsAt;
		const both = [transferOf('1'), transferOf('2')];
		const other = execution.another();
		expect(complaint(await other.run(both))).toMatchObject({
			message: MESSAGE,
			outcome: 'not_sent',
		});
		const next = await other.run(both, { continueOnFail: true });
		expect(next.outcomes).toEqual(['unknown', 'accepted']);
	});
});

it('a part calls the database three times: before sending, and twice after the last answer', async () => {
	const execution = pay();
	await execution.run(Array.from({ length: 25 }, (_, at) => transferOf(`${at + 1}`)));
	expect(execution.database.calls.filter((call) => call === 'record')).toHaveLength(6);
	expect(execution.database.calls.filter((call) => call === 'remove')).toHaveLength(3);
	// A note for each of three parts, and two for each payment.
	expect(execution.database.notes).toHaveLength(53);
});

it('a run with more payments than n8n remembers is refused, in a dry run too', async () => {
	for (const dryRun of [false, true]) {
		const execution = pay();
		const items = Array.from({ length: MAX_PAYMENTS + 1 }, (_, index) =>
			transferOf(`${index + 1}`, { dryRun }),
		);
		expect(complaint(await execution.run(items))).toEqual({
			message: 'This run has 5001 payments, and n8n remembers at most 5000 of one run',
			fix: 'Split the items, for example with a Loop Over Items node.',
			outcome: 'not_sent',
		});
		expect([execution.sent, execution.database.calls]).toEqual([[], []]);
	}
});

it('a payment without a memory is sent with the same key', async () => {
	const first = pay();
	await first.run([transferOf('1')], { notes: undefined });
	const second = first.another();
	await second.run([transferOf('1')], { notes: undefined });
	expect(second.keys).toEqual(first.keys);
	expect(second.sent).toMatchObject([{ outcomeUnknown: false }]);
});

it('a payment without an execution is recognized, but cannot be re-sent', async () => {
	const outside: More = { isTool: true, hasExecution: false, resend: undefined };
	const call = pay(() => failed('unknown'));
	await call.run([transferOf('1')], outside);
	const again = await call.another().run([transferOf('1')], outside);
	expect(complaint(again)?.message).toContain('its outcome is open or FAILED');
});
