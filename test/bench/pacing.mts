import { publishChain, startChain, type Chain, type ChainNode } from '../n8n/chain.mts';
import { createCredential, endedExecutions, keys, startScenario, type Reference, type Scenario } from '../n8n/scenario.mts';
import { API_KEYS, IDS, startSimulator, type Simulator } from '../simulator/index.mts';
import { until } from '../simulator/until.mts';
import type { Benchmark, Table } from './benchmark.mts';

const OPERATIONS = 300;
/** §8 */
const LIMIT = 15;

const TEXT = [
	'The simulator refuses what exceeds the limit of 15 requests in any second (§8), and says how many requests it got. Each contender gets the same items in one execution, once to warm up and once measured.',
];

/** 300 operations at a latency of 100 ms: this node beside what a user would build from n8n's own. */
export const pacing: Benchmark<Table[]> = {
	name: 'pacing',
	title: `Pacing: ${OPERATIONS} operations against a limit of ${LIMIT} per second, 100 ms latency`,
	parts: ['all'],
	present: ({ all = [] }) => ({ text: TEXT, tables: all }),
	async measure(_, { say }) {
		const simulator = await startSimulator({ latencyMs: 100 });
		const scenario = await startScenario();
		try {
			const credential = await createCredential(scenario.n8n, { ...keys(''), baseUrl: simulator.url, apiKey: API_KEYS[3] });
			const bench = { simulator, scenario, credential };
			const rows = [];
			for (const [label, node] of contenders(bench)) {
				say(`${label} …`);
				rows.push([label, ...(await measure(bench, node))]);
			}
			say('Two batches and a single item …');
			return [
				{ caption: `${OPERATIONS} operations in one execution`, headings: ['Node', 'Operations/s', 'Share of the limit', '429s', 'Lost'], rows },
				await fairness(bench),
			];
		} finally {
			await scenario.close();
			await simulator.close();
		}
	},
};

interface Bench {
	simulator: Simulator;
	scenario: Scenario;
	credential: Reference;
}

const items = (count: number): ChainNode => ({
	name: 'Items', type: 'n8n-nodes-base.code', typeVersion: 2,
	parameters: { jsCode: `return Array.from({ length: ${count} }, (_, index) => ({ json: { index } }));` },
});

const getCard = ({ credential }: Bench): ChainNode => ({
	name: 'Get card', type: 'n8n-nodes-card-treasury.cardTreasury', typeVersion: 1,
	parameters: { resource: 'card', operation: 'get', cardId: IDS.activeCard },
	credentials: { cardTreasuryApi: credential },
});

const httpRequest = ({ simulator }: Bench, options: object): ChainNode => ({
	name: 'HTTP Request', type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, onError: 'continueRegularOutput',
	parameters: {
		url: `${simulator.url}/cards/individual-cards/${IDS.activeCard}`,
		sendHeaders: true,
		headerParameters: { parameters: [{ name: 'x-api-key', value: API_KEYS[3] }] },
		options,
	},
});

const contenders = (bench: Bench): Array<[string, ChainNode]> => [
	['This node', getCard(bench)],
	['HTTP Request', httpRequest(bench, {})],
	['HTTP Request, batches of 15 per 1,000 ms', httpRequest(bench, { batching: { batch: { batchSize: LIMIT, batchInterval: 1_000 } } })],
];

async function measure({ scenario, simulator }: Bench, node: ChainNode): Promise<string[]> {
	const chain = await publishChain(scenario.n8n, [items(OPERATIONS), node]);
	// Once before, so that nothing is measured that happens only the first time.
	await runOnce(scenario, chain, 1);
	simulator.reset();
	await runOnce(scenario, chain, 2);
	const done = simulator.requests.filter(({ status }) => status === 200);
	const seconds = (done.at(-1)!.at - done[0]!.at) / 1_000;
	const rate = seconds > 0 ? (done.length - 1) / seconds : 0;
	const refused = simulator.requests.filter(({ status }) => status === 429).length;
	// A rate above the limit is a burst that the limit let through before it refused the rest.
	return [rate.toFixed(2), `${((rate / LIMIT) * 100).toFixed(1)} %`, String(refused), String(OPERATIONS - done.length)];
}

async function runOnce({ n8n }: Scenario, chain: Chain, executions: number): Promise<void> {
	await startChain(n8n, chain);
	await endedExecutions(n8n, chain, executions);
}

async function fairness(bench: Bench): Promise<Table> {
	const { scenario, simulator } = bench;
	const batch = await publishChain(scenario.n8n, [items(100), getCard(bench)]);
	const single = await publishChain(scenario.n8n, [items(1), getCard(bench)]);
	simulator.reset();
	const began = performance.now();
	await Promise.all([startChain(scenario.n8n, batch), startChain(scenario.n8n, batch)]);
	await until(() => simulator.requests.length >= 40, 30_000);
	const singleBegan = performance.now();
	await startChain(scenario.n8n, single);
	await endedExecutions(scenario.n8n, single, 1);
	const singleTook = performance.now() - singleBegan;
	await endedExecutions(scenario.n8n, batch, 2);
	const seconds = (value: number) => `${(value / 1_000).toFixed(2)} s`;
	return {
		caption: 'Two executions of 100 items at once, and one of a single item that starts later',
		headings: ['', 'Result'],
		rows: [
			['All 201 operations', seconds(performance.now() - began)],
			['The single item, from its start to the end of its execution', seconds(singleTook)],
			['429s', String(simulator.rateLimit.refused)],
			['Operations carried out', String(simulator.requests.filter(({ status }) => status === 200).length)],
		],
	};
}
