import {
	answered,
	cardOf,
	complaint,
	Execution,
	failed,
	HOUR_MS,
	kinds,
	postOf,
	transferOf,
} from './batches.mts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/;

describe('the keys', () => {
	it('differ by item, and are the same again for a retry', async () => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		const items = [transferOf('1'), transferOf('1')];
		await execution.run(items, { continueOnFail: true });
		await execution.run(items, { continueOnFail: true });
		const [first, second, ...again] = execution.keys;
		expect(first).toMatch(UUID);
		expect(second).not.toBe(first);
		expect(again).toEqual([first, second]);
	});

	it.each([
		['instance', { instanceId: 'instance-2' }],
		['workflow', { workflowId: 'workflow-2' }],
		['node', { node: 'Other' }],
		['execution', { root: '8@1000' }],
		['start', { root: '7@2000' }],
		['round', { round: 1 }],
	])('differ by %s', async (_name, change) => {
		const identity = {
			instanceId: 'instance-1',
			workflowId: 'workflow-1',
			node: 'Node',
			root: '7@1000',
			round: 0,
		};
		const keys = [identity, { ...identity, ...change }].map(async (its) => {
			const execution = new Execution('wallet: transfer');
			await execution.run([transferOf('1')], { identity: its });
			return execution.keys[0];
		});
		expect(new Set(await Promise.all(keys)).size).toBe(2);
	});

	it("are the user's own where given, and none where the service honours none", async () => {
		const own = new Execution('wallet: transfer');
		await own.run([transferOf('1', { idempotencyKey: 'invoice-7' })]);
		expect(own.keys).toEqual(['invoice-7']);
		const any = new Execution('endpoint: request');
		await any.run([{ parameters: { method: 'GET', path: '/any', options: {} } }]);
		expect(any.keys).toEqual([undefined]);
	});

	it('are fresh without an execution, where a transfer needs one of the user', async () => {
		const without = {
			isTool: true,
			hasExecution: false,
			identity: {
				instanceId: 'i',
				workflowId: 'w',
				node: 'n',
				round: 0,
			},
		};
		const freeze = new Execution('card: freeze');
		await freeze.run([cardOf('c1')], without);
		await freeze.run([cardOf('c1')], without);
		expect(new Set(freeze.keys).size).toBe(2);
		const transfer = new Execution('wallet: transfer');
		const refused = await transfer.run([transferOf('1', { maximumAmount: '5' })], without);
		expect(complaint(refused)).toEqual({
			message:
				'Idempotency Key is not set, and this call has no n8n execution behind it, so a repeated call would be a second transfer',
			fix: 'Set Idempotency Key in the options, built from what the payment is for, e.g. the invoice number.',
			outcome: 'not_sent',
		});
		const options = { maximumAmount: '5', idempotencyKey: 'invoice-7' };
		await transfer.run([transferOf('1', options)], without);
		expect(transfer.keys).toEqual(['invoice-7']);
	});

	it('are not asked of a dry run without an execution', async () => {
		const execution = new Execution('wallet: transfer');
		const item = transferOf('1', { maximumAmount: '5', dryRun: true });
		const more = { isTool: true, hasExecution: false };
		expect(kinds(await execution.run([item], more))).toEqual(['done']);
	});

	it('that are not there are not shared', async () => {
		const execution = new Execution('card: get', () => answered({ id: 'c1' }));
		const items = ['', 'c1', 'c1', ''].map((cardId) => cardOf(cardId));
		const result = await execution.run(items, { continueOnFail: true });
		expect(kinds(result)).toEqual(['failed', 'done', 'done', 'failed']);
		expect(complaint(result)?.message).not.toContain('Idempotency Key');
	});

	it('shared by several items are rejected, for these items only', async () => {
		const execution = new Execution('wallet: transfer');
		const items = ['a', 'b', 'a'].map((idempotencyKey, index) =>
			transferOf(`${index + 1}`, { idempotencyKey }),
		);
		const result = await execution.run(items, { continueOnFail: true });
		expect(kinds(result)).toEqual(['failed', 'done', 'failed']);
		expect(complaint(result, 2)).toEqual({
			message: 'Idempotency Key is the same for items 0, 2: the service may execute only the first',
			fix: 'Make it different for each item, e.g. by putting wallet, token and date into it.',
			outcome: 'not_sent',
		});
		expect(execution.keys).toEqual(['b']);
	});
});

describe('without a key of its own', () => {
	const EQUAL = {
		message:
			'This item is equal to a request that was sent earlier in this execution, and may have been executed',
		fix: 'Ask the provider whether it was executed. If this is another payment, give it an Idempotency Key of its own.',
		outcome: 'unknown',
	};

	it.each([
		['another round', { round: 1 }],
		['another node', { node: 'Other' }],
	])('an equal request that may have been executed is not sent again in %s', async (_, there) => {
		for (const [operation, input] of [
			['wallet: transfer', transferOf('1')],
			['endpoint: request', postOf('{"a":1}')],
		] as const) {
			const execution = new Execution(operation, () => failed('unknown'));
			await execution.run([input]);
			const again = await execution.run([input], { ...there, continueOnFail: true });
			expect(complaint(again)).toEqual(EQUAL);
			expect(execution.sent).toHaveLength(1);
		}
	});

	it.each([
		['was rejected', failed('rejected'), transferOf('1')],
		['was accepted', answered(), transferOf('1')],
		['may have been executed, of other values', failed('unknown'), transferOf('2')],
		[
			'may have been executed, under a key of its own',
			failed('unknown'),
			transferOf('1', { idempotencyKey: 'second' }),
		],
	])('a request is sent in another round when the one before %s', async (_, first, again) => {
		const execution = new Execution('wallet: transfer', () => first);
		await execution.run([transferOf('1')]);
		await execution.run([again], { round: 1 });
		expect(execution.sent).toHaveLength(2);
	});

	it('an equal change of a card is sent: another one may have come in between', async () => {
		const execution = new Execution('card: freeze', () => failed('unknown'));
		await execution.run([cardOf('c1')]);
		await execution.run([cardOf('c1')], { round: 1 });
		expect(execution.sent).toHaveLength(2);
	});

	it('two equal items of a run go on in its retry', async () => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		const items = [transferOf('1'), transferOf('1')];
		await execution.run(items, { continueOnFail: true });
		await execution.run(items, { isRetry: true });
		expect(execution.sent).toHaveLength(4);
	});

	it('a dry run of one that may have been executed is shown', async () => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		await execution.run([transferOf('1')]);
		expect(kinds(await execution.run([transferOf('1', { dryRun: true })], { round: 1 }))).toEqual([
			'done',
		]);
	});
});

describe("the user's own key", () => {
	const item = (amount: string, idempotencyKey = 'invoice-7') =>
		transferOf(amount, { idempotencyKey });
	const USED = {
		message:
			'Idempotency Key was used earlier in this execution for other work: another round of a loop, another node or another item',
		fix: 'Give each payment a key of its own, e.g. by putting wallet, token and date into it.',
		outcome: 'not_sent',
	};

	it.each([
		['another round', { round: 1 }],
		['another node', { node: 'Other' }],
	])('stands for one payment: in %s it is refused', async (_name, there) => {
		// Whether an equal one was meant to be another payment, nobody can know here.
		const EQUAL = {
			...USED,
			message:
				'Idempotency Key was used earlier in this execution for an equal request: in another round of a loop, another node or another item',
			outcome: 'unknown',
		};
		for (const [first, amount, used] of [
			[answered(), '1', EQUAL],
			[answered(), '2', USED],
			[failed('unknown'), '2', USED],
		] as const) {
			const execution = new Execution('wallet: transfer', () => first);
			await execution.run([item('1')]);
			expect(complaint(await execution.run([item(amount)], there))).toEqual(used);
			expect(execution.sent).toHaveLength(1);
		}
	});

	it('is taken also where it was not sent in the end: after a crash no more is known than what was planned', async () => {
		const execution = new Execution('wallet: transfer', () => failed('not_sent'));
		const { outcomes } = await execution.run([item('1'), item('2', 'invoice-8')]);
		expect(outcomes).toEqual(['not_sent', 'not_sent']);
		for (const [key, amount] of [
			['invoice-7', '2'],
			['invoice-8', '1'],
		]) {
			const later = await execution.run([item(amount!, key)], { round: 1 });
			expect(complaint(later)).toEqual(USED);
		}
		execution.service = () => answered();
		const equal = await execution.run([item('2', 'invoice-8')], { round: 1 });
		expect(kinds(equal)).toEqual(['done']);
	});

	it('that was not sent may go with other values in the retry, and is told with these', async () => {
		const execution = new Execution('wallet: transfer', () => failed('not_sent'));
		await execution.run([item('1')]);
		execution.service = () => failed('rejected');
		const retried = await execution.run([item('2')], { isRetry: true, continueOnFail: true });
		expect(retried.outcomes).toEqual(['rejected']);
		expect(retried.results[0]).toMatchObject({ subject: { amount: '2' } });
	});

	it('that was only planned may go to another item in the retry', async () => {
		const execution = new Execution('wallet: transfer', () => failed('rejected'));
		const items = (first: number) =>
			['1', '2', '3'].map((amount, index) => item(amount, `invoice-${first + index}`));
		await execution.run(items(0));
		execution.service = () => answered();
		expect(kinds(await execution.run(items(1), { isRetry: true }))).toEqual(Array(3).fill('done'));
		for (const key of ['invoice-1', 'invoice-3'])
			expect(complaint(await execution.run([item('9', key)], { round: 1 }))).toEqual(USED);
	});

	it('of a dry run, or of a run with nothing to send, is free', async () => {
		const execution = new Execution('wallet: transfer');
		const sweep = transferOf('', { idempotencyKey: 'invoice-7' });
		Object.assign(sweep.parameters, { amountMode: 'aboveFloor', balance: '1', floor: '5' });
		const dry = transferOf('1', { idempotencyKey: 'invoice-7', dryRun: true });
		for (const input of [dry, sweep]) await execution.run([input]);
		expect(kinds(await execution.run([item('3')], { round: 1 }))).toEqual(['done']);
	});

	it('of another item is refused, and says nothing about it', async () => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		await execution.run([item('1')]);
		const { outcomes } = await execution.run([item('1'), item('9')], { continueOnFail: true });
		expect(outcomes).toEqual(['unknown', 'not_sent']);
		const moved = await execution.run([item('3', 'other'), item('9')], { continueOnFail: true });
		expect(complaint(moved, 1)).toEqual(USED);
		expect(execution.sent.map(({ request }) => request)).toEqual(
			Array(2).fill(execution.sent[0]?.request),
		);
	});

	it('goes again with what may have been executed, in a later round too', async () => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		await execution.run([item('1')]);
		execution.now += 23 * HOUR_MS;
		execution.service = () => failed('rejected');
		const { outcomes } = await execution.run([item('1')], { round: 1 });
		// The first may have been executed, whatever the service says to the second.
		expect(outcomes).toEqual(['unknown']);
		expect(execution.sent[1]).toMatchObject({
			idempotencyKey: 'invoice-7',
			outcomeUnknown: true,
			forgottenAt: 1_000 + 24 * HOUR_MS,
		});
		execution.now += HOUR_MS;
		const late = await execution.run([item('1')], { round: 2 });
		expect(complaint(late)).toMatchObject({
			message: expect.stringContaining('more than 24 hours ago'),
			outcome: 'unknown',
		});
		expect(execution.sent).toHaveLength(2);
	});

	it('that is refused because it was used may be another one in the retry, as the message says', async () => {
		const execution = new Execution('wallet: transfer', (_work, before) =>
			before === 0 ? failed('unknown') : answered(),
		);
		for (let round = 0; round < 2; round++) await execution.run([item('1')], { round });
		const there = { round: 2, isRetry: true };
		expect(complaint(await execution.run([item('1')], there))).toMatchObject({
			message: expect.stringContaining('for an equal request'),
			outcome: 'unknown',
		});
		expect(kinds(await execution.run([item('1', 'invoice-8')], there))).toEqual(['done']);
		expect(execution.keys).toEqual(['invoice-7', 'invoice-7', 'invoice-8']);
	});

	it('stays with what was rejected: after a crash a retry would repeat that under the key', async () => {
		const execution = new Execution('wallet: transfer', () => failed('rejected'));
		await execution.run([item('1')]);
		execution.service = () => answered();
		expect(complaint(await execution.run([item('2')], { round: 1 }))).toEqual(USED);
		expect(kinds(await execution.run([item('1')], { round: 1 }))).toEqual(['done']);
	});
});
