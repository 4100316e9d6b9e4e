import { setTimeout as wait } from 'node:timers/promises';

import { sampleEvent } from '../simulator/index.mts';
import { endedExecutions, noOp, publishWorkflow, type Reference } from '../n8n/scenario.mts';
import { runsByEvent, send } from './deliveries.mts';
import type { QueueMode } from './queueMode.mts';

/** Gaps at which copies are sent to two webhook processes, in milliseconds. */
export const GAPS_MS = [0, 10, 50, 200];

/**
 * Sends events one after the other, each in two copies so far apart to two webhook processes.
 * @returns how often each event went on behind the trigger
 * @throws when a copy is not acknowledged
 */
export async function runsOfCopies(queue: QueueMode, credential: Reference, gapMs: number, count = 40): Promise<number[]> {
	const workflow = await publishWorkflow(queue.n8n, credential, { events: ['cards.cleared'] }, [[noOp('Behind')]]);
	const [first, second] = queue.webhooks;
	// The very first keys of a workflow are stored in another way than all others.
	await send(workflow, sampleEvent('cards.cleared'));
	await endedExecutions(queue.n8n, workflow, 1);
	const events = Array.from({ length: count }, () => sampleEvent('cards.cleared'));
	for (const event of events) {
		const one = send(workflow, event, first.url);
		if (gapMs > 0) await wait(gapMs);
		const answers = await Promise.all([one, send(workflow, event, second.url)]);
		if (answers.some(({ status }) => status !== 200)) throw new Error(`Not acknowledged: ${JSON.stringify(answers)}`);
	}
	const runs = await runsByEvent(queue, workflow, 2 * count + 1);
	return events.map(({ operation_id }) => runs.get(operation_id) ?? 0);
}
