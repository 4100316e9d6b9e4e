import { setTimeout as wait } from 'node:timers/promises';

import { createCredential, keys } from '../harness/n8n/credentials.mts';
import { OK, persist, send } from '../harness/n8n/deliveries.mts';
import { endedExecutions, eventually, executions, outputsOf } from '../harness/n8n/executions.mts';
import { noOp } from '../harness/n8n/nodes.mts';
import { publishWorkflow, type TriggerWorkflow } from '../harness/n8n/workflows.mts';
import {
	startQueueMode,
	type QueueMode,
	type QueueModeOptions,
} from '../harness/queue/queueMode.mts';
import { emptyRedis } from '../harness/queue/servers.mts';
import { sampleEvent } from '../simulator/index.mts';

let queue: QueueMode;

/** Starts n8n and publishes a workflow of the trigger and these nodes. */
async function start(
	options: QueueModeOptions,
	...row: Array<ReturnType<typeof noOp>>
): Promise<TriggerWorkflow> {
	queue = await startQueueMode(options);
	const credential = await createCredential(queue.n8n, keys());
	return await publishWorkflow(queue.n8n, credential, { events: ['cards.cleared'] }, [row]);
}

afterEach(async () => await queue?.close(), 60_000);

it('events acknowledged after an outage all run if workers keep their connections open', async () => {
	const EVENTS = 5;
	const workerEnv = {
		DB_PING_INTERVAL_SECONDS: '1',
		// n8n's own waits reach this after forty seconds of outage.
		DB_RECOVERY_BACKOFF_MIN_MS: '30000',
		DB_PING_MAX_FAILURES_BEFORE_RECOVERY: '1000000',
	};
	const workflow = await start({ workerEnv }, noOp('Behind'));
	await queue.postgres.end('SIGKILL');
	await wait(8_000);
	await queue.postgres.start();
	const deliver = async () => await persist(workflow, sampleEvent('cards.cleared'));
	const deliveries = await Promise.all(Array.from({ length: EVENTS }, deliver));
	expect(deliveries.map(({ delivered }) => delivered)).toEqual(Array(EVENTS).fill(true));
	// The main process may come back as late as a worker.
	await eventually(async () => (await fetch(`${queue.main.url}/healthz/readiness`)).ok);
	const rows = await endedExecutions(queue.n8n, workflow, EVENTS);
	expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['success']));
	for (const { id } of rows) expect(await outputsOf(queue.n8n, id, 'Behind')).toBeDefined();
});

it('the main process marks an execution that no worker has as crashed when it starts, and a retry runs it', async () => {
	const workflow = await start({}, noOp('Behind'));
	const event = sampleEvent('cards.cleared');
	await Promise.all(queue.workers.map(async (worker) => await worker.end()));
	expect(await send(workflow, event)).toMatchObject(OK);
	await emptyRedis(queue.redis);
	await Promise.all(queue.workers.map(async (worker) => await worker.start()));
	await queue.main.end();
	await queue.main.start();
	const [row] = await eventually(async () => {
		const rows = await executions(queue.n8n, workflow);
		return rows[0]?.status === 'crashed' && rows;
	});
	await queue.n8n.rest('POST', `/rest/executions/${row!.id}/retry`, { loadWorkflow: false });
	const [, retry] = await endedExecutions(queue.n8n, workflow, 2);
	expect(await outputsOf(queue.n8n, retry!.id, 'Behind')).toMatchObject([[event]]);
});
