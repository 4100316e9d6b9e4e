import { setTimeout as wait } from 'node:timers/promises';
import { Agent } from 'undici';

import { processUsage } from '../bench/processUsage.mts';
import { untilIdle } from '../bench/measure.mts';
import { createCredential, keys, noOp, publishWorkflow } from '../n8n/scenario.mts';
import { DEFAULT_WEBHOOK_KEY, EVENT_NAMES, deliver, type Delivery } from '../simulator/index.mts';
import { readExecutions, readStoredState } from './executions.mts';
import type { SoakedN8n } from './instance.mts';
import { planTraffic, seededRandom, type Planned } from './traffic.mts';
import { judge, type Verdict } from './verdict.mts';

export interface SoakOptions {
	deliveries: number;
	ratePerSecond: number;
	/** How often n8n is killed; the last third of the time is left alone, to see whether memory stays flat. */
	kills: number;
	say: (line: string) => void;
}

export interface Sent extends Planned {
	delivery: Delivery;
}

/** Resident memory of n8n in bytes, with the time on the clock of `performance.now()`. */
export interface MemorySample {
	at: number;
	rssBytes: number;
}

/** Sends the traffic with the sender's real retry rules (§6.4) while n8n is killed, then asks n8n what it has stored. */
export async function soakDeliveries(soaked: SoakedN8n, options: SoakOptions): Promise<Verdict> {
	const { say } = options;
	const credential = await createCredential(soaked.n8n, keys(DEFAULT_WEBHOOK_KEY));
	const rules = { rule: [{ name: 'small', amountTo: '1000', responseCode: '00' }] };
	const workflow = await publishWorkflow(soaked.n8n, credential, { events: [...EVENT_NAMES], rules }, EVENT_NAMES.map((name) => [noOp(name)]));
	const planned = planTraffic(options.deliveries, seededRandom(1));
	const memory: MemorySample[] = [];
	const stop = new AbortController();
	const background = [sampleMemory(soaked, memory, stop.signal), killNowAndThen(soaked, options, stop.signal)];
	const sent = await sendAll(planned, workflow.url, options);
	say('Everything has been answered or given up. Waiting for the last executions …');
	stop.abort();
	await Promise.all(background);
	await untilIdle(soaked.n8n.pid);

	const { userFolder } = soaked.n8n;
	const interrupted = (await readExecutions(userFolder, workflow.id)).filter(({ status }) => status === 'crashed');
	say(`Retrying ${interrupted.length} executions that were cut off, as a user would …`);
	for (const { id } of interrupted) await soaked.n8n.rest('POST', `/rest/executions/${id}/retry`, { loadWorkflow: false });
	await untilIdle(soaked.n8n.pid);
	return judge({
		sent,
		outages: soaked.outages,
		executions: await readExecutions(userFolder, workflow.id),
		state: await readStoredState(userFolder, workflow.id),
		memory,
	});
}

async function sendAll(planned: Planned[], url: string, { ratePerSecond, say }: SoakOptions): Promise<Sent[]> {
	const dispatcher = new Agent();
	const start = performance.now();
	const sent: Array<Promise<Sent>> = [];
	for (const [index, { kind, body, webhookKey }] of planned.entries()) {
		const early = start + (index * 1_000) / ratePerSecond - performance.now();
		if (early > 0) await wait(early);
		if (index % 1_000 === 0) say(`${index} of ${planned.length} sent`);
		// Whoever forges or garbles a delivery does not follow the service's retry rules.
		const attempts = kind === 'forged' || kind === 'malformed' ? 1 : undefined;
		sent.push(deliver(body, { url, webhookKey, attempts, dispatcher }).then((delivery) => ({ kind, body, webhookKey, delivery })));
	}
	const all = await Promise.all(sent);
	await dispatcher.destroy();
	return all;
}

async function killNowAndThen(soaked: SoakedN8n, { deliveries, ratePerSecond, kills, say }: SoakOptions, signal: AbortSignal): Promise<void> {
	const everyMs = ((deliveries / ratePerSecond) * 1_000 * 2) / 3 / (kills + 1);
	for (let kill = 1; kill <= kills; kill++) {
		// Not in step with the traffic, so that kills fall at different moments of a delivery.
		if (!(await pause(everyMs + kill * 37, signal))) return;
		await soaked.kill();
		const { from, to } = soaked.outages.at(-1)!;
		say(`Killed n8n (${kill} of ${kills}); it was back after ${Math.round(to - from)} ms`);
	}
}

async function sampleMemory(soaked: SoakedN8n, memory: MemorySample[], signal: AbortSignal): Promise<void> {
	while (await pause(2_000, signal)) {
		const usage = processUsage(soaked.n8n.pid);
		if (usage) memory.push({ at: performance.now(), rssBytes: usage.rssBytes });
	}
}

/** @returns false when it was cut short */
async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
	return await wait(ms, true, { signal }).catch(() => false);
}
