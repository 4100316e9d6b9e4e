import { RECIPIENT, requestOf, transferOf } from '../harness/fixtures.mts';
import { publishChain, startChain, type Chain, type ChainNode } from '../harness/n8n/chain.mts';
import { retryExecution } from '../harness/n8n/executions.mts';
import { cardTreasury, splitItems } from '../harness/n8n/nodes.mts';
import { ended, runNode } from '../harness/n8n/runNode.mts';
import {
	createCredential,
	endedExecutions,
	eventually,
	executions,
	noOp,
	publish,
	simulatorKeys,
} from '../harness/n8n/scenario.mts';
import { credential, scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { IDS } from '../simulator/index.mts';
import { until } from '../simulator/until.mts';
import { simulator } from '../simulator/useSimulator.mts';

/** Record of sent writes after repeated retries, crashes and changes of the credential. */

useN8n();

const NODE = 'Card Treasury';

/** Slow enough that a rejection arrives before the next item is sent, even on a busy machine. */
const SLOWLY = { requestsPerSecond: 2 };
/** Unkeyed write; `item` distinguishes the requests. */
const unkeyed = requestOf(
	`={{ JSON.stringify({ to: "${RECIPIENT}", amount: Number($json.amount) }) }}`,
	{
		queryParameters: { parameter: [{ name: 'item', value: '={{ $json.amount }}' }] },
		options: SLOWLY,
	},
);
/** Transfers from named wallets, so that a fault can hit one of them. */
const keyed = (options: object = {}) => ({
	...transferOf('={{ $json.amount }}', { ...SLOWLY, ...options }),
	walletId: '={{ $json.wallet ?? "wal-0001" }}',
});
const ITEMS = [{ amount: '1' }, { amount: '2', wallet: IDS.secondWallet }, { amount: '3' }];

/** Passes the items on one by one. */
const LOOP: ChainNode = {
	name: 'Loop',
	type: 'n8n-nodes-base.splitInBatches',
	typeVersion: 3,
	parameters: { batchSize: 1, options: {} },
};
const inLoop = [
	{ from: LOOP.name, output: 1, to: NODE },
	{ from: NODE, to: LOOP.name },
];

const run = async (
	parameters: object,
	items: object[] = ITEMS,
	settings = {},
	chosen = credential,
) => await runNode(scenario.n8n, chosen, parameters, { items, settings });
const amounts = () => simulator.ledger.map(({ amountText }) => Number(amountText));

/** Changes a node between a failure and its retry, as a user would in the editor. */
async function change({ id }: Pick<Chain, 'id'>, node: Partial<ChainNode>): Promise<void> {
	const { rest } = scenario.n8n;
	const { nodes, connections, settings } = await rest('GET', `/rest/workflows/${id}`);
	Object.assign((nodes as ChainNode[]).find(({ name }) => name === NODE)!, node);
	const saved = await rest('PATCH', `/rest/workflows/${id}`, { nodes, connections, settings });
	await publish(scenario.n8n, { id, versionId: String(saved.versionId) });
}

/** Retries an execution and returns the result. */
async function retry(chain: Chain, id: string, count: number, saved = false) {
	await retryExecution(scenario.n8n, id, saved ? 'currently saved' : 'original');
	return await ended(scenario.n8n, chain, count);
}

describe('execution retried twice', () => {
	const rejectFirst = (match: object) =>
		simulator.faults.add({ kind: 'status', status: 412, match });

	it('sends no unkeyed write again and names the execution to retry', async () => {
		rejectFirst({ path: 'item=1$' });
		const { chain, id } = await run(unkeyed);
		rejectFirst({ path: 'item=3$' });
		const first = await retry(chain, id, 2);
		expect(first.status).toBe('error');
		expect(amounts().sort()).toEqual([1, 2]);
		const second = await retry(chain, id, 3);
		expect(second.failure.message).toContain('continues an execution that was continued before');
		expect(second.failure.description).toContain('retry its latest retry instead');
		expect(second.failure.description).not.toMatch(/not sent|rejected/);
		expect(amounts().sort()).toEqual([1, 2]);
		expect((await retry(chain, first.id, 4)).status).toBe('success');
		expect(amounts().sort()).toEqual([1, 2, 3]);
	});

	it('sends transfers under the same derived keys, so that each executes once', async () => {
		rejectFirst({ path: IDS.wallet });
		const { chain, id } = await run(keyed());
		rejectFirst({ path: IDS.secondWallet });
		expect((await retry(chain, id, 2)).status).toBe('error');
		const second = await retry(chain, id, 3);
		expect(second.status).toBe('success');
		expect(second.outputs(NODE)![0]!.map(({ status }) => status)).toEqual(Array(3).fill('SUCCESS'));
		expect(amounts().sort()).toEqual([1, 2, 3]);
	});

	it('refuses changed keys of the user', async () => {
		rejectFirst({ path: IDS.secondWallet });
		const key = '={{ $json.amount }}-{{ $execution.id }}';
		const { chain, id } = await run(keyed({ idempotencyKey: key }));
		rejectFirst({ path: IDS.secondWallet });
		expect((await retry(chain, id, 2)).status).toBe('error');
		const paid = amounts();
		expect((await retry(chain, id, 3)).failure.message).toContain('was continued before');
		expect(amounts()).toEqual(paid);
	});

	it('sends no unkeyed write twice when retried in parallel', async () => {
		rejectFirst({ path: 'item=1$' });
		const { chain, id } = await run(unkeyed);
		await Promise.all([1, 2].map(async () => await retryExecution(scenario.n8n, id)));
		await endedExecutions(scenario.n8n, chain, 3);
		expect(amounts().sort()).toEqual([1, 2, 3]);
	});
});

describe('n8n killed in the middle of a batch', () => {
	const items = Array.from({ length: 40 }, (_, index) => ({ amount: String(index + 1) }));

	async function crashed(chain: Chain): Promise<string> {
		const row = await eventually(async () => {
			const [first] = await executions(scenario.n8n, chain);
			return first?.status === 'crashed' && first;
		});
		return row.id;
	}

	/** Kills n8n after this many executed writes, before the last is answered. */
	async function killAt(count: number): Promise<void> {
		await until(() => simulator.ledger.length >= count, 30_000);
		await scenario.restart('SIGKILL');
	}
	const unanswered = (item: number) =>
		simulator.faults.add({
			kind: 'slow-after',
			match: { path: `item=${item}$` },
			delayMs: 20_000,
		});

	it('does not re-send the next iteration of a loop whose progress was saved', async () => {
		unanswered(3);
		const chain = await publishChain(scenario.n8n, [splitItems, LOOP, { ...noOp('Done') }], {
			aside: [cardTreasury(unkeyed, credential)],
			wires: inLoop,
			settings: { saveExecutionProgress: true },
		});
		await startChain(scenario.n8n, chain, { items: items.slice(0, 5) });
		await killAt(3);
		const id = await crashed(chain);
		for (const count of [2, 3]) {
			expect((await retry(chain, id, count)).failure.message).toContain('cut off');
			expect(amounts()).toEqual([1, 2, 3]);
		}
	});

	it('sends nothing when a sub-workflow is retried on its own', async () => {
		unanswered(3);
		const called: ChainNode = {
			name: 'Called',
			type: 'n8n-nodes-base.executeWorkflowTrigger',
			typeVersion: 1.1,
			parameters: { inputSource: 'passthrough' },
		};
		const child = await publishChain(scenario.n8n, [cardTreasury(unkeyed, credential)], {
			attachments: [{ node: called, into: NODE, as: 'main' }],
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
		const parent = await publishChain(scenario.n8n, [splitItems, call]);
		await startChain(scenario.n8n, parent, { items: ITEMS });
		await killAt(3);
		const refused = await retry(child, await crashed(child), 2);
		expect(refused.failure.message).toContain('cut off');
		expect(amounts().sort()).toEqual([1, 2, 3]);
	});

	it('sends nothing with changed or removed own keys, and only the rest with the same ones', async () => {
		const parameters = keyed({ idempotencyKey: '={{ $json.amount }}-{{ $execution.id }}' });
		const chain = await publishChain(scenario.n8n, [
			splitItems,
			cardTreasury(parameters, credential),
		]);
		await startChain(scenario.n8n, chain, { items });
		await killAt(10);
		const id = await crashed(chain);
		const paid = amounts();
		expect(paid.length).toBeLessThan(40);
		const changed = await retry(chain, id, 2);
		expect(changed.failure.message).toContain('seems to have been cut off while it was sending');
		await change(chain, { parameters: keyed() });
		expect((await retry(chain, id, 3, true)).failure.message).toContain('cut off');
		// The attempts in between do not change which keys count as the original ones.
		expect((await retry(chain, id, 4, true)).failure.message).toContain('cut off');
		expect(amounts()).toEqual(paid);
		await change(chain, { parameters: keyed({ idempotencyKey: `={{ $json.amount }}-${id}` }) });
		expect((await retry(chain, id, 5, true)).status).toBe('success');
		expect(amounts().sort((left, right) => left - right)).toEqual(
			items.map(({ amount }) => Number(amount)),
		);
	});
});

it('a write with an unknown outcome is not re-sent after the Idempotency Window', async () => {
	const short = await createCredential(scenario.n8n, {
		...simulatorKeys(simulator),
		idempotencyWindowHours: 0.0005,
	});
	simulator.faults.add({ kind: 'reset-after' });
	const first = await run(keyed({ maxAttempts: 1 }), [{ amount: '1' }], {}, short);
	const sentAt = Date.now();
	await until(() => Date.now() - sentAt > 1_800, 10_000);
	const late = await retry(first.chain, first.id, 2);
	expect(late.failure.message).toContain('the service may have forgotten its idempotency key');
	expect(late.failure.description).toContain('Ask the provider');
	expect(simulator.requests).toHaveLength(1);
});

describe('accepted write', () => {
	/** Accepts items 0 and 2 and rejects item 1. */
	async function halfSent(settings = {}) {
		simulator.faults.add({ kind: 'status', status: 412, match: { path: IDS.secondWallet } });
		const ran = await run(keyed({ requestsPerSecond: 15 }), ITEMS, settings);
		expect(amounts()).toContain(1);
		return ran;
	}
	const accepted = () => (amounts().includes(3) ? 'Items 0 and 2 were' : 'Item 0 was');

	it.each([
		['Maximum Amount', keyed({ maximumAmount: '0.5' })],
		['Maximum Total', keyed({ maximumTotal: '1' })],
		['one key for all items', keyed({ idempotencyKey: 'all' })],
		['an amount made from the clock', { ...keyed(), amount: '={{ $now.toMillis() / 1e12 }}' }],
	])('is still reported when %s refuses the retry', async (_name, parameters) => {
		const { chain, id } = await halfSent();
		const paid = amounts();
		await change(chain, { parameters });
		const refused = await retry(chain, id, 2, true);
		expect(refused.failure.description).toContain(`${accepted()} accepted`);
		expect(refused.failure.description).not.toContain('Nothing was sent');
		expect(amounts()).toEqual(paid);
	});

	it('is still reported when the retry cannot read the credential', async () => {
		const own = await createCredential(scenario.n8n, simulatorKeys(simulator));
		simulator.faults.add({ kind: 'status', status: 412, match: { path: IDS.secondWallet } });
		const { chain, id } = await run(keyed(), ITEMS, {}, own);
		await scenario.n8n.rest('DELETE', `/rest/credentials/${own.id}`);
		const refused = await retry(chain, id, 2);
		expect(refused.status).toBe('error');
		expect(refused.failure.description).toContain(`${accepted()} accepted`);
	});

	it('is reported under Continue On Fail with the values that were sent', async () => {
		const { chain, id } = await halfSent();
		await change(chain, {
			parameters: keyed({ maximumAmount: '0.5' }),
			onError: 'continueRegularOutput',
		});
		const [item] = (await retry(chain, id, 2, true)).outputs(NODE)![0]!;
		expect(item).toMatchObject({ outcome: 'accepted', amount: '1', status: 'SUCCESS' });
		expect(item!.error).toContain('Maximum Amount');
	});

	it('is no result in another environment', async () => {
		const { chain, id } = await halfSent();
		const paid = amounts();
		const production = await createCredential(scenario.n8n, {
			...simulatorKeys(simulator),
			environment: 'production',
		});
		await change(chain, { credentials: { cardTreasuryApi: production } });
		const refused = await retry(chain, id, 2, true);
		expect(refused.failure.message).toContain('with another credential');
		expect(refused.failure.description).toContain(`${accepted()} accepted`);
		expect(amounts()).toEqual(paid);
	});

	it('makes a dry run in its place fail, so that it can still be retried', async () => {
		const { chain, id } = await halfSent();
		await change(chain, { parameters: keyed({ dryRun: true }) });
		expect((await retry(chain, id, 2, true)).failure.message).toContain('Dry Run is on');
		await change(chain, { parameters: keyed() });
		expect((await retry(chain, id, 3, true)).status).toBe('success');
		expect(amounts().sort()).toEqual([1, 2, 3]);
	});
});

describe('own key used for two writes', () => {
	const shared = (amount: string) => transferOf(amount, { idempotencyKey: 'forgot-the-wallet' });

	it('sends the first and refuses the second in two iterations of a loop', async () => {
		const node = cardTreasury(shared('={{ $json.amount }}'), credential);
		const chain = await publishChain(scenario.n8n, [splitItems, LOOP, { ...noOp('Done') }], {
			aside: [node],
			wires: inLoop,
		});
		await startChain(scenario.n8n, chain, { items: [{ amount: '1' }, { amount: '2' }] });
		const { failure } = await ended(scenario.n8n, chain, 1);
		expect(failure.message).toContain('was used earlier in this execution for other work');
		expect(amounts()).toEqual([1]);
	});

	it('sends the first and refuses the second in two nodes', async () => {
		const chain = await publishChain(scenario.n8n, [
			cardTreasury(shared('1'), credential),
			cardTreasury(shared('2'), credential, { name: 'Second' }),
		]);
		await startChain(scenario.n8n, chain);
		const { failure } = await ended(scenario.n8n, chain, 1);
		expect(failure.message).toContain('was used earlier in this execution for other work');
		expect(amounts()).toEqual([1]);
	});
});

describe('possibly identical writes', () => {
	it('are refused for two items that sweep one wallet', async () => {
		const sweep = { ...transferOf(''), amountMode: 'aboveFloor', balance: '100', floor: '40' };
		const { failure } = await run(sweep, [{}, {}]);
		expect(failure.message).toContain('Amount Mode is Above Floor for items 0, 1');
		expect(simulator.requests).toEqual([]);
	});

	it.each([
		['without a key', requestOf(JSON.stringify({ to: RECIPIENT, amount: 1 }))],
		['under a derived key', transferOf('1', { maxAttempts: 1 })],
	])('are not re-sent behind an error output: %s', async (_name, parameters) => {
		simulator.faults.add({ kind: 'reset-after' });
		const settings = { onError: 'continueErrorOutput' };
		const chain = await publishChain(
			scenario.n8n,
			[splitItems, cardTreasury(parameters, credential, settings)],
			{
				aside: [cardTreasury(parameters, credential, { name: 'Second try' })],
				wires: [{ from: NODE, output: 1, to: 'Second try' }],
			},
		);
		await startChain(scenario.n8n, chain, { items: ITEMS.slice(0, 1) });
		const { failure } = await ended(scenario.n8n, chain, 1);
		expect(failure.message).toContain('is equal to a request that was sent earlier');
		expect(amounts()).toEqual([1]);
	});
});
