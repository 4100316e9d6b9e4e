import { cardOf } from '../../harness/fixtures.mts';
import { publishChain, startChain, type Chain, type ChainNode } from '../../harness/n8n/chain.mts';
import { cardTreasury } from '../../harness/n8n/nodes.mts';
import {
	createCredential,
	endedExecutions,
	simulatorKeys,
	startScenario,
	type Scenario,
} from '../../harness/n8n/scenario.mts';
import { items } from '../../harness/queue/transfers.mts';
import { API_KEYS, IDS, startSimulator, type Simulator } from '../../simulator/index.mts';
import { until } from '../../simulator/until.mts';
import type { Table } from '../measured.mts';
import { ENGINE_LABELS, engineEnv } from './instance.mts';

const OPERATIONS = 300;
/** Limit of §8. */
const LIMIT = 15;

/** Measures 300 operations at a latency of 100 ms, with this node and with n8n's own nodes. */
export async function pacing(engine: string): Promise<Table[]> {
	const simulator = await startSimulator({ latencyMs: 100 });
	const scenario = await startScenario(engineEnv(engine));
	const bench = { simulator, scenario };
	try {
		const credential = await createCredential(scenario.n8n, simulatorKeys(simulator));
		const getCard = cardTreasury(cardOf('get'), credential, { name: 'Get card' });
		const rows: Table['rows'] = [];
		for (const [label, node, executions] of contenders(getCard, simulator)) {
			console.log(label);
			rows.push({ Node: label, ...(await measure(bench, node, executions)) });
		}
		const label = ENGINE_LABELS[engine];
		return [
			{ caption: `${OPERATIONS} operations, ${label}`, rows },
			{
				caption: `Two executions of 100 items at once, and one of a single item that starts later, ${label}`,
				rows: [await fairness(bench, getCard)],
			},
		];
	} finally {
		await scenario.close();
		await simulator.close();
	}
}

interface Bench {
	simulator: Simulator;
	scenario: Scenario;
}

const httpRequest = ({ url }: Simulator, options: object): ChainNode => ({
	name: 'HTTP Request',
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	onError: 'continueRegularOutput',
	parameters: {
		url: `${url}/cards/individual-cards/${IDS.activeCard}`,
		sendHeaders: true,
		headerParameters: { parameters: [{ name: 'x-api-key', value: API_KEYS[3] }] },
		options,
	},
});

/** Spreads the operations over executions that start together. */
function contenders(
	getCard: ChainNode,
	simulator: Simulator,
): Array<[label: string, node: ChainNode, executions: number]> {
	const batches = httpRequest(simulator, {
		batching: { batch: { batchSize: LIMIT, batchInterval: 1_000 } },
	});
	return [
		['This node', getCard, 1],
		['This node, two executions at once', getCard, 2],
		['HTTP Request', httpRequest(simulator, {}), 1],
		['HTTP Request, batches of 15 per 1,000 ms', batches, 1],
		['HTTP Request, the same batches, two executions at once', batches, 2],
	];
}

const withStatus = ({ requests }: Simulator, wanted: number) =>
	requests.filter(({ status }) => status === wanted).length;

async function measure({ scenario, simulator }: Bench, node: ChainNode, executions: number) {
	const warmUp = await publishChain(scenario.n8n, [items(LIMIT), node]);
	await run(scenario, warmUp, 1);
	const chain = await publishChain(scenario.n8n, [items(OPERATIONS / executions), node]);
	simulator.reset();
	await run(scenario, chain, executions);
	const done = withStatus(simulator, 200);
	const took = (simulator.requests.at(-1)!.at - simulator.requests[0]!.at) / 1_000;
	// Operations within the first second say nothing about a sustained rate.
	const rate = done / Math.max(1, took);
	return {
		Executed: `${done} of ${OPERATIONS}`,
		'Rejected (429)': withStatus(simulator, 429),
		Seconds: took.toFixed(1),
		'Executed per second': rate.toFixed(1),
		'Share of the limit': done === OPERATIONS ? `${((rate / LIMIT) * 100).toFixed(1)} %` : '–',
	};
}

/** Starts the executions together and waits until they have ended. */
async function run({ n8n }: Scenario, chain: Chain, executions: number): Promise<void> {
	await Promise.all(Array.from({ length: executions }, async () => await startChain(n8n, chain)));
	await endedExecutions(n8n, chain, executions);
}

async function fairness({ scenario: { n8n }, simulator }: Bench, getCard: ChainNode) {
	const batch = await publishChain(n8n, [items(100), getCard]);
	const single = await publishChain(n8n, [items(1), getCard]);
	simulator.reset();
	const began = performance.now();
	await Promise.all([startChain(n8n, batch), startChain(n8n, batch)]);
	await until(() => simulator.requests.length >= 40, 30_000);
	const singleBegan = performance.now();
	await startChain(n8n, single);
	await endedExecutions(n8n, single, 1);
	const singleTook = performance.now() - singleBegan;
	await endedExecutions(n8n, batch, 2);
	const seconds = (value: number) => `${(value / 1_000).toFixed(2)} s`;
	return {
		'All 201 operations': seconds(performance.now() - began),
		'The single item, from its start to the end of its execution': seconds(singleTook),
		'429s': simulator.rateLimit.rejected,
		'Operations executed': withStatus(simulator, 200),
	};
}
