import { setTimeout as wait } from 'node:timers/promises';

import { DEFAULT_WEBHOOK_KEY, deliverOpenLoop, sampleEvent } from '../../simulator/index.mts';
import { at, send } from '../n8n/deliveries.mts';
import { endedExecutions, noOp, publishWorkflow, type Reference } from '../n8n/scenario.mts';
import type { QueueMode } from './queueMode.mts';
import { runsByEvent } from './runs.mts';

/** Events of a measurement. */
const COUNT = 40;

/** Milliseconds between two copies sent to two webhook processes. */
export const GAPS_MS = [0, 10, 50, 200];

/**
 * Sends events one after the other, each in two copies to two webhook processes.
 * @returns the number of runs after the trigger for each event
 * @throws if a copy is not acknowledged
 */
export async function runsOfCopies(
	queue: QueueMode,
	credential: Reference,
	gapMs: number,
): Promise<number[]> {
	const workflow = await publishWorkflow(queue.n8n, credential, { events: ['cards.cleared'] }, [
		[noOp('Behind')],
	]);
	const [first, second] = queue.webhooks;
	// n8n stores the first keys of a workflow in another way than later ones.
	await send(workflow, sampleEvent('cards.cleared'));
	await endedExecutions(queue.n8n, workflow, 1);
	const events = Array.from({ length: COUNT }, () => sampleEvent('cards.cleared'));
	for (const event of events) {
		const one = send(at(workflow, first.url), event);
		if (gapMs > 0) await wait(gapMs);
		const answers = await Promise.all([one, send(at(workflow, second.url), event)]);
		if (answers.some(({ status }) => status !== 200))
			throw new Error(`Not acknowledged: ${JSON.stringify(answers)}`);
	}
	const runs = await runsByEvent(queue, workflow, 2 * COUNT + 1);
	return events.map(({ operation_id }) => runs.get(operation_id) ?? 0);
}

/**
 * Sends events to one webhook process, faster than two workers store their keys. Then it sends a copy of each to the
 * same process, which knows them from its own memory, and to the other process, which knows only the stored keys.
 * @returns the number of runs after the trigger for each event
 * @throws if a delivery is not acknowledged
 */
export async function runsAfterBusyWorkers(
	queue: QueueMode,
	credential: Reference,
): Promise<number[]> {
	const workflow = await publishWorkflow(queue.n8n, credential, { events: ['cards.cleared'] }, [
		[noOp('Behind')],
	]);
	const events = Array.from({ length: COUNT }, () => sampleEvent('cards.cleared'));
	const deliver = async (base: string, ratePerSecond: number) => {
		const results = await deliverOpenLoop({
			url: at(workflow, base).url,
			webhookKey: DEFAULT_WEBHOOK_KEY,
			ratePerSecond,
			count: COUNT,
			event: (index) => events[index],
		});
		if (results.some(({ delivery }) => !delivery.delivered))
			throw new Error('Not every event was acknowledged');
	};
	await deliver(queue.webhooks[0].url, 15);
	await endedExecutions(queue.n8n, workflow, COUNT);
	await deliver(queue.webhooks[0].url, 15);
	await deliver(queue.webhooks[1].url, 5);
	const runs = await runsByEvent(queue, workflow, 2 * COUNT);
	return events.map(({ operation_id }) => runs.get(operation_id) ?? 0);
}
