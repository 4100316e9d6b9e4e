import { answered, cardOf, complaint, Execution, failed, kinds, transferOf } from './batches.mts';

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
		['node', { nodeId: 'node-2' }],
		['execution', { root: '8@1000' }],
		['start', { root: '7@2000' }],
		['round', { runIndex: 1 }],
	])('differ by %s', async (_name, change) => {
		const identity = {
			instanceId: 'instance-1',
			workflowId: 'workflow-1',
			nodeId: 'node-1',
			root: '7@1000',
			runIndex: 0,
		};
		const execution = new Execution('wallet: transfer');
		await execution.run([transferOf('1')], { identity });
		await execution.run([transferOf('1')], { identity: { ...identity, ...change } });
		expect(new Set(execution.keys).size).toBe(2);
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
				nodeId: 'n',
				runIndex: 0,
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
			fix: 'Make it different for each item, e.g. by putting the wallet and the date into it.',
			outcome: 'not_sent',
		});
		expect(execution.keys).toEqual(['b']);
	});
});
