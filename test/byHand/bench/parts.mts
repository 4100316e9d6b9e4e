import { join } from 'node:path';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { createProcessState, run } from '../../../nodes/CardTreasury/n8n/run.ts';
import { transferOf } from '../../harness/fixtures.mts';
import { Notes } from '../../harness/notes.mts';
import { VirtualTime } from '../../model/virtualTime.mts';
import type { Table } from '../measured.mts';
import { earlierNodes, ROOT } from './earlierNodes.mts';
import { watchTurns } from './watchTurns.mts';

interface Action {
	run: typeof run;
	createProcessState: typeof createProcessState;
}

const RUN = 'nodes/CardTreasury/n8n/run.ts';
/** Last commit whose batches were recorded as a whole. */
const BEFORE = 'e3b889c';
export const PART_CODES = ['now', 'compared'] as const;

const PAYMENTS = 300;
const LATENCIES_MS = [100, 500, 2_000];
/** Limit of §8. */
const LIMIT = 15;
/** Notes of a node that is in use for long, and milliseconds that the database needs besides. */
const STORED = 15_000;
const DATABASE_MS = 5;

/**
 * Measures the pace of a batch, its calls to the database and its longest block of the event loop. Runs in virtual time,
 * so that other load on the machine has no effect.
 */
export async function parts(name: string): Promise<Table[]> {
	const now = (await import(join(ROOT, RUN))) as Action;
	const codes: Array<[string, Action]> = [['now', now]];
	if (name === 'compared')
		codes.unshift([BEFORE, (await import(join(earlierNodes(BEFORE), RUN))) as Action]);
	const rows: Table['rows'] = [];
	for (const latency of LATENCIES_MS)
		for (const [code, action] of codes) {
			const measured = await measure(action, latency);
			console.log(`${code}, answers after ${latency} ms: ${JSON.stringify(measured)}`);
			rows.push({ Code: code, 'Answer after': `${latency / 1_000} s`, ...measured });
		}
	return [{ caption: `${PAYMENTS} payments, ${STORED} notes stored before`, rows }];
}

async function measure(action: Action, latency: number) {
	const notes = new Notes();
	notes.record(
		'node',
		Array.from({ length: STORED }, (_, at) => `stored-${at}`),
	);
	const time = new VirtualTime();
	const sleep = async (ms: number) =>
		await new Promise<void>((resolve) => void time.after(ms, resolve));
	const starts: number[] = [];
	let calls = 0;
	const database = async <Result,>(work: () => Result): Promise<Result> => {
		calls += 1;
		await sleep(DATABASE_MS);
		// n8n parses the whole row, and writes it back as text.
		const row = JSON.stringify(JSON.parse(JSON.stringify(notes.of('node'))));
		const result = work();
		await sleep(row.length > 0 ? DATABASE_MS : 0);
		return result;
	};
	const n8n = contextOf({
		checkProcessedAndRecord: async (keys: string[]) =>
			await database(() => notes.record('node', keys)),
		removeProcessed: async (keys: string[]) => await database(() => notes.remove('node', keys)),
		httpRequestWithAuthentication: async () => {
			starts.push(time.now());
			await sleep(latency);
			const body = Buffer.from('{"status":"SUCCESS"}');
			return { statusCode: 200, headers: {}, body };
		},
	});
	const clock = time.clockOf({ alive: true });
	// The node yields while it reads the items, by the time that this takes.
	let reading = 0;
	const now = () => {
		if (starts.length === 0) reading = process.cpuUsage().user / 1_000;
		return clock.now() + reading;
	};
	const state = action.createProcessState({ ...clock, now });
	const began = time.now();
	const longest = watchTurns();
	const running = action.run(n8n, state);
	await time.until(running);
	const block = longest();
	const output = await running;
	const done = output.filter(({ json }) => json.status === 'SUCCESS').length;
	if (done !== PAYMENTS) throw new Error(`${done} of ${PAYMENTS} were accepted`);
	const seconds = (starts.at(-1)! - began) / 1_000;
	const span = (starts.at(-1)! - starts[0]!) / 1_000;
	return {
		'Share of the limit': `${Math.round((1_000 * (PAYMENTS - 1)) / span / LIMIT) / 10} %`,
		'With the time before the first': `${Math.round((1_000 * PAYMENTS) / seconds / LIMIT) / 10} %`,
		'Calls per payment': Math.round((1_000 * calls) / PAYMENTS) / 1_000,
		'Longest block': `${Math.round(block)} ms`,
	};
}

/** n8n as far as a batch of transfers needs it. */
function contextOf(helpers: object): IExecuteFunctions {
	const of = (index: number): Record<string, unknown> => ({
		...transferOf(`${index + 1}`),
		tokenAddress: 'native',
		paymentReference: `INV-${index}`,
	});
	const contexts: Record<string, object> = { flow: {}, node: {} };
	const node = {
		name: 'Card Treasury',
		type: 'n8n-nodes-card-treasury.cardTreasury',
		typeVersion: 1,
		id: 'node',
		position: [0, 0],
		parameters: of(0),
	};
	return {
		getNode: () => node,
		getWorkflow: () => ({ id: 'workflow', name: 'Payments' }),
		getExecutionId: () => '1',
		getExecutionContext: () => ({ establishedAt: 1_000 }),
		getWorkflowSettings: () => ({}),
		getExecutionCancelSignal: () => undefined,
		getContext: (name: string) => contexts[name],
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		getMode: () => 'trigger',
		getTimezone: () => 'Europe/Berlin',
		continueOnFail: () => false,
		getInputData: () => Array.from({ length: PAYMENTS }, (_, item) => ({ json: { item } })),
		getNodeParameter: (name: string, index: number, fallback: unknown) =>
			of(index)[name] ?? fallback,
		evaluateExpression: () => undefined,
		getCredentials: async () => ({
			environment: 'sandbox',
			baseUrl: 'https://api.example.com',
			apiKey: 'k',
		}),
		addExecutionHints: () => undefined,
		customData: { set: () => undefined },
		logger: { debug: () => undefined },
		helpers,
	} as unknown as IExecuteFunctions;
}
