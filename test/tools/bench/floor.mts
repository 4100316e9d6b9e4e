import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { DEFAULT_WEBHOOK_KEY, sampleEvent } from '../../simulator/index.mts';
import type { Benchmark, RunOptions } from './benchmark.mts';
import { bareTrigger, noOp, publishFlow, webhook, type FlowNode } from './flow.mts';
import { ENGINE_LABELS, ENGINES, withInstance, type Instance } from './instance.mts';
import {
	LADDER_TEXT,
	climb,
	climbTable,
	milliseconds,
	type Climb,
	type Climber,
} from './ladder.mts';

const RATES = [40, 80, 160];

/** What the sender, the machine and n8n cost before this pack does anything. */
export const floor: Benchmark<Climb[]> = {
	name: 'floor',
	title: 'Floor: what the sender and n8n cost without this pack',
	parts: ENGINES,
	async measure(engine, options) {
		return await withInstance(engine, async (instance) => await climbAll(instance, options));
	},
	present: (measured) => ({
		inShort: ENGINES.flatMap((engine) =>
			measured[engine] ? [inShort(ENGINE_LABELS[engine]!, measured[engine])] : [],
		).join(' '),
		text: [
			"The same sender against a bare Node HTTP server, against n8n's own Webhook node, and against a trigger of another package that does the least a trigger can do. Nothing behind n8n can be faster than this.",
			LADDER_TEXT,
		],
		tables: ENGINES.flatMap((engine) =>
			measured[engine] ? [climbTable(`Floor, ${ENGINE_LABELS[engine]}`, measured[engine])] : [],
		),
	}),
};

const ANSWER_ONLY = 'Bare trigger, answers without a run';
const STORE = 'Bare trigger, answers when the run is stored';

/** What n8n takes for a delivery before a node of this pack does anything. */
function inShort(label: string, climbs: Climb[]): string {
	const first = (name: string) => climbs.find(({ contender }) => contender === name)?.figures[0];
	const cpu = (name: string) => milliseconds(first(name)?.cpuMsPerEvent ?? null);
	return `With ${label}, at ${first(STORE)?.ratePerSecond} deliveries per second, n8n itself takes ${cpu(ANSWER_ONLY)} ms of processor time for a delivery that runs nothing, and ${cpu(STORE)} ms for one whose execution it stores first.`;
}

async function climbAll({ n8n }: Instance, options: RunOptions): Promise<Climb[]> {
	const server = await startBareServer();
	try {
		const climber = (
			contender: string,
			{ url, pid }: { url: string; pid: number },
			expected?: string | number,
		): Climber => ({
			contender,
			load: {
				url,
				pid,
				webhookKey: DEFAULT_WEBHOOK_KEY,
				event: () => sampleEvent('cards.cleared'),
				...(expected !== undefined && { expected }),
			},
		});
		const flow = async (node: FlowNode) => ({
			...(await publishFlow(n8n, node, [[noOp]])),
			pid: n8n.pid,
		});
		const approved = '{"response_code":"00"}';
		const climbers = [
			climber('Bare Node HTTP server', server),
			climber(ANSWER_ONLY, await flow(bareTrigger('answer')), approved),
			climber(
				'Bare trigger, answers, then a run',
				await flow(bareTrigger('answerAndRun')),
				approved,
			),
			climber(STORE, await flow(bareTrigger('store'))),
			climber(
				'n8n: Webhook, answers when the run is stored',
				await flow(webhook(undefined, 'onReceived')),
				200,
			),
		];
		return await climb(climbers, options.rates ?? RATES, options);
	} finally {
		await server.close();
	}
}

interface BareServer {
	url: string;
	pid: number;
	close(): Promise<void>;
}

const SERVER = `require('http').createServer((request, response) => {
	let body = '';
	request.on('data', (chunk) => (body += chunk));
	request.on('end', () => {
		JSON.parse(body);
		response.setHeader('Content-Type', 'application/json');
		response.end('{"response_code":"OK"}');
	});
}).listen(0, '127.0.0.1', function () { process.send(this.address().port); });`;

/** In a process of its own, as n8n is. */
async function startBareServer(): Promise<BareServer> {
	const child: ChildProcess = spawn(process.execPath, ['-e', SERVER], {
		stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
	});
	const [port] = (await once(child, 'message')) as [number];
	return {
		url: `http://127.0.0.1:${port}`,
		pid: child.pid!,
		async close() {
			const closed = once(child, 'close');
			child.kill();
			await closed;
		},
	};
}
