import { setTimeout as wait } from 'node:timers/promises';
import lodash from 'lodash';
import { Agent } from 'undici';

import { transferOf } from '../harness/fixtures.mts';
import { createCredential, simulatorKeys, type Reference } from '../harness/n8n/credentials.mts';
import { answered, send } from '../harness/n8n/deliveries.mts';
import type { N8nAccess } from '../harness/n8n/n8n.mts';
import { cardTreasury, code, noOp, respond } from '../harness/n8n/nodes.mts';
import { startScenario } from '../harness/n8n/scenario.mts';
import {
	publish,
	publishChain,
	publishWorkflow,
	type ChainNode,
} from '../harness/n8n/workflows.mts';
import { decisions, REST } from '../harness/workflows/cases/cards.mts';
import { writeTable } from '../harness/workflows/dataTables.mts';
import {
	importWorkflow,
	readWorkflow,
	withCredentials,
} from '../harness/workflows/workflowFiles.mts';
import { sampleOf } from '../samples/operations.mts';
import { sampleEvent, startSimulator } from '../simulator/index.mts';

/** The first rate warms n8n up. */
const RATES = [5, 5, 10, 20, 50, 100, 150, 200];
const SECONDS = 15;
const DEADLINE_MS = 1_200;

const upTo = (amountTo: string) => ({ amountTo, currencies: 'USD' });
const small = { name: 'Small', decision: 'approve', conditions: upTo('149') };
const large = { name: 'Large', decision: 'ask', conditions: upTo('1000') };

/** Ways to decide: parameters of the trigger, and the node behind it. */
const waysFor = (credential: Reference): Record<string, [parameters: object, node: ChainNode]> => ({
	'Rules, no execution': [byRules('none', 'approve'), noOp('Behind')],
	'Rules, an execution for each': [byRules('all', 'approve'), noOp('Behind')],
	'Rules, 5 % asked': [byRules('none', 'ask'), respond(credential)],
	// The fallback declines, so an answer at the deadline differs from the workflow's.
	'Workflow with Respond': [{ defaultDecision: 'ask' }, respond(credential)],
});
const byRules = (runWorkflowFor: 'none' | 'all', decision: string) => ({
	rules: { rule: [small, { ...large, decision }] },
	options: { runWorkflowFor },
});

/** Publishes the shipped workflow, whose table approves every purchase that its rules do not decline. */
async function publishTable(n8n: N8nAccess, cardTreasuryApi: Reference) {
	for (const [table, rows] of Object.entries(decisions(REST))) await writeTable(n8n, table, rows);
	const file = withCredentials(readWorkflow('decide-purchases.json'), { cardTreasuryApi });
	const workflow = await importWorkflow(n8n, file);
	await publish(n8n, workflow);
	return workflow;
}

/** Long runs of the action node, with their numbers of items. */
const RUNS: Record<string, [count: number, parameters: object]> = {
	'5,000 transfers as dry run': [5_000, transferOf('={{ $json.number }}', { dryRun: true })],
	'100 documents of 1 MB': [
		100,
		sampleOf('productRequest: submitDocument', { options: { replace: true } }),
	],
};

/** Returns numbered items, for documents each with a file of 1 MB. */
const itemsOf = (count: number, parameters: object) =>
	code(
		'Items',
		`const items = Array.from({ length: ${count} }, (_, index) => ({ json: { number: String(index + 1) } }));
if (${'frontImageField' in parameters})
	for (const item of items)
		item.binary = { data: await this.helpers.prepareBinaryData(Buffer.alloc(1_000_000, 7), 'a.png') };
return items;`,
	);

/** Sends purchases at a fixed rate without waiting for answers, one in twenty of them large. */
async function purchases(url: string, perSecond: number, goOn: (sent: number) => boolean) {
	const dispatcher = new Agent();
	const start = performance.now();
	const sent: Array<Promise<{ ms: number; isApproved: boolean }>> = [];
	const buy = async (n: number, dueAt: number) => {
		const data = { bill_amount: n % 20 === 0 ? '200.00' : '52.35' };
		const event = sampleEvent('cards.authorization', { data });
		// A late answer shows its delay, measured from the time when it was due.
		const attempt = await send({ url }, event, { timeoutMs: 60_000, dispatcher });
		return { ms: performance.now() - dueAt, isApproved: attempt.body === answered('00').body };
	};
	for (let n = 0; goOn(n); n++) {
		const dueAt = start + (n * 1_000) / perSecond;
		await wait(Math.max(0, dueAt - performance.now()));
		sent.push(buy(n, dueAt));
	}
	const all = await Promise.all(sent);
	await dispatcher.destroy();
	const ms = all.map((each) => each.ms).sort((one, other) => one - other);
	return {
		Purchases: all.length,
		'Within 1,200 ms': ms.filter((each) => each <= DEADLINE_MS).length,
		Approved: all.filter(({ isApproved }) => isApproved).length,
		'p99 ms': Math.round(ms[Math.ceil(0.99 * ms.length) - 1]!),
		'Longest ms': Math.round(ms.at(-1)!),
	};
}

/**
 * Measures card authorizations in the real n8n: each way at rising rates, up to the first that it cannot keep up with,
 * then rules without executions beside a long run.
 */
export async function bench(engine: string): Promise<void> {
	const simulator = await startSimulator();
	const scenario = await startScenario({
		N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: String(engine === 'lazy'),
		// Otherwise the files pass through n8n's runner of code as one message, which stops all else.
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	});
	try {
		const { n8n } = scenario;
		const credential = await createCredential(n8n, simulatorKeys(simulator));
		const ways = waysFor(credential);
		const publishWay = async ([parameters, node]: [object, ChainNode]) =>
			await publishWorkflow(n8n, credential, { events: ['cards.authorization'], ...parameters }, [
				[node],
			]);
		const all: Record<string, () => Promise<{ url: string }>> = {
			...lodash.mapValues(ways, (way) => async () => await publishWay(way)),
			'Decide purchases by a table': async () => await publishTable(n8n, credential),
		};
		for (const [way, open] of Object.entries(all)) {
			const { url } = await open();
			// Work that an earlier way has not finished would count against this one.
			await scenario.restart();
			for (const rate of RATES) {
				const row = await purchases(url, rate, (sent) => sent < rate * SECONDS);
				console.table([{ Way: way, 'Per second': rate, ...row }]);
				if (Math.min(row['Within 1,200 ms'], row.Approved) < 0.99 * row.Purchases) break;
			}
		}
		const { url } = await publishWay(ways['Rules, no execution']!);
		await scenario.restart();
		for (const [run, [count, parameters]] of Object.entries(RUNS)) {
			const nodes = [itemsOf(count, parameters), cardTreasury(parameters, credential)];
			const chain = await publishChain(n8n, nodes, { responseMode: 'lastNode' });
			let isOver = false;
			const ended = fetch(chain.url, { method: 'POST' }).finally(() => (isOver = true));
			console.table([{ Beside: run, ...(await purchases(url, 20, () => !isOver)) }]);
			const answer = await ended;
			if (!answer.ok) throw new Error(`The run failed: ${run}: ${await answer.text()}`);
		}
	} finally {
		await scenario.close();
		await simulator.close();
	}
}
