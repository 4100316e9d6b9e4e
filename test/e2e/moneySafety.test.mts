import { RECIPIENT, requestOf, transferOf, upTo } from '../harness/fixtures.mts';
import { publishChain, startChain, type Chain, type ChainNode } from '../harness/n8n/chain.mts';
import { retryExecution } from '../harness/n8n/executions.mts';
import { cardTreasury, splitItems } from '../harness/n8n/nodes.mts';
import { ended } from '../harness/n8n/runNode.mts';
import { endedExecutions, eventually, executions, noOp } from '../harness/n8n/scenario.mts';
import { credential, scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { amountsOf, keysPerAmount } from '../harness/queue/transfers.mts';
import { until } from '../simulator/until.mts';
import { simulator } from '../simulator/useSimulator.mts';

useN8n();

/** Returns items with different amounts. */
const payments = (count: number): ChainNode => ({
	name: 'Payments',
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: {
		jsCode: `return Array.from({ length: ${count} }, (_, index) => ({ json: { amount: String(index + 1) } }));`,
	},
});

const transfer = (options: object = {}, settings: Partial<ChainNode> = {}): ChainNode =>
	cardTreasury(transferOf('={{ $json.amount }}', options), credential, {
		name: 'Transfer',
		...settings,
	});

/** Requests without those that were rejected as too fast, which happens on a busy machine. */
const taken = () => simulator.requests.length - simulator.rateLimit.rejected;

it('Retry On Fail re-sends only what failed, under its keys', async () => {
	const unclear = 2;
	simulator.faults.add({ kind: 'status', status: 500, effect: true, times: unclear });
	const chain = await publishChain(scenario.n8n, [
		payments(5),
		transfer({ maxAttempts: 1 }, { retryOnFail: true, maxTries: 5, waitBetweenTries: 100 }),
	]);
	await startChain(scenario.n8n, chain);
	const { status, outputs } = await ended(scenario.n8n, chain, 1);
	expect(status).toBe('success');
	expect(outputs('Transfer')![0]).toHaveLength(5);
	expect(taken()).toBe(5 + unclear);
	expect(keysPerAmount(simulator)).toEqual([1]);
	expect(amountsOf(simulator)).toEqual(upTo(5));
});

it.each(['original', 'currently saved'] as const)(
	'a manual retry with the %s workflow re-sends the failed item under its key, then the remaining ones',
	async (workflow) => {
		simulator.faults.add({ kind: 'status', status: 500, effect: true, times: 1 });
		const chain = await publishChain(scenario.n8n, [payments(40), transfer({ maxAttempts: 1 })]);
		await startChain(scenario.n8n, chain);
		const failed = await ended(scenario.n8n, chain, 1);
		expect(failed.status).toBe('error');
		expect(taken()).toBeLessThan(40);
		await retryExecution(scenario.n8n, failed.id, workflow);
		const retried = await ended(scenario.n8n, chain, 2);
		expect(retried.status).toBe('success');
		expect(retried.outputs('Transfer')![0]!.map(({ amount }) => Number(amount))).toEqual(upTo(40));
		expect(taken()).toBe(40 + 1);
		expect(keysPerAmount(simulator)).toEqual([1]);
		expect(amountsOf(simulator)).toEqual(upTo(40));
		// A new execution makes new transfers.
		await startChain(scenario.n8n, chain);
		await endedExecutions(scenario.n8n, chain, 3);
		expect(simulator.ledger).toHaveLength(80);
	},
);

it('Stop ends sending; a new execution with own keys sends only the rest', async () => {
	const chain = await publishChain(scenario.n8n, [
		payments(60),
		transfer({ idempotencyKey: '=stopped-{{ $json.amount }}' }),
	]);
	await startChain(scenario.n8n, chain);
	await until(() => simulator.requests.length >= 10, 30_000);
	const [running] = await executions(scenario.n8n, chain);
	await scenario.n8n.rest('POST', `/rest/executions/${running!.id}/stop`);
	// n8n offers no retry of a canceled execution and drops the node's messages.
	expect((await endedExecutions(scenario.n8n, chain, 1))[0]!.status).toBe('canceled');
	expect(simulator.requests.length).toBeLessThan(60);
	await startChain(scenario.n8n, chain);
	await endedExecutions(scenario.n8n, chain, 2);
	expect(keysPerAmount(simulator)).toEqual([1]);
	expect(amountsOf(simulator)).toEqual(upTo(60));
});

it('a workflow timeout ends sending like Stop', async () => {
	const chain = await publishChain(scenario.n8n, [payments(60), transfer()], {
		settings: { executionTimeout: 2 },
	});
	await startChain(scenario.n8n, chain);
	expect((await endedExecutions(scenario.n8n, chain, 1))[0]!.status).toBe('canceled');
	expect(simulator.requests.length).toBeGreaterThan(0);
	expect(simulator.requests.length).toBeLessThan(60);
});

it('`n8n execute` waits for its batch, and its failed execution can be retried', async () => {
	const start: ChainNode = {
		name: 'Start',
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		parameters: {},
	};
	const chain = await publishChain(scenario.n8n, [payments(3), transfer({ maxAttempts: 2 })], {
		attachments: [{ node: start, into: 'Payments', as: 'main' }],
	});
	// All three wait, so no connection keeps the process alive.
	simulator.faults.add({ kind: '429', retryAfter: 2, times: 3 });
	simulator.faults.add({ kind: 'status', status: 500, effect: true, times: 3 });
	expect((await scenario.command('execute', `--id=${chain.id}`)).code).toBe(1);
	const failed = await ended(scenario.n8n, chain, 1);
	expect(failed.failure.message).toContain('Outcome unknown');
	simulator.faults.clear();
	await retryExecution(scenario.n8n, failed.id);
	expect((await ended(scenario.n8n, chain, 2)).status).toBe('success');
	expect(keysPerAmount(simulator)).toEqual([1]);
	expect(amountsOf(simulator)).toEqual(upTo(3));
});

it('in a sub-workflow, the message names the key, because a retry of the parent would be a new write', async () => {
	const called: ChainNode = {
		name: 'Called',
		type: 'n8n-nodes-base.executeWorkflowTrigger',
		typeVersion: 1.1,
		parameters: { inputSource: 'passthrough' },
	};
	const child = await publishChain(scenario.n8n, [transfer({ maxAttempts: 1 })], {
		attachments: [{ node: called, into: 'Transfer', as: 'main' }],
	});
	const call: ChainNode = {
		name: 'Call',
		type: 'n8n-nodes-base.executeWorkflow',
		typeVersion: 1.2,
		parameters: {
			source: 'database',
			workflowId: { __rl: true, mode: 'id', value: child.id },
			mode: 'once',
			options: {},
		},
	};
	const parent = await publishChain(scenario.n8n, [payments(1), call]);
	simulator.faults.add({ kind: 'status', status: 500, effect: true });
	await startChain(scenario.n8n, parent);
	expect((await endedExecutions(scenario.n8n, parent, 1))[0]!.status).toBe('error');
	const { description } = (await ended(scenario.n8n, child, 1)).failure;
	expect(description).toContain('with the idempotency key below');
	const idempotencyKey = /Idempotency key: ([0-9a-f-]{36})/.exec(description)?.[1];
	const again = await publishChain(scenario.n8n, [payments(1), transfer({ idempotencyKey })]);
	await startChain(scenario.n8n, again);
	expect((await endedExecutions(scenario.n8n, again, 1))[0]!.status).toBe('success');
	expect(simulator.requests).toHaveLength(2);
	expect(simulator.ledger).toHaveLength(1);
});

describe('n8n killed in the middle of 50 transfers', () => {
	async function killedInTheMiddle(options: object): Promise<Chain> {
		const chain = await publishChain(scenario.n8n, [payments(50), transfer(options)]);
		await startChain(scenario.n8n, chain);
		await until(() => simulator.ledger.length >= 15, 30_000);
		await scenario.restart('SIGKILL');
		expect(simulator.ledger.length).toBeLessThan(50);
		const [row] = await eventually(async () => {
			const rows = await executions(scenario.n8n, chain);
			return rows[0]?.status === 'crashed' && rows;
		});
		expect(row).toBeDefined();
		return chain;
	}

	it('refuses every retry without own keys and sends nothing', async () => {
		const chain = await killedInTheMiddle({});
		const before = simulator.requests.length;
		for (const count of [2, 3]) {
			const last = (await executions(scenario.n8n, chain)).at(-1)!;
			await retryExecution(scenario.n8n, last.id);
			const { status, failure } = await ended(scenario.n8n, chain, count);
			expect(status).toBe('error');
			expect(failure.message).toContain('cut off while it was sending');
		}
		expect(simulator.requests.length).toBe(before);
	});

	it('sends only the rest in a retry or a new execution with own keys', async () => {
		const chain = await killedInTheMiddle({ idempotencyKey: '=invoice-{{ $json.amount }}' });
		const [crashed] = await executions(scenario.n8n, chain);
		await retryExecution(scenario.n8n, crashed!.id);
		await startChain(scenario.n8n, chain);
		const rows = await endedExecutions(scenario.n8n, chain, 3);
		expect(rows.map(({ status }) => status)).toEqual(['crashed', 'success', 'success']);
		expect(keysPerAmount(simulator)).toEqual([1]);
		expect(amountsOf(simulator)).toEqual(upTo(50));
	});
});

describe('n8n killed in a loop that continues after failures', () => {
	const items = Array.from({ length: 40 }, (_, index) => ({ amount: String(index + 1) }));

	/** Runs the node once per item, kills n8n after some items, retries, and returns the node's output per iteration. */
	async function killAndRetry(parameters: object) {
		const loop: ChainNode = {
			name: 'Loop',
			type: 'n8n-nodes-base.splitInBatches',
			typeVersion: 3,
			parameters: { batchSize: 1, options: {} },
		};
		const node = cardTreasury(parameters, credential, { onError: 'continueRegularOutput' });
		const chain = await publishChain(scenario.n8n, [splitItems, loop, { ...noOp('Done') }], {
			aside: [node],
			wires: [
				{ from: loop.name, output: 1, to: node.name },
				{ from: node.name, to: loop.name },
			],
		});
		await startChain(scenario.n8n, chain, { items });
		await until(() => simulator.ledger.length >= 5, 30_000);
		await scenario.restart('SIGKILL');
		const before = simulator.requests.length;
		expect(before).toBeLessThan(items.length);
		const crashed = await eventually(async () => {
			const [row] = await executions(scenario.n8n, chain);
			return row?.status === 'crashed' && row;
		});
		await retryExecution(scenario.n8n, crashed.id);
		// n8n replaces the run that was cut off by an item of its own.
		const rounds = (await ended(scenario.n8n, chain, 2))
			.runs('Card Treasury')
			.filter(([item]) => item?.isArtificialRecoveredEventItem !== true);
		expect(rounds).toHaveLength(items.length);
		return { before, rounds };
	}

	it('re-sends no transfer that was or may have been sent', async () => {
		const { before, rounds } = await killAndRetry(transferOf('={{ $json.amount }}'));
		for (const [item] of rounds) {
			expect(item).toMatchObject({ outcome: 'unknown' });
			expect(item!.error).toContain('cut off while it was sending');
		}
		expect(simulator.requests).toHaveLength(before);
	});

	it('re-sends no unkeyed write', async () => {
		const { rounds } = await killAndRetry(
			requestOf(`={{ JSON.stringify({ to: "${RECIPIENT}", amount: Number($json.amount) }) }}`),
		);
		expect(amountsOf(simulator)).toEqual([...new Set(amountsOf(simulator))]);
		expect(rounds[0]![0]).toMatchObject({ outcome: 'unknown' });
	});
});
