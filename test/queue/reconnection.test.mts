import { setTimeout as wait } from 'node:timers/promises';

import {
	createCredential,
	endedExecutions,
	keys,
	noOp,
	outputsOf,
	publishWorkflow,
} from '../harness/n8n/scenario.mts';
import { startQueueMode, type QueueMode } from '../harness/queue/queueMode.mts';
import { DEFAULT_WEBHOOK_KEY, deliver, sampleEvent } from '../simulator/index.mts';

let queue: QueueMode;

afterEach(async () => await queue?.close(), 60_000);

it.each([
	['are ended with an error and emptied by a worker that has not connected again yet', {}, false],
	[
		'all run when workers never close their connections to begin anew',
		{ DB_PING_MAX_FAILURES_BEFORE_RECOVERY: '1000000' },
		true,
	],
])('events that are acknowledged after an outage of PostgreSQL %s', async (_, setting, allRun) => {
	const worker = {
		DB_PING_INTERVAL_SECONDS: '1',
		// n8n's own waits grow to this after forty seconds of outage.
		DB_RECOVERY_BACKOFF_MIN_MS: '30000',
		...setting,
	};
	queue = await startQueueMode({ workerEnv: [worker, worker] });
	const credential = await createCredential(queue.n8n, keys());
	const workflow = await publishWorkflow(queue.n8n, credential, { events: ['cards.cleared'] }, [
		[noOp('Behind')],
	]);
	await queue.postgres.kill();
	await wait(8_000);
	await queue.postgres.start();
	const events = Array.from({ length: 5 }, () => sampleEvent('cards.cleared'));
	const deliveries = await Promise.all(
		events.map(
			async (event) =>
				await deliver(event, {
					url: workflow.url,
					webhookKey: DEFAULT_WEBHOOK_KEY,
					timeoutMs: 3_000,
					timeScale: 0.5,
				}),
		),
	);
	expect(deliveries.map(({ delivered }) => delivered)).toEqual(events.map(() => true));
	const rows = await endedExecutions(queue.n8n, workflow, events.length);
	const behind = await Promise.all(
		rows.map(async ({ id }) => await outputsOf(queue.n8n, id, 'Behind')),
	);
	const trigger = await Promise.all(
		rows.map(async ({ id }) => await outputsOf(queue.n8n, id, 'Trigger')),
	);
	expect(new Set(rows.map(({ status }) => status))).toEqual(
		new Set([allRun ? 'success' : 'error']),
	);
	expect(behind.filter((outputs) => outputs !== undefined)).toHaveLength(
		allRun ? events.length : 0,
	);
	expect(trigger.filter((outputs) => outputs === undefined)).toHaveLength(
		allRun ? 0 : events.length,
	);
});
