import { publishChain, startChain, type Chain, type ChainNode } from '../../harness/n8n/chain.mts';
import {
	createCredential,
	endedExecutions,
	simulatorKeys,
	startScenario,
	type Reference,
	type Scenario,
} from '../../harness/n8n/scenario.mts';
import { API_KEYS, IDS, startSimulator, type Simulator } from '../../simulator/index.mts';
import { until } from '../../simulator/until.mts';
import type { Benchmark, Table } from './benchmark.mts';
import { ENGINE_LABELS, ENGINES, engineEnv } from './instance.mts';
import { cardOf } from '../../harness/fixtures.mts';
import { cardTreasury } from '../../harness/n8n/nodes.mts';

const OPERATIONS = 300;
/** §8 */
const LIMIT = 15;

const TEXT = [
	"The simulator rejects what exceeds the limit of 15 requests in any second (§8), and counts the requests it gets. Each contender gets the same items, after a few to warm up. *Seconds* are from the first request to the last; *per second* counts only what was executed, over at least one second. n8n's HTTP Request node goes on after a rejection here (*On Error: Continue*), and what was rejected is lost.",
	'This node starts 15 requests per 1,024 ms, which is 97.7 % of the limit. Before n8n sends a request, it reads the credential from its database. Now and then that takes far longer than the 24 ms to spare; the request then arrives late, and is one too many. After a 429 the node is 15 % slower, and back at full pace nine seconds later, so each late request costs a run of 20 seconds about 4 %. The aim of 95 % for one process is therefore missed wherever n8n delays more than one of 300 requests.',
];

/** 300 operations at a latency of 100 ms: this node next to what a user would build from n8n's own. */
export const pacing: Benchmark<Table[]> = {
	name: 'pacing',
	title: `Pacing: ${OPERATIONS} operations against a limit of ${LIMIT} per second, 100 ms latency`,
	parts: ENGINES,
	present: (measured) => ({
		inShort: ENGINES.flatMap((engine) =>
			measured[engine] ? [inShort(ENGINE_LABELS[engine]!, measured[engine])] : [],
		).join(' '),
		text: TEXT,
		tables: ENGINES.flatMap((engine) =>
			measured[engine] ? inWords(ENGINE_LABELS[engine]!, measured[engine]) : [],
		),
	}),
	async measure(engine, { say }) {
		const simulator = await startSimulator({ latencyMs: 100 });
		const scenario = await startScenario(engineEnv(engine));
		try {
			const credential = await createCredential(scenario.n8n, simulatorKeys(simulator));
			const bench = { simulator, scenario, credential };
			const rows = [];
			for (const [label, node, executions] of contenders(bench)) {
				say(`${label} …`);
				rows.push([label, ...(await measure(bench, node, executions))]);
			}
			say('Two batches and a single item …');
			return [{ caption: 'Operations', headings: HEADINGS, rows }, await fairness(bench)];
		} finally {
			await scenario.close();
			await simulator.close();
		}
	},
};

const HEADINGS = [
	'Node',
	'Executed',
	'Rejected (429)',
	'Seconds',
	'Executed per second',
	'Share of the limit',
];

/** Kept results are rows; their headings are worded here. */
function inWords(label: string, [operations, fair]: Table[]): Table[] {
	return [
		{
			caption: `${OPERATIONS} operations, ${label}`,
			headings: HEADINGS,
			rows: operations!.rows,
		},
		{
			caption: `Two executions of 100 items at once, and one of a single item that starts later, ${label}`,
			headings: ['', 'Result'],
			rows: FAIRNESS.map((what, place) => [what, fair!.rows[place]!.at(-1)!]),
		},
	];
}

const FAIRNESS = [
	'All 201 operations',
	'The single item, from its start to the end of its execution',
	'429s',
	'Operations executed',
];

/** What came of all items with this node, and without it. */
function inShort(label: string, [operations, fair]: Table[]): string {
	const [one, two, plain] = operations!.rows;
	const share = (row: string[] | undefined) => row?.at(-1);
	return `With ${label}, this node executed ${one?.[1]} operations at ${share(one)} of the limit, with ${one?.[2]} rejected; two executions at once ${two?.[1]} at ${share(two)}, with ${two?.[2]} rejected. HTTP Request without batches executed ${plain?.[1]}. A single item next to two batches took ${fair?.rows[1]?.at(-1)}.`;
}

interface Bench {
	simulator: Simulator;
	scenario: Scenario;
	credential: Reference;
}

const items = (count: number): ChainNode => ({
	name: 'Items',
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: {
		jsCode: `return Array.from({ length: ${count} }, (_, index) => ({ json: { index } }));`,
	},
});

const getCard = ({ credential }: Bench): ChainNode =>
	cardTreasury(cardOf('get'), credential, { name: 'Get card' });

const httpRequest = ({ simulator }: Bench, options: object): ChainNode => ({
	name: 'HTTP Request',
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	onError: 'continueRegularOutput',
	parameters: {
		url: `${simulator.url}/cards/individual-cards/${IDS.activeCard}`,
		sendHeaders: true,
		headerParameters: { parameters: [{ name: 'x-api-key', value: API_KEYS[3] }] },
		options,
	},
});

/** The operations are spread over so many executions that start at once. */
const contenders = (bench: Bench): Array<[label: string, node: ChainNode, executions: number]> => {
	const batches = httpRequest(bench, {
		batching: { batch: { batchSize: LIMIT, batchInterval: 1_000 } },
	});
	return [
		['This node', getCard(bench), 1],
		['This node, two executions at once', getCard(bench), 2],
		['HTTP Request', httpRequest(bench, {}), 1],
		['HTTP Request, batches of 15 per 1,000 ms', batches, 1],
		['HTTP Request, the same batches, two executions at once', batches, 2],
	];
};

async function measure(
	{ scenario, simulator }: Bench,
	node: ChainNode,
	executions: number,
): Promise<string[]> {
	const warmUp = await publishChain(scenario.n8n, [items(LIMIT), node]);
	await run(scenario, warmUp, 1);
	const chain = await publishChain(scenario.n8n, [items(OPERATIONS / executions), node]);
	simulator.reset();
	await run(scenario, chain, executions);
	const done = simulator.requests.filter(({ status }) => status === 200);
	const rejected = simulator.requests.filter(({ status }) => status === 429).length;
	const took = (simulator.requests.at(-1)!.at - simulator.requests[0]!.at) / 1_000;
	// What is executed within the limit's first second says nothing about a rate that could be kept up.
	const rate = done.length / Math.max(1, took);
	return [
		`${done.length} of ${OPERATIONS}`,
		String(rejected),
		took.toFixed(1),
		rate.toFixed(1),
		done.length === OPERATIONS ? `${((rate / LIMIT) * 100).toFixed(1)} %` : '–',
	];
}

/** Starts so many executions at once, and waits until they have ended. */
async function run({ n8n }: Scenario, chain: Chain, executions: number): Promise<void> {
	await Promise.all(Array.from({ length: executions }, async () => await startChain(n8n, chain)));
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
		caption: 'Fairness',
		headings: ['', 'Result'],
		rows: [
			['All 201 operations', seconds(performance.now() - began)],
			['The single item, from its start to the end of its execution', seconds(singleTook)],
			['429s', String(simulator.rateLimit.rejected)],
			[
				'Operations executed',
				String(simulator.requests.filter(({ status }) => status === 200).length),
			],
		],
	};
}
