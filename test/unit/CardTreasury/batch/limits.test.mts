import {
	answered,
	cardOf,
	complaint,
	Execution,
	failed,
	kinds,
	outputs,
	transferOf,
} from './batches.mts';

const transfers = (amounts: string[], options: object) =>
	amounts.map((amount, index) => transferOf(amount, { reference: `INV-${index}`, ...options }));

it('Maximum Total allows exactly its amount', async () => {
	const execution = new Execution('wallet: transfer');
	const above = await execution.run(
		transfers(['0.1', '0.2'], { maximumTotal: '0.299999999999999999' }),
	);
	expect(complaint(above)).toEqual({
		message: 'Maximum Total is 0.299999999999999999, and the transfers of this run add up to 0.3',
		fix: 'Check where the amounts come from. Raise Maximum Total only if all of them are intended.',
		outcome: 'not_sent',
	});
	expect(execution.sent).toEqual([]);
	const exact = await execution.run(transfers(['0.1', '0.2'], { maximumTotal: '0.3' }));
	expect(kinds(exact)).toEqual(['done', 'done']);
});

it('Maximum Transfers allows exactly its number', async () => {
	const execution = new Execution('wallet: transfer');
	const more = await execution.run(transfers(['1', '2', '3'], { maximumTransfers: 2 }));
	expect(complaint(more)).toEqual({
		message: 'Maximum Transfers is 2, and this run has 3 transfers',
		fix: 'Check where the items come from. Raise Maximum Transfers only if all of them are intended.',
		outcome: 'not_sent',
	});
	expect(execution.sent).toEqual([]);
	expect(kinds(await execution.run(transfers(['1', '2'], { maximumTransfers: 2 })))).toEqual([
		'done',
		'done',
	]);
});

it('a run above the strictest limit is refused as a whole, under Continue On Fail too', async () => {
	const execution = new Execution('wallet: transfer');
	const items = [transferOf('1', { maximumTotal: '9' }), transferOf('2', { maximumTotal: '2.5' })];
	const result = await execution.run(items, { continueOnFail: true });
	expect([complaint(result, 0), complaint(result, 1)]).toEqual([
		expect.objectContaining({ message: expect.stringContaining('Maximum Total is 2.5') }),
		expect.objectContaining({ message: expect.stringContaining('Maximum Total is 2.5') }),
	]);
	expect(execution.sent).toEqual([]);
});

it('a sweep with nothing to send does not count', async () => {
	const execution = new Execution('wallet: transfer');
	const sweep = transferOf('', { maximumTransfers: 1, maximumTotal: '5' });
	Object.assign(sweep.parameters, { amountMode: 'aboveFloor', balance: '4', floor: '5' });
	const result = await execution.run([
		sweep,
		transferOf('5', { maximumTransfers: 1, maximumTotal: '5' }),
	]);
	expect(kinds(result)).toEqual(['done', 'done']);
	expect(outputs(result)[0]).toMatchObject([
		{ status: 'NOTHING_TO_SEND', idempotency_key: null, trace_id: null },
	]);
	expect(execution.sent).toHaveLength(1);
});

it('an item that was sent before counts even if it is refused now', async () => {
	const options = { maximumTotal: '9' };
	const execution = new Execution('wallet: transfer', (_work, before) =>
		before === 0 ? answered() : failed('rejected'),
	);
	await execution.run(transfers(['4', '4'], options));
	execution.service = () => answered();
	const retry = { isRetry: true, continueOnFail: true };
	const again = await execution.run(transfers(['5', '6'], options), retry);
	expect(complaint(again, 0)?.message).toContain('with other values');
	expect(complaint(again, 1)).toMatchObject({
		message: 'Maximum Total is 9, and the transfers of this run add up to 10',
		outcome: 'rejected',
	});
	expect(kinds(await execution.run(transfers(['5', '5'], options), retry))[1]).toBe('done');
});

it('an item that a crashed execution sent counts in its retry', async () => {
	const options = { maximumTotal: '9' };
	const execution = new Execution('wallet: transfer');
	await execution.run(transfers(['4'], options));
	const again = { isRetry: true, continueOnFail: true };
	const retry = async (amount: string) =>
		await execution.retried({ crashed: true }).run(transfers(['4', amount], options), again);
	expect(complaint(await retry('6'), 1)).toMatchObject({
		message: 'Maximum Total is 9, and the transfers of this run add up to 10',
		outcome: 'not_sent',
	});
	expect(kinds(await retry('5'))).toEqual(['done', 'done']);
});

it('an item that another retry has paid since counts in a retry of an older entry', async () => {
	const options = { maximumTotal: '9' };
	const first = new Execution('wallet: transfer', () => failed('rejected'));
	const continued = { continueOnFail: true };
	await first.run(transfers(['4', '5'], options), continued);
	const paid = first.retried();
	paid.service = (_work, before) => (before === 0 ? answered() : failed('rejected'));
	await paid.run(transfers(['4', '5'], options), { ...continued, isRetry: true });
	const again = first.retried();
	again.service = () => answered();
	const retry = { ...continued, isRetry: true };
	expect(complaint(await again.run(transfers(['4', '6'], options), retry), 1)).toMatchObject({
		message: 'Maximum Total is 9, and the transfers of this run add up to 10',
		outcome: 'rejected',
	});
	expect(kinds(await again.run(transfers(['4', '5'], options), retry))).toEqual(['done', 'done']);
});

describe("limits of an agent's calls", () => {
	const options = { maximumAmount: '10', maximumTotal: '8', maximumTransfers: 2 };
	const call = async (execution: Execution, amount: string) =>
		await execution.run([transferOf(amount, options)], { isTool: true });

	it('accepted and possibly executed calls count together', async () => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		await call(execution, '5');
		execution.service = () => answered();
		expect(complaint(await call(execution, '4'))?.message).toBe(
			'Maximum Total is 8, and the transfers of this run add up to 9',
		);
		expect(kinds(await call(execution, '3'))).toEqual(['done']);
		expect(complaint(await call(execution, '0.000001'))?.message).toBe(
			'Maximum Total is 8, and the transfers of this run add up to 8.000001',
		);
	});

	it('calls count together towards Maximum Transfers as the only limit', async () => {
		const execution = new Execution('wallet: transfer');
		const pay = async (amount: string) =>
			await execution.run([transferOf(amount, { maximumAmount: '10', maximumTransfers: 2 })], {
				isTool: true,
			});
		expect([...kinds(await pay('1')), ...kinds(await pay('2'))]).toEqual(['done', 'done']);
		expect(complaint(await pay('3'))?.message).toBe(
			'Maximum Transfers is 2, and this run has 3 transfers',
		);
		expect(execution.sent).toHaveLength(2);
	});

	it('a payment that may have been executed stays unknown if a limit forbids its re-send', async () => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		await call(execution, '5');
		execution.service = () => answered();
		await call(execution, '3');
		const lower = transferOf('5', { ...options, maximumTotal: '7' });
		expect(complaint(await execution.run([lower], { isTool: true }))).toMatchObject({
			message: 'Maximum Total is 7, and the transfers of this run add up to 8',
			outcome: 'unknown',
		});
		expect(execution.sent).toHaveLength(2);
	});

	it('a rejected call does not count', async () => {
		const execution = new Execution('wallet: transfer', () => failed('rejected'));
		await call(execution, '5');
		execution.service = () => answered();
		expect(kinds(await call(execution, '4'))).toEqual(['done']);
	});

	it('simultaneous calls count before any of them is answered', async () => {
		const execution = new Execution('wallet: transfer');
		const results = await Promise.all([call(execution, '5'), call(execution, '4')]);
		expect(results.flatMap(kinds)).toEqual(['done', 'failed']);
		expect(execution.sent).toHaveLength(1);
	});

	it('a dry run does not count', async () => {
		const execution = new Execution('wallet: transfer');
		const dryRun = { isTool: true, continueOnFail: true };
		await execution.run([transferOf('5', { ...options, dryRun: true })], dryRun);
		expect(execution.data.entries).toEqual({});
		expect(kinds(await call(execution, '8'))).toEqual(['done']);
	});

	it('a call that sweeps nothing does not count', async () => {
		const execution = new Execution('wallet: transfer');
		const sweep = transferOf('', options);
		Object.assign(sweep.parameters, { amountMode: 'aboveFloor', balance: '4', floor: '5' });
		await execution.run([sweep], { isTool: true });
		expect(execution.data.entries).toEqual({});
	});

	it('a call of another operation does not count', async () => {
		const freezing = new Execution('card: freeze');
		await freezing.run([cardOf('c1')], { isTool: true });
		const execution = new Execution('wallet: transfer');
		Object.assign(execution.data, freezing.data);
		const limited = transferOf('5', { ...options, maximumTransfers: 1 });
		expect(kinds(await execution.run([limited], { isTool: true }))).toEqual(['done']);
	});

	it('a repeated transfer counts once', async () => {
		const execution = new Execution('wallet: transfer');
		await call(execution, '5');
		expect(kinds(await call(execution, '5'))).toEqual(['done']);
		expect(execution.sent).toHaveLength(1);
	});
});

describe('limits without an execution', () => {
	const call = async (options: object) => {
		const execution = new Execution('wallet: transfer');
		const item = transferOf('1', { maximumAmount: '5', ...options });
		return await execution.run([item], { isTool: true, hasExecution: false });
	};
	const WHY = 'cannot be enforced: earlier calls are not recorded outside an n8n execution';

	it.each([
		['Maximum Total', { maximumTotal: '9' }],
		['Maximum Transfers', { maximumTransfers: 9 }],
		['Maximum Total', { maximumTotal: '9', maximumTransfers: 9 }],
	])('%s is refused', async (limit, options) => {
		expect(complaint(await call(options))).toEqual({
			message: `${limit} ${WHY}`,
			fix: 'Remove it, and set Maximum Amount and Allowed Recipients. To limit the total, let an AI Agent node of a workflow call this tool.',
			outcome: 'not_sent',
		});
	});

	it('no limit is required, and a dry run may have both', async () => {
		expect(kinds(await call({}))).toEqual(['done']);
		expect(kinds(await call({ maximumTotal: '9', dryRun: true }))).toEqual(['done']);
	});
});

describe('sweeps of one wallet and token', () => {
	const TOKEN = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
	let count = 0;
	const sweepOf = (fields: object) => {
		const item = transferOf('', { reference: `sweep-${(count += 1)}` });
		const sweep = { amountMode: 'aboveFloor', balance: '9', floor: '5', tokenAddress: TOKEN };
		Object.assign(item.parameters, sweep, fields);
		return item;
	};
	const MESSAGE =
		'Amount Mode is Above Floor for items 1 and 2, which have the same wallet and token: each would send the whole surplus';

	it.each<[string, object]>([
		['alike', {}],
		['with the token in another spelling', { tokenAddress: TOKEN.toLowerCase() }],
		['to another address', { to: '0x00000000219ab540356cBB839Cbe05303d7705Fa' }],
	])('two items are refused: %s', async (_name, fields) => {
		const execution = new Execution('wallet: transfer');
		const items = [sweepOf({}), sweepOf(fields), transferOf('1')];
		const result = await execution.run(items, { continueOnFail: true });
		expect([complaint(result, 0), complaint(result, 1)]).toEqual(
			Array(2).fill({
				message: MESSAGE,
				fix: 'Sweep a wallet and token once in a run: remove the duplicate items before this node.',
				outcome: 'not_sent',
			}),
		);
		expect(kinds(result)[2]).toBe('done');
		expect(execution.sent).toHaveLength(1);
	});

	it('the message lists up to ten items', async () => {
		const execution = new Execution('wallet: transfer');
		const result = await execution.run(Array.from({ length: 12 }, () => sweepOf({})));
		expect(complaint(result, 11)?.message).toBe(
			MESSAGE.replace('1 and 2', '1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and more'),
		);
	});

	it('two items with the native coin are refused', async () => {
		const native = [1, 2].map(() => sweepOf({ tokenAddress: 'native' }));
		const execution = new Execution('wallet: transfer');
		expect(complaint(await execution.run(native))?.message).toBe(MESSAGE);
	});

	it.each<[string, object]>([
		['another wallet', { walletId: 'wal-2' }],
		['another account', { accountId: 'acc-2' }],
		['another token', { tokenAddress: 'native' }],
		['nothing to send', { floor: '9' }],
		['a fixed amount', { amountMode: 'fixed', amount: '1' }],
	])('two items are accepted with %s', async (_name, fields) => {
		const execution = new Execution('wallet: transfer');
		const result = await execution.run([sweepOf({}), sweepOf(fields)]);
		expect(kinds(result)).toEqual(['done', 'done']);
	});
});

it('an item that was paid before keeps its output beside one with the same reference', async () => {
	const execution = new Execution('wallet: transfer', (_work, before) =>
		before === 0 ? answered() : failed('rejected'),
	);
	const continued = { continueOnFail: true };
	await execution.run([transferOf('1'), transferOf('2')], continued);
	const items = [transferOf('1'), transferOf('2', { reference: 'INV-1' })];
	const retry = await execution.run(items, { ...continued, isRetry: true });
	expect(kinds(retry)).toEqual(['done', 'failed']);
	expect(complaint(retry, 1)?.message).toBe('INV-1 names two payments (items 1 and 2)');
});

describe('updates of one ramp transfer', () => {
	const rampOf = (rampTransferId: string, amount: string) => ({
		parameters: { rampTransferId, amount, options: {} },
	});

	it('two items are refused, because the last one to arrive would win', async () => {
		const execution = new Execution('rampTransfer: updateAmount');
		const items = [rampOf('r-1', '100'), rampOf('r-2', '5'), rampOf('r-1', '200')];
		const result = await execution.run(items, { continueOnFail: true });
		for (const index of [0, 2])
			expect(complaint(result, index)).toEqual({
				message:
					'Ramp Transfer ID is the same for items 1 and 3: the last one to arrive would decide',
				fix: 'Update a ramp transfer once in a run: remove the duplicate items before this node.',
				outcome: 'not_sent',
			});
		expect(execution.sent).toHaveLength(1);
	});
});
