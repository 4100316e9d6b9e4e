import { publishChain, startChain, type Chain, type ChainNode } from '../harness/n8n/chain.mts';
import {
	createCredential,
	endedExecutions,
	eventually,
	executions,
	simulatorKeys,
	startScenario,
	type Reference,
	type Scenario,
} from '../harness/n8n/scenario.mts';
import { IDS, startSimulator, type Simulator } from '../simulator/index.mts';
import { until } from '../simulator/until.mts';

let scenario: Scenario;
let simulator: Simulator;
let credential: Reference;

beforeAll(async () => {
	simulator = await startSimulator();
	scenario = await startScenario();
	credential = await createCredential(scenario.n8n, simulatorKeys(simulator));
}, 1_500_000);

afterAll(async () => {
	await scenario?.close();
	await simulator?.close();
});

beforeEach(() => simulator.reset());

/** Gives so many items, each with an amount of its own. */
const payments = (count: number): ChainNode => ({
	name: 'Payments',
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: {
		jsCode: `return Array.from({ length: ${count} }, (_, index) => ({ json: { amount: String(index + 1) } }));`,
	},
});

const transfer = (options: object = {}, settings: object = {}): ChainNode => ({
	name: 'Transfer',
	type: 'n8n-nodes-card-treasury.cardTreasury',
	typeVersion: 1,
	parameters: {
		resource: 'wallet',
		operation: 'transfer',
		accountId: IDS.account,
		walletId: IDS.wallet,
		to: '0x52908400098527886E0F7030069857D2E4169EE7',
		tokenAddress: { __rl: true, mode: 'id', value: '' },
		amount: '={{ $json.amount }}',
		options,
	},
	credentials: { cardTreasuryApi: credential },
	...settings,
});

const amounts = () =>
	simulator.ledger.map(({ amountText }) => Number(amountText)).sort((left, right) => left - right);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
/** How many different keys were sent for each amount. */
const keysPerAmount = () => {
	const found = new Map<string, Set<unknown>>();
	for (const { bodyText, headers } of simulator.requests) {
		const { amount } = JSON.parse(bodyText) as { amount: number };
		found.set(
			String(amount),
			(found.get(String(amount)) ?? new Set()).add(headers['idempotency-key']),
		);
	}
	return [...new Set([...found.values()].map(({ size }) => size))];
};

const retry = async (id: string, loadWorkflow = false) =>
	await scenario.n8n.rest('POST', `/rest/executions/${id}/retry`, { loadWorkflow });
const errorOf = async (id: string) =>
	String((await scenario.n8n.rest('GET', `/rest/executions/${id}`)).data);

/** What the service did not turn away for coming too fast, as can happen while the machine is busy. */
const taken = () => simulator.requests.length - simulator.rateLimit.refused;

it('Retry On Fail sends every key again unchanged', async () => {
	simulator.faults.add({ kind: 'status', status: 500, effect: true, times: 2 });
	const chain = await publishChain(scenario.n8n, [
		payments(5),
		transfer({ maxTries: 1 }, { retryOnFail: true, maxTries: 5, waitBetweenTries: 100 }),
	]);
	await startChain(scenario.n8n, chain);
	const [row] = await endedExecutions(scenario.n8n, chain, 1);
	expect(row!.status).toBe('success');
	expect(simulator.requests.length).toBeGreaterThan(5);
	expect(keysPerAmount()).toEqual([1]);
	expect(amounts()).toEqual(upTo(5));
});

it.each([
	['original', false],
	['currently saved', true],
])(
	'a manual retry with the %s workflow sends every key again unchanged, also those of items that had not been reached',
	async (_name, loadWorkflow) => {
		simulator.faults.add({ kind: 'status', status: 500, effect: true, times: 1 });
		const chain = await publishChain(scenario.n8n, [payments(40), transfer()]);
		await startChain(scenario.n8n, chain);
		const [failed] = await endedExecutions(scenario.n8n, chain, 1);
		expect(failed!.status).toBe('error');
		const before = taken();
		expect(before).toBeLessThan(40);
		await retry(failed!.id, loadWorkflow);
		const rows = await endedExecutions(scenario.n8n, chain, 2);
		expect(rows.map(({ status }) => status)).toEqual(['error', 'success']);
		expect(taken()).toBe(before + 40);
		expect(keysPerAmount()).toEqual([1]);
		expect(amounts()).toEqual(upTo(40));
		// Another execution is other work.
		await startChain(scenario.n8n, chain);
		await endedExecutions(scenario.n8n, chain, 3);
		expect(simulator.ledger).toHaveLength(80);
	},
);

it('Stop sends nothing more; with a key of your own, a new execution sends the rest only', async () => {
	const chain = await publishChain(scenario.n8n, [
		payments(60),
		transfer({ idempotencyKey: '=stopped-{{ $json.amount }}' }),
	]);
	await startChain(scenario.n8n, chain);
	await until(() => simulator.requests.length >= 10, 30_000);
	const [running] = await executions(scenario.n8n, chain);
	await scenario.n8n.rest('POST', `/rest/executions/${running!.id}/stop`);
	// n8n offers no retry of an execution with this status, and keeps nothing of what the node had to say.
	expect((await endedExecutions(scenario.n8n, chain, 1))[0]!.status).toBe('canceled');
	expect(simulator.requests.length).toBeLessThan(60);
	await startChain(scenario.n8n, chain);
	await endedExecutions(scenario.n8n, chain, 2);
	expect(keysPerAmount()).toEqual([1]);
	expect(amounts()).toEqual(upTo(60));
});

it('in a sub-workflow the message names the key that sends it again once, for a retry of the parent would be new work', async () => {
	const called: ChainNode = {
		name: 'Called',
		type: 'n8n-nodes-base.executeWorkflowTrigger',
		typeVersion: 1.1,
		parameters: { inputSource: 'passthrough' },
	};
	const child = await publishChain(scenario.n8n, [transfer({ maxTries: 1 })], {
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
	const [failed] = await endedExecutions(scenario.n8n, child, 1);
	const said = await errorOf(failed!.id);
	expect(said).toContain('Send it again only with the idempotency key below');
	const idempotencyKey = /Idempotency key: ([0-9a-f-]{36})/.exec(said)?.[1];
	const again = await publishChain(scenario.n8n, [payments(1), transfer({ idempotencyKey })]);
	await startChain(scenario.n8n, again);
	expect((await endedExecutions(scenario.n8n, again, 1))[0]!.status).toBe('success');
	expect(simulator.requests).toHaveLength(2);
	expect(simulator.ledger).toHaveLength(1);
});

describe('after n8n was killed in the middle of 50 transfers', () => {
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

	it('a retry without own keys is refused: nothing is sent, however often it is tried', async () => {
		const chain = await killedInTheMiddle({});
		const before = simulator.requests.length;
		for (const count of [2, 3]) {
			const last = (await executions(scenario.n8n, chain)).at(-1)!;
			await retry(last.id);
			const rows = await endedExecutions(scenario.n8n, chain, count);
			expect(rows.at(-1)!.status).toBe('error');
			expect(await errorOf(rows.at(-1)!.id)).toContain('cut off while it was sending');
		}
		expect(simulator.requests.length).toBe(before);
	});

	it('with a key of your own, a retry and a new execution both send the rest only', async () => {
		const chain = await killedInTheMiddle({ idempotencyKey: '=invoice-{{ $json.amount }}' });
		const [crashed] = await executions(scenario.n8n, chain);
		await retry(crashed!.id);
		await startChain(scenario.n8n, chain);
		const rows = await endedExecutions(scenario.n8n, chain, 3);
		expect(rows.map(({ status }) => status)).toEqual(['crashed', 'success', 'success']);
		expect(keysPerAmount()).toEqual([1]);
		expect(amounts()).toEqual(upTo(50));
	});
});
