import { setTimeout as wait } from 'node:timers/promises';
import lodash from 'lodash';

import { documentOf, transferOf } from '../../harness/fixtures.mts';
import { createCredential, simulatorKeys } from '../../harness/n8n/credentials.mts';
import { cardTreasury } from '../../harness/n8n/nodes.mts';
import { publishChain, type ChainNode } from '../../harness/n8n/workflows.mts';
import { startSimulator } from '../../simulator/index.mts';
import type { Table } from '../measured.mts';
import { APPROVED, byRules, purchases } from './authorization.mts';
import { ENGINE_LABELS, loadOf, withInstance, type Instance } from './instance.mts';
import { inTime, sendAt, warmUp, type Load } from './measure.mts';

const PER_SECOND = 20;
/** Bytes of the image that each item carries. */
const IMAGE_BYTES = 1_000_000;

/** Long runs of the action node, with their numbers of items. */
const RUNS: Record<string, [count: number, parameters: object]> = {
	'5,000 transfers as dry run': [5_000, transferOf('={{ $json.number }}', { dryRun: true })],
	'100 documents of 1 MB': [100, documentOf('passport', { options: { replace: true } })],
};

/** Returns numbered items with the image that the webhook got. */
const numbered = (count: number): ChainNode => ({
	name: 'Items',
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: {
		jsCode: `const { binary } = $input.first();
return Array.from({ length: ${count} }, (_, index) => ({ json: { number: String(index + 1) }, binary }));`,
	},
});

/** Measures authorizations by rules, without executions, while the same n8n works on a long run. */
export async function beside(engine: string): Promise<Table[]> {
	const simulator = await startSimulator();
	try {
		return await withInstance(engine, async (instance) => {
			const { n8n } = instance;
			const flow = await byRules('none')(instance);
			const load = loadOf(instance, flow, { event: purchases(), expected: APPROVED });
			const credential = await createCredential(n8n, simulatorKeys(simulator));
			await warmUp(load);
			const rows: Table['rows'] = [];
			for (const [label, [count, parameters]] of Object.entries(RUNS)) {
				const node = cardTreasury(parameters, credential);
				const run = post(instance, [numbered(count), node]);
				const began = performance.now();
				const latencies = await sendWhile(load, run);
				const seconds = ((performance.now() - began) / 1_000).toFixed(1);
				rows.push({ Run: label, Seconds: seconds, ...cellsOf(latencies) });
			}
			return [{ caption: `Authorizations beside a run, ${ENGINE_LABELS[engine]}`, rows }];
		});
	} finally {
		await simulator.close();
	}
}

/** Publishes a workflow, posts an image to it and waits for its end. */
async function post({ n8n }: Instance, nodes: ChainNode[]): Promise<void> {
	const { url } = await publishChain(n8n, nodes, { responseMode: 'lastNode' });
	const body = new FormData();
	body.append('data', new Blob([Buffer.alloc(IMAGE_BYTES, 7)], { type: 'image/png' }), 'a.png');
	const answer = await fetch(url, { method: 'POST', body });
	if (!answer.ok) throw new Error(`The run failed: ${answer.status} ${await answer.text()}`);
}

/** Sends authorizations until the run has ended. @returns their latencies in milliseconds */
async function sendWhile(load: Load, run: Promise<void>): Promise<number[]> {
	const sent: Array<ReturnType<typeof sendAt>> = [];
	let isOver = false;
	const ended = run.finally(() => (isOver = true));
	while (!isOver) {
		sent.push(sendAt(load, PER_SECOND, 1));
		await Promise.race([wait(1_000), ended]);
	}
	return (await Promise.all(sent)).flat().map(({ latencyMs }) => latencyMs);
}

function cellsOf(latencies: number[]) {
	const sorted = lodash.sortBy(latencies);
	const p99 = sorted[Math.ceil(0.99 * sorted.length) - 1]!;
	return {
		'p99 ms': Math.round(p99),
		'Longest ms': Math.round(sorted.at(-1)!),
		'Within 1,200 ms': `${inTime(latencies)} of ${latencies.length}`,
	};
}
