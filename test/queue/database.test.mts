import { setTimeout as wait } from 'node:timers/promises';

import { createCredential, keys } from '../harness/n8n/credentials.mts';
import { OK, persist, send } from '../harness/n8n/deliveries.mts';
import { endedExecutions, eventually, executions, outputsOf } from '../harness/n8n/executions.mts';
import { noOp, waitSeconds } from '../harness/n8n/nodes.mts';
import { publishWorkflow, type TriggerWorkflow } from '../harness/n8n/workflows.mts';
import { openPostgres } from '../harness/queue/database.mts';
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

describe('queue mode on PostgreSQL', () => {
	const CONNECTION_TIMEOUT_MS = 5_000;

	it.each([
		['end with an error with two connections, as many as n8n has by default', '2', false],
		['all run with ten connections', '10', true],
	])('executions that wait too long for a database connection %s', async (_, poolSize, allRun) => {
		const env = {
			DB_POSTGRESDB_POOL_SIZE: poolSize,
			DB_POSTGRESDB_CONNECTION_TIMEOUT: String(CONNECTION_TIMEOUT_MS),
		};
		const workflow = await start({ env }, waitSeconds('Wait', 3), noOp('Behind'));
		const events = Array.from({ length: 12 }, () => sampleEvent('cards.cleared'));
		for (const event of events) expect(await send(workflow, event)).toMatchObject(OK);
		const blocker = await openPostgres(queue.postgres);
		try {
			await eventually(async () =>
				(await executions(queue.n8n, workflow)).every(({ status }) => status === 'running'),
			);
			// Slow database: a process that stores the end of an execution waits and keeps its connection.
			await blocker.query('BEGIN');
			await blocker.query('LOCK TABLE execution_entity IN ACCESS EXCLUSIVE MODE');
			await wait(3_000 + CONNECTION_TIMEOUT_MS + 3_000);
			await blocker.query('COMMIT');
		} finally {
			await blocker.close();
		}
		const rows = await endedExecutions(queue.n8n, workflow, events.length);
		expect(rows.every(({ status }) => status === 'success')).toBe(allRun);
	});

	describe('events acknowledged after an outage of PostgreSQL', () => {
		const EVENTS = 5;

		async function acknowledge(setting: Record<string, string>): Promise<TriggerWorkflow> {
			const worker = {
				DB_PING_INTERVAL_SECONDS: '1',
				// n8n's own waits reach this after forty seconds of outage.
				DB_RECOVERY_BACKOFF_MIN_MS: '30000',
				...setting,
			};
			const workflow = await start({ workerEnv: worker }, noOp('Behind'));
			await queue.postgres.end('SIGKILL');
			await wait(8_000);
			await queue.postgres.start();
			const deliveries = await Promise.all(
				Array.from({ length: EVENTS }, async () => {
					return await persist(workflow, sampleEvent('cards.cleared'));
				}),
			);
			expect(deliveries.map(({ delivered }) => delivered)).toEqual(Array(EVENTS).fill(true));
			// The main process may come back as late as a worker.
			await eventually(async () => (await fetch(`${queue.main.url}/healthz/readiness`)).ok);
			return workflow;
		}

		it('are ended with an error and emptied by n8n if a worker has no connection', async () => {
			const workflow = await acknowledge({});
			// Not all, because n8n occasionally leaves one as "new".
			const failed = await eventually(async () => {
				const rows = await executions(queue.n8n, workflow);
				const found = rows.filter(({ status }) => status === 'error');
				return found.length > 0 && found;
			});
			for (const { id } of failed) {
				expect(await outputsOf(queue.n8n, id, 'Trigger')).toBeUndefined();
				expect(await outputsOf(queue.n8n, id, 'Behind')).toBeUndefined();
			}
		});

		it('all run if workers keep their connections open', async () => {
			const workflow = await acknowledge({ DB_PING_MAX_FAILURES_BEFORE_RECOVERY: '1000000' });
			const rows = await endedExecutions(queue.n8n, workflow, EVENTS);
			expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['success']));
			const behind = await Promise.all(
				rows.map(async ({ id }) => await outputsOf(queue.n8n, id, 'Behind')),
			);
			expect(behind.filter((outputs) => outputs !== undefined)).toHaveLength(EVENTS);
		});
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
});
