import {
	answered,
	cardOf,
	complaint,
	Database,
	Execution,
	failed,
	kinds,
	outputs,
	postOf,
	TO,
	transferOf,
	type More,
} from './batches.mts';

const options = { maximumAmount: '10', allowedRecipients: TO };
const tool = { isTool: true };
const call = (amount: string, more: object = {}) => [transferOf(amount, { ...options, ...more })];

describe("an agent's transfers", () => {
	it('one reference is one payment for all tools, and the second call reports it as repeated', async () => {
		const execution = new Execution('wallet: transfer');
		const [first] = outputs(await execution.run(call('5'), tool));
		const [again] = outputs(
			await execution.run(call('5.00', { reference: 'INV-5' }), {
				...tool,
				name: 'Other',
				round: 3,
			}),
		);
		expect(first?.[0]).not.toHaveProperty('repeated');
		expect(again).toEqual([{ ...first?.[0], repeated: true }]);
		expect(execution.sent).toHaveLength(1);
	});

	it('an unknown outcome is re-sent in the same execution within the window', async () => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		const first = await execution.run(call('5'), tool);
		expect(complaint(first)?.fix).toBe(
			'The money may have left. Call this tool again with the same values in this execution. Fix it.',
		);
		execution.service = () => answered();
		const [again] = outputs(await execution.run(call('5'), tool));
		expect(again).toMatchObject([{ status: 'SUCCESS' }]);
		expect(execution.sent).toMatchObject([{ outcomeUnknown: false }, { outcomeUnknown: true }]);
	});

	it('a retry of the agent returns their results in any order of calls', async () => {
		const execution = new Execution('wallet: transfer');
		for (const amount of ['1', '2']) await execution.run(call(amount), tool);
		for (const crashed of [false, true]) {
			const retry = execution.retried({ crashed });
			for (const amount of ['2', '1'])
				expect(kinds(await retry.run(call(amount), { ...tool, isRetry: true }))).toEqual(['done']);
			expect(retry.sent).toEqual([]);
		}
	});

	it('equal simultaneous calls are sent once', async () => {
		const execution = new Execution('wallet: transfer');
		const both = await Promise.all([1, 2].map(async () => await execution.run(call('5'), tool)));
		expect(both.flatMap(kinds)).toEqual(['done', 'failed']);
		expect(complaint(both[1]!)?.message).toContain('is being sent by another run at this moment');
		expect(execution.sent).toHaveLength(1);
	});

	it('equal simultaneous calls with two references are both sent, and a retry pays neither under a third', async () => {
		const execution = new Execution('wallet: transfer', (_work, before) =>
			before === 0 ? failed('rejected') : answered(),
		);
		const both = await Promise.all(
			['INV-1', 'INV-2'].map(
				async (reference) => await execution.run(call('5', { reference }), tool),
			),
		);
		expect(both.flatMap(({ outcomes }) => outcomes)).toEqual(['rejected', 'accepted']);
		const retry = execution.retried();
		const renamed = call('5', { reference: 'inv-2' });
		expect(complaint(await retry.run(renamed, { ...tool, isRetry: true }))).toEqual({
			message:
				'Payment Reference has changed since this execution was interrupted, or these are other items',
			fix: 'Find out what was paid, then start a new execution. Remove values that change over time, such as $now, from its fields.',
			outcome: 'unknown',
		});
		expect(retry.sent).toEqual([]);
	});

	it('a call is sent although a simultaneous call with the same values is refused', async () => {
		const execution = new Execution('wallet: transfer');
		const ended = await Promise.all([
			execution.run(call('5', { reference: 'INV-1' }), tool),
			execution.run(call('7', { reference: 'INV-1' }), tool),
			execution.run(call('7', { reference: 'INV-2' }), tool),
		]);
		expect(ended.flatMap(kinds)).toEqual(['done', 'failed', 'done']);
	});

	it('in a retry, an equal simultaneous call waits for the first', async () => {
		const retry = new Execution('wallet: transfer').retried();
		const [, second] = await Promise.all(
			['INV-1', 'INV-2'].map(
				async (reference) => await retry.run(call('5', { reference }), { ...tool, isRetry: true }),
			),
		);
		expect(complaint(second!)?.message).toContain('is being sent by another run at this moment');
		expect(retry.sent).toHaveLength(1);
	});

	it.each<[string, { reference: string }, string]>([
		['one reference', { reference: 'INV-1' }, '1'],
		['equal values', { reference: 'INV-2' }, '5'],
	])('two payments with %s are sent by two tools at once', async (_, more, amount) => {
		const execution = new Execution('wallet: transfer');
		const both = await Promise.all([
			execution.run(call('5', { reference: 'INV-1' }), tool),
			execution.run(call(amount, more), {
				...tool,
				name: 'Other',
				notes: new Database().forRun(),
			}),
		]);
		expect(both.flatMap(({ outcomes }) => outcomes)).toEqual(['accepted', 'accepted']);
	});

	describe('one payment by two tools at once', () => {
		const limited = (reference: string) => call('6', { reference, maximumTotal: '10' });
		const later = async () => await new Promise((resolve) => setTimeout(resolve, 20));
		/** A tool whose lookup takes long. */
		const slowTool = () => {
			const notes = new Database().forRun();
			const lookUpAndRecord = async (asked: string[]) => {
				await later();
				return await notes.lookUpAndRecord(asked);
			};
			return { ...tool, name: 'Other', notes: { ...notes, lookUpAndRecord } };
		};

		it('the payment is sent by the first tool, and counts for the limits of the other', async () => {
			const execution = new Execution('wallet: transfer');
			const other = { ...tool, name: 'Other', notes: new Database().forRun() };
			const both = await Promise.all([
				execution.run(limited('INV-1'), tool),
				execution.run(limited('INV-1'), other),
			]);
			expect(both.map(({ outcomes }) => outcomes[0])).toEqual(['accepted', 'unknown']);
			expect(complaint(both[1]!)?.message).toContain('is being sent by another run at this moment');
			const next = await execution.run(limited('INV-2'), other);
			expect(complaint(next)?.message).toContain('Maximum Total');
			expect(execution.sent).toHaveLength(1);
		});

		it('the payment is not sent again if the first tool has ended since the other read the journal', async () => {
			const execution = new Execution('wallet: transfer');
			const [, again] = await Promise.all([
				execution.run(limited('INV-1'), tool),
				execution.run(limited('INV-1'), slowTool()),
			]);
			expect(again.outcomes).toEqual(['unknown']);
			expect(execution.sent).toHaveLength(1);
		});

		it.each<[string, More]>([
			['was rejected', {}],
			['was stopped before it was sent', { client: { send: async () => ({ kind: 'stopped' }) } }],
		])('the other tool sends the payment if the first %s', async (_, first) => {
			const execution = new Execution('wallet: transfer', () => failed('rejected'));
			const [, other] = await Promise.all([
				execution.run(limited('INV-1'), { ...tool, ...first }),
				execution.run(limited('INV-1'), slowTool()),
			]);
			expect(other.outcomes).toEqual(['rejected']);
		});
	});

	it('a call that is not sent leaves no notes', async () => {
		const execution = new Execution('wallet: transfer');
		const stopped = { client: { send: async () => ({ kind: 'stopped' as const }) } };
		await execution.run(call('5'), { ...tool, ...stopped });
		await execution.run([...call('5'), ...call('x')], tool);
		expect(execution.entries).toEqual([]);
		expect(execution.database.notes).toEqual([]);
	});
});

describe("an agent's state changes", () => {
	it('each state change is sent with another key, in a retry too', async () => {
		const execution = new Execution('card: freeze', (_work, before) =>
			before === 1 ? failed('unknown') : answered(),
		);
		for (const more of [{}, {}, {}, { isRetry: true }]) {
			const ended = await execution.run([cardOf('c1')], { ...tool, ...more });
			expect(JSON.stringify(outputs(ended))).not.toContain('repeated');
		}
		expect(new Set(execution.keys).size).toBe(4);
		expect(execution.sent.map(({ outcomeUnknown }) => outcomeUnknown)).toEqual(
			Array(4).fill(false),
		);
	});
});

describe("an agent's unkeyed writes", () => {
	it('equal writes are sent once', async () => {
		const execution = new Execution('endpoint: request', () => answered({ n: 1 }));
		await execution.run([postOf('{"a":1}')], tool);
		const [again] = outputs(await execution.run([postOf('{"a":1}')], { ...tool, round: 1 }));
		expect(again).toEqual([{ outcome: 'done', n: 1, repeated: true }]);
		await execution.run([postOf('{"a":2}')], { ...tool, round: 2 });
		expect(execution.sent).toHaveLength(2);
	});

	it('an unknown outcome is not re-sent', async () => {
		const execution = new Execution('endpoint: request', () => failed('unknown'));
		await execution.run([postOf('{}')], tool);
		for (const crashed of [false, true]) {
			const retry = execution.retried({ crashed });
			const again = await retry.run([postOf('{}')], { ...tool, isRetry: true });
			expect(again.outcomes).toEqual(['unknown']);
			expect(retry.sent).toEqual([]);
		}
	});
});
