import { setTimeout as wait } from 'node:timers/promises';

import { OK, persist, send } from '../harness/n8n/deliveries.mts';
import {
	createCredential,
	endedExecutions,
	eventually,
	executions,
	keys,
	noOp,
	outputsOf,
	publishWorkflow,
	waitSeconds,
	type TriggerWorkflow,
} from '../harness/n8n/scenario.mts';
import { sampleEvent } from '../simulator/index.mts';
import { openPostgres } from '../harness/queue/database.mts';
import {
	startQueueMode,
	type QueueMode,
	type QueueModeOptions,
} from '../harness/queue/queueMode.mts';
import { emptyRedis } from '../harness/queue/servers.mts';

let queue: QueueMode;

/** Starts n8n, and publishes a workflow of the trigger and these nodes. */
async function start(
	options: QueueModeOptions,
	...row: Array<ReturnType<typeof noOp>>
): Promise<TriggerWorkflow> {
	queue = await startQueueMode(options);
	const credential = await createCredential(queue.n8n, keys());
	return await publishWorkflow(queue.n8n, credential, { events: ['cards.cleared'] }, [row]);
}

afterEach(async () => await queue?.close(), 60_000);

const CONNECTION_TIMEOUT_MS = 5_000;

it.each([
	['are ended with an error with two, as many as n8n has when nothing is set', '2', false],
	['all run with as many as there are executions', '10', true],
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
		// A database that is slow: whoever wants to store the end of an execution waits, and keeps its connection.
		await blocker.query('BEGIN');
		await blocker.query('LOCK TABLE execution_entity IN ACCESS EXCLUSIVE MODE');
		await wait(3_000 + CONNECTION_TIMEOUT_MS + 3_000);
		await blocker.query('COMMIT');
	} finally {
		await blocker.close();
	}
	const rows = await endedExecutions(queue.n8n, workflow, events.length);
	const failed = rows.filter(({ status }) => status !== 'success');
	expect(failed.length > 0).toBe(!allRun);
	// n8n replaces what it had stored of some of them by the error, and keeps others with their event.
	const left = await Promise.all(
		failed.map(async ({ id }) => await outputsOf(queue.n8n, id, 'Trigger')),
	);
	process.stdout.write(
		`${poolSize} connections: ${failed.length} of ${rows.length} failed, ${left.filter((outputs) => outputs === undefined).length} of them emptied\n`,
	);
});

it.each<[string, Record<string, string>, { status: string; least: number }]>([
	[
		'are ended with an error and emptied by a worker that has not connected again yet',
		{},
		// Now and then n8n leaves one of them as it is, as "new".
		{ status: 'error', least: 1 },
	],
	[
		'all run when workers never close their connections to begin anew',
		{ DB_PING_MAX_FAILURES_BEFORE_RECOVERY: '1000000' },
		{ status: 'success', least: 5 },
	],
])(
	'events that are acknowledged after an outage of PostgreSQL %s',
	async (_, setting, { status, least }) => {
		const worker = {
			DB_PING_INTERVAL_SECONDS: '1',
			// n8n's own waits grow to this after forty seconds of outage.
			DB_RECOVERY_BACKOFF_MIN_MS: '30000',
			...setting,
		};
		const workflow = await start({ workerEnv: [worker, worker] }, noOp('Behind'));
		await queue.postgres.kill();
		await wait(8_000);
		await queue.postgres.start();
		const events = Array.from({ length: 5 }, () => sampleEvent('cards.cleared'));
		const deliveries = await Promise.all(
			events.map(async (event) => await persist(workflow, event)),
		);
		expect(deliveries.map(({ delivered }) => delivered)).toEqual(events.map(() => true));
		// The main process, which is asked for the executions, may be as late as a worker.
		await eventually(async () => (await fetch(`${queue.main.url}/healthz/readiness`)).ok);
		const rows = await eventually(async () => {
			const ended = await executions(queue.n8n, workflow);
			const found = ended.filter((row) => row.status === status);
			return found.length >= least && found;
		});
		const given = async (node: string) =>
			await Promise.all(rows.map(async ({ id }) => await outputsOf(queue.n8n, id, node)));
		const [trigger, behind] = [await given('Trigger'), await given('Behind')];
		if (status === 'error') {
			expect(new Set([...trigger, ...behind])).toEqual(new Set([undefined]));
		} else {
			expect(behind.filter((outputs) => outputs !== undefined)).toHaveLength(events.length);
		}
	},
);

it('an execution that no worker knows is marked as crashed when the main process starts, and a retry runs it', async () => {
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
