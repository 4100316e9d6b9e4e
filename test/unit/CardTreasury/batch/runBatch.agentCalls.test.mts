import type { RequestResult } from '../../../../nodes/CardTreasury/request/client.ts';
import { operationOf } from '../operations/reading.mts';
import {
	answered,
	cardOf,
	complaint,
	Execution,
	failed,
	HOUR_MS,
	outputs,
	postOf,
	TO,
	transferOf,
} from './batches.mts';

describe("an agent's calls", () => {
	const options = { maximumAmount: '10', allowMissingChecksum: true };
	const tool = { isTool: true };

	it('are one transfer when equal, wherever they stand, and the second says so', async () => {
		const execution = new Execution('wallet: transfer');
		const first = await execution.run([transferOf('5', options)], tool);
		const second = await execution.run([transferOf('4', options), transferOf('5', options)], tool);
		expect(outputs(first)[0]).toEqual([expect.not.objectContaining({ repeated: true })]);
		expect(outputs(second)).toEqual([
			[expect.not.objectContaining({ repeated: true })],
			[{ ...outputs(first)[0]?.[0], repeated: true }],
		]);
		expect(execution.sent).toHaveLength(2);
	});

	it.each([
		['the amount', { amount: '5.00' }],
		['the recipient', { to: TO.toLowerCase() }],
	])('are one transfer however %s is written', async (_name, written) => {
		const execution = new Execution('wallet: transfer');
		await execution.run([transferOf('5', options)], tool);
		const call = transferOf('5', options);
		const again = await execution.run(
			[{ ...call, parameters: { ...call.parameters, ...written } }],
			tool,
		);
		expect(outputs(again)[0]).toEqual([expect.objectContaining({ repeated: true })]);
		expect(execution.sent).toHaveLength(1);
	});

	it('without a key are not sent again while their outcome is unknown, however their JSON is written', async () => {
		const execution = new Execution('endpoint: request', () => failed('unknown'));
		await execution.run([postOf('{"a":[{"c":1.5,"b":2}],"d":12345678901234567890}')], tool);
		const again = postOf('{ "d": 12345678901234567890, "a": [{ "b": 2, "c": 1.50 }] }');
		expect(complaint(await execution.run([again], tool))).toMatchObject({ outcome: 'unknown' });
		expect(execution.sent).toHaveLength(1);
		await execution.run([postOf('{"a":[{"c":1.5,"b":2}],"d":12345678901234567891}')], tool);
		expect(execution.sent).toHaveLength(2);
	});

	it('are refused with other values under a key that was sent', async () => {
		const execution = new Execution('wallet: transfer');
		const call = (amount: string) =>
			execution.run([transferOf(amount, { ...options, idempotencyKey: 'invoice-7' })], tool);
		await call('5');
		expect(complaint(await call('4'))).toMatchObject({
			message: 'This call was executed earlier in this execution, with other values',
			outcome: 'accepted',
		});
		expect(execution.sent).toHaveLength(1);
	});

	it('say that a transfer is repeated also when only the second got an answer', async () => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		await execution.run([transferOf('5', options)], tool);
		execution.service = () => answered();
		const second = await execution.run([transferOf('5', options)], tool);
		expect(outputs(second)[0]).toEqual([expect.objectContaining({ repeated: true })]);
		expect(new Set(execution.keys).size).toBe(1);
	});

	it('are no repetition when the first was rejected', async () => {
		const execution = new Execution('wallet: transfer', () => failed('rejected'));
		await execution.run([transferOf('5', options)], tool);
		execution.service = () => answered();
		const second = await execution.run([transferOf('5', options)], tool);
		expect(outputs(second)[0]).toEqual([expect.not.objectContaining({ repeated: true })]);
	});

	it('that a guard refuses now keep what became of the transfer', async () => {
		const execution = new Execution('wallet: transfer');
		await execution.run([transferOf('5', options)], tool);
		const refused = await execution.run([transferOf('5', { maximumAmount: '4' })], tool);
		expect(complaint(refused)).toMatchObject({
			message: 'Amount is 5, above the Maximum Amount of 4',
			outcome: 'accepted',
		});
	});

	it.each([
		[true, 'unknown'],
		[false, 'not_sent'],
	])('that cannot be read may be one that was sent, in a retry: %s', async (isRetry, outcome) => {
		const execution = new Execution('wallet: transfer');
		await execution.run([transferOf('5', options)], tool);
		const refused = await execution.run([transferOf('5', { maximumAmount: '' })], {
			...tool,
			isRetry,
		});
		expect(complaint(refused)).toMatchObject({ outcome });
	});

	it('that change a state are sent each time, and none is a repetition', async () => {
		const execution = new Execution('card: freeze');
		for (let call = 0; call < 2; call++) {
			const [output] = outputs(await execution.run([cardOf('c1')], tool));
			expect(output).toEqual([expect.not.objectContaining({ repeated: true })]);
		}
		expect(execution.sent).toHaveLength(2);
	});

	it('of one transfer may all end without an answer', async () => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		await execution.run([transferOf('5', options)], tool);
		const second = await execution.run([transferOf('5', options)], tool);
		expect(complaint(second)).toMatchObject({ outcome: 'unknown' });
	});

	it('are new work after a definite answer when they change a state', async () => {
		const execution = new Execution('card: freeze');
		await execution.run([cardOf('c1')], tool);
		await execution.run([cardOf('c1')], tool);
		expect(new Set(execution.keys).size).toBe(2);
	});

	it('are the same work while the outcome is unknown', async () => {
		const execution = new Execution('card: freeze', () => failed('unknown'));
		await execution.run([cardOf('c1')], tool);
		await execution.run([cardOf('c1')], tool);
		await execution.run([cardOf('c2')], tool);
		expect(execution.keys[1]).toBe(execution.keys[0]);
		expect(execution.keys[2]).not.toBe(execution.keys[0]);
	});

	it('are new work too when the state was changed in between, whatever the first came to', async () => {
		const execution = new Execution('card: freeze', (_work, before) =>
			before === 0 ? failed('unknown') : before === 1 ? answered() : failed('rejected'),
		);
		await execution.run([cardOf('c1')], tool);
		await execution.run([cardOf('c1')], { ...tool, operation: operationOf('card: unfreeze') });
		execution.now += 25 * HOUR_MS;
		const { outcomes } = await execution.run([cardOf('c1')], tool);
		expect(outcomes).toEqual(['rejected']);
		expect(new Set(execution.keys).size).toBe(3);
		expect(execution.sent[2]).toMatchObject({
			outcomeUnknown: false,
			forgottenAt: execution.now + 24 * HOUR_MS,
		});
	});

	describe('with keys of their own', () => {
		const paying = (execution: Execution, idempotencyKey: string, node = 'Node', round = 0) =>
			execution.run([transferOf('5', { ...options, idempotencyKey })], { ...tool, node, round });

		it.each(['accepted', 'unknown'] as const)(
			'are two payments under two keys, though equal and the first is %s',
			async (outcome) => {
				const execution = new Execution('wallet: transfer', () =>
					outcome === 'accepted' ? answered() : failed(outcome),
				);
				await paying(execution, 'invoice-0');
				execution.service = () => answered();
				const [output] = outputs(await paying(execution, 'invoice-1'));
				expect(output).toEqual([expect.not.objectContaining({ repeated: true })]);
				expect(execution.keys).toEqual(['invoice-0', 'invoice-1']);
			},
		);

		it('are one payment under one key, wherever the tool stands', async () => {
			const execution = new Execution('wallet: transfer');
			const [first] = outputs(await paying(execution, 'invoice-0'));
			const [again] = outputs(await paying(execution, 'invoice-0', 'Other', 3));
			expect(again).toEqual([{ ...first?.[0], repeated: true }]);
			expect(execution.keys).toEqual(['invoice-0']);
		});

		it('are one payment too while its outcome is unknown', async () => {
			const execution = new Execution('wallet: transfer', () => failed('unknown'));
			await paying(execution, 'invoice-0');
			execution.service = () => answered();
			const [again] = outputs(await paying(execution, 'invoice-0'));
			expect(again).toEqual([expect.objectContaining({ repeated: true })]);
			expect(execution.keys).toEqual(['invoice-0', 'invoice-0']);
			expect(execution.sent[1]).toMatchObject({ outcomeUnknown: true });
		});

		it('are one state change under one key, and another under another', async () => {
			const execution = new Execution('card: freeze');
			for (const idempotencyKey of ['a', 'a', 'b']) {
				await execution.run([cardOf('c1', { idempotencyKey })], tool);
			}
			expect(execution.keys).toEqual(['a', 'b']);
		});

		it('that a node of the workflow has used are refused', async () => {
			const execution = new Execution('wallet: transfer');
			await execution.run([transferOf('5', { idempotencyKey: 'invoice-0' })]);
			expect(complaint(await paying(execution, 'invoice-0'))?.message).toContain(
				'Idempotency Key was used earlier in this execution for an equal request',
			);
		});
	});

	describe('at the same moment', () => {
		const answering = (turns: number, result: RequestResult) => async () => {
			for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
			return result;
		};
		/** Of the database, before the first write. */
		const slowNote = () => {
			let endNote = () => {};
			const noted = new Promise<void>((resolve) => {
				endNote = resolve;
			});
			const begin = async () => await noted.then(() => ({ kind: 'first' as const }));
			return { begin, endNote: () => endNote() };
		};

		it('are one transfer when equal: both send its key, and one says so', async () => {
			const execution = new Execution('wallet: transfer');
			const both = await Promise.all(
				[1, 2].map(async () => await execution.run([transferOf('5', options)], tool)),
			);
			expect(
				both
					.flatMap(outputs)
					.flat()
					.map(({ repeated }) => repeated),
			).toEqual([undefined, true]);
			expect(new Set(execution.keys).size).toBe(1);
		});

		it('are accepted once one is: what another tells later does not take it back', async () => {
			const execution = new Execution('wallet: transfer');
			await Promise.all(
				[answering(1, answered()), answering(2, failed('unknown'))].map(
					async (send) =>
						await execution.run([transferOf('5', options)], { ...tool, client: { send } }),
				),
			);
			expect(execution.entries).toMatchObject([{ outcome: 'accepted' }]);
		});

		it('are not sent again once one is accepted, and none is told otherwise', async () => {
			const execution = new Execution('wallet: transfer');
			const { begin, endNote } = slowNote();
			const [fast, slow] = [{}, { begin }].map(
				async (more) => await execution.run([transferOf('5', options)], { ...tool, ...more }),
			);
			const [first] = outputs(await fast!);
			execution.service = () => failed('rejected');
			endNote();
			expect(outputs(await slow!)).toEqual([[{ ...first?.[0], repeated: true }]]);
			expect(execution.entries).toMatchObject([{ outcome: 'accepted' }]);
			expect(execution.sent).toHaveLength(1);
		});

		it('may have been executed though one was rejected, while the other has no answer', async () => {
			const execution = new Execution('wallet: transfer');
			await Promise.all(
				[answering(2, failed('rejected')), answering(1, failed('unknown'))].map(
					async (send) =>
						await execution.run([transferOf('5', options)], { ...tool, client: { send } }),
				),
			);
			expect(execution.entries).toMatchObject([{ outcome: 'unknown' }]);
		});

		it.each([
			['a dry run of the same', { dryRun: true }, {}],
			['another amount under its key', {}, { amount: '4' }],
		])('are within the limit of all, though %s ends first', async (_name, more, changed) => {
			const limited = { ...options, maximumTotal: '9', idempotencyKey: 'invoice-7' };
			const execution = new Execution('wallet: transfer');
			const { begin, endNote } = slowNote();
			const slow = execution.run([transferOf('5', limited)], { ...tool, begin });
			await new Promise(setImmediate);
			const { parameters } = transferOf('5', { ...limited, ...more });
			await execution.run([{ parameters: { ...parameters, ...changed } }], tool);
			const other = await execution.run(
				[transferOf('5', { ...limited, idempotencyKey: 'invoice-8' })],
				tool,
			);
			endNote();
			await slow;
			expect(complaint(other)?.message).toContain('Maximum Total is 9');
			expect(execution.keys).toEqual(['invoice-7']);
		});

		it('are sent once without a key: the other is refused until there is an answer', async () => {
			const execution = new Execution('endpoint: request');
			const send = jest.fn(answering(1, answered()));
			const ask = async () =>
				await execution.run([postOf('{"a":1}')], { ...tool, client: { send } });
			// After an answer it is new work, and again once.
			for (const sent of [1, 2]) {
				const both = await Promise.all([ask(), ask()]);
				expect(both.map(({ outcomes }) => outcomes)).toEqual([['accepted'], ['unknown']]);
				expect(complaint(both[1]!)?.message).toContain('may have been executed');
				expect(send).toHaveBeenCalledTimes(sent);
			}
		});

		it('are one state change when equal', async () => {
			const execution = new Execution('card: freeze');
			await Promise.all([1, 2].map(async () => await execution.run([cardOf('c1')], tool)));
			expect(new Set(execution.keys).size).toBe(1);
		});
	});

	it('that are not sent leave nothing behind', async () => {
		const execution = new Execution('wallet: transfer');
		const stopped = { client: { send: async () => ({ kind: 'stopped' as const }) } };
		await execution.run([transferOf('5', options)], { ...tool, ...stopped });
		await execution.run([transferOf('5', options), transferOf('x', options)], tool);
		expect(execution.entries).toEqual([]);
	});
});
