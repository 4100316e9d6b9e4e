import { setTimeout as wait } from 'node:timers/promises';
import { Agent } from 'undici';

import { at } from '../../harness/n8n/deliveries.mts';
import { createCredential, keys, noOp, publishWorkflow } from '../../harness/n8n/scenario.mts';
import {
	DEFAULT_WEBHOOK_KEY,
	deliver,
	EVENT_NAMES,
	type Delivery,
} from '../../simulator/index.mts';
import { seededRandom } from '../../simulator/seededRandom.mts';
import { readExecutions, readStoredState, whenEnded, type StoredExecution } from './executions.mts';
import type { Outage, Target } from './target.mts';
import { planTraffic, type Planned } from './traffic.mts';
import { judge, type Verdict } from './verdict.mts';

const RATE_PER_SECOND = 15;

export interface Sent extends Planned {
	delivery: Delivery;
}

/** Resident memory per process in bytes, with the time on the clock of `performance.now()`. */
export interface MemorySample {
	at: number;
	rssBytes: Record<string, number>;
}

/** Sends the traffic with the service's retry rules (§6.4) while parts are killed, then reads what n8n has stored. */
export async function soakDeliveries(target: Target, count: number): Promise<Verdict> {
	const credential = await createCredential(target.n8n(), keys(DEFAULT_WEBHOOK_KEY));
	const rules = {
		rule: [
			{ name: 'small', decision: 'approve', conditions: { amountTo: '1000', currencies: 'USD' } },
		],
	};
	const workflow = await publishWorkflow(
		target.n8n(),
		credential,
		{ events: [...EVENT_NAMES], rules },
		EVENT_NAMES.map((name) => [noOp(name)]),
	);
	const read = async () => await readExecutions(target, workflow.id);

	const memory: MemorySample[] = [];
	const stop = new AbortController();
	const sampling = sampleMemory(target, memory, stop.signal);
	const ended = new AbortController();
	const watching = watchRunning(target, workflow.id, ended.signal);
	const killing = killInTurn(target, count, stop.signal);
	const { url } = at(workflow, target.deliverTo ?? target.n8n().url);
	const sending = sendAll(planTraffic(count, seededRandom(1)), url);
	// A failure in the background tasks ends the soak at once.
	const sent = await Promise.race([
		sending,
		Promise.all([watching, killing, sampling]).then(async () => await sending),
	]);
	console.log('Everything has been answered or given up. Waiting for the last executions …');
	stop.abort();
	const outages = await killing;
	await sampling;
	let left = await whenEnded(target, workflow.id);
	if (left > 0) {
		await target.recover();
		left = await whenEnded(target, workflow.id);
	}
	ended.abort();
	const running = await watching;

	const identify = (rows: StoredExecution[]) =>
		rows.map((row) => ({ ...row, key: row.key || (running.get(row.id) ?? '') }));
	const before = identify(await read());
	const retried = toRetry(before);
	console.log(`Retrying ${retried.length} executions that were cut off, as a user would …`);
	for (const id of retried)
		await target.n8n().rest('POST', `/rest/executions/${id}/retry`, { loadWorkflow: false });
	await whenEnded(target, workflow.id, left);
	return judge({
		target,
		sent,
		outages,
		before,
		after: identify(await read()),
		left,
		state: await readStoredState(target, workflow.id),
		memory,
	});
}

/** Selects one cut-off execution for each event that has not run since; n8n keeps its input. */
function toRetry(executions: StoredExecution[]): string[] {
	const passed = new Set(executions.filter((one) => one.passed).map(({ key }) => key));
	const cutOff = executions.filter(
		({ status, key }) => status === 'crashed' && key !== '' && !passed.has(key),
	);
	return [...new Map(cutOff.map(({ key, id }) => [key, id])).values()];
}

async function sendAll(planned: Planned[], url: string): Promise<Sent[]> {
	const dispatcher = new Agent();
	const start = performance.now();
	const sent: Array<Promise<Sent>> = [];
	for (const [index, { kind, body, webhookKey }] of planned.entries()) {
		const early = start + (index * 1_000) / RATE_PER_SECOND - performance.now();
		if (early > 0) await wait(early);
		if (index % 500 === 0) console.log(`${index} of ${planned.length} sent`);
		// Senders of forged or malformed deliveries do not follow the service's retry rules.
		const attempts = kind === 'forged' || kind === 'malformed' ? 1 : undefined;
		sent.push(
			deliver(body, { url, webhookKey, attempts, dispatcher }).then((delivery) => ({
				...{ kind, body, webhookKey, delivery },
			})),
		);
	}
	const all = await Promise.all(sent);
	await dispatcher.destroy();
	return all;
}

/**
 * Records the delivery key of each running execution, because n8n can replace everything it stored about an execution
 * with an error.
 */
async function watchRunning(
	target: Target,
	workflowId: string,
	signal: AbortSignal,
): Promise<Map<string, string>> {
	const running = new Map<string, string>();
	while (await wait(1_000, true, { signal }).catch(() => false)) {
		// The database may be down, because it is killed too.
		const open = await readExecutions(target, workflowId, true).catch(() => []);
		for (const { id, key } of open) if (key !== '') running.set(id, key);
	}
	return running;
}

/** Kills one part after the other in the first two thirds of the time. The last third shows if memory stays flat. */
async function killInTurn(target: Target, count: number, signal: AbortSignal): Promise<Outage[]> {
	const { kills } = target;
	const everyMs = ((count / RATE_PER_SECOND) * 1_000 * 2) / 3 / (kills.length + 1);
	const begun = performance.now();
	const outages: Outage[] = [];
	for (const [index, { what, run }] of kills.entries()) {
		// Out of step with the traffic, so that kills hit different moments of a delivery.
		const early = Math.max(0, begun + (index + 1) * (everyMs + 37) - performance.now());
		if (!(await wait(early, true, { signal }).catch(() => false))) break;
		const from = performance.now();
		await run();
		const to = performance.now();
		outages.push({ what, from, to });
		console.log(
			`Killed ${what} (${index + 1} of ${kills.length}); all was back after ${Math.round(to - from)} ms`,
		);
	}
	return outages;
}

async function sampleMemory(
	target: Target,
	memory: MemorySample[],
	signal: AbortSignal,
): Promise<void> {
	while (await wait(2_000, true, { signal }).catch(() => false))
		memory.push({ at: performance.now(), rssBytes: target.memory() });
}
