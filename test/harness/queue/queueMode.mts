import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import lodash from 'lodash';

import { endedExecutions, outputsOf } from '../n8n/executions.mts';
import { installN8n } from '../n8n/install.mts';
import { newUserFolder, packPack, restOf, signIn, type N8nAccess } from '../n8n/n8n.mts';
import { startProcess } from '../n8n/process.mts';
import type { Workflow } from '../n8n/workflows.mts';
import type { Program } from '../program.mts';
import { startNginx, startPostgres, startRedis } from './servers.mts';

export type QueueMode = Awaited<ReturnType<typeof startQueueMode>>;

export interface QueueModeOptions {
	env?: Record<string, string>;
	workerEnv?: Record<string, string>;
}

/**
 * Starts n8n in queue mode on the loopback interface: one main process, two workers, two webhook processes behind nginx,
 * PostgreSQL and Redis. If a part fails, the others are stopped.
 */
export async function startQueueMode({ env: settings, workerEnv }: QueueModeOptions = {}) {
	const say = (line: string) => process.stdout.write(`${line}\n`);
	const folder = mkdtempSync(join(tmpdir(), 'card-treasury-queue-'));
	const undo: Array<() => Promise<void>> = [
		async () => rmSync(folder, { recursive: true, force: true }),
	];
	const close = async () => {
		// The reverse order ends n8n before its database and queue.
		for (const each of undo.splice(0).reverse()) await each();
	};
	try {
		const installation = await installN8n(say);
		const installed = join(folder, 'installed');
		await newUserFolder(installed, await packPack(folder));
		const postgres = await startPostgres();
		undo.push(postgres.close);
		const redis = await startRedis();
		undo.push(redis.close);

		const env = {
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(postgres.port),
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: 'n8n',
			N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
			...settings,
		};
		const member = async (name: string, args: string[], more: Record<string, string> = {}) => {
			const userFolder = join(folder, name);
			cpSync(installed, userFolder, { recursive: true });
			const options = { userFolder, env: { ...env, ...more } };
			const started = await startProcess(installation, args, options);
			undo.push(async () => await started.end('SIGKILL'));
			return started;
		};

		// The main process creates the tables that the others need.
		const main = await member('main', ['start']);
		const rest = restOf(main.url);
		await signIn(rest);
		const all = [
			member('worker-1', ['worker', '--concurrency=10'], workerEnv),
			member('worker-2', ['worker', '--concurrency=10'], workerEnv),
			member('webhook-1', ['webhook']),
			member('webhook-2', ['webhook']),
		] as const;
		// All starts must finish before anything is stopped.
		await Promise.allSettled(all);
		const [worker1, worker2, webhook1, webhook2] = await Promise.all(all);
		const nginx = await startNginx([main, webhook1, webhook2]);
		undo.push(nginx.close);
		return {
			/** Behind nginx as the docs recommend it, which assigns each webhook URL to one webhook process. */
			n8n: { url: `http://127.0.0.1:${nginx.port}`, rest } as N8nAccess,
			main,
			workers: [worker1, worker2] as const,
			webhooks: [webhook1, webhook2] as const,
			postgres,
			redis,
			close,
		};
	} catch (error) {
		await close();
		throw error;
	}
}

/**
 * Restarts processes that n8n ended for lack of its database or queue, as a supervisor does.
 * @returns a function that stops this
 */
export function supervise({ main, workers, webhooks }: QueueMode): () => Promise<void> {
	let stopped = false;
	const keepUp = async (member: Program) => {
		while (!stopped) {
			// A failed start is repeated, because its database or queue may not be back yet.
			await member.start().catch(() => undefined);
			await wait(500);
		}
	};
	const supervising = Promise.all([main, ...workers, ...webhooks].map(keepUp));
	return async () => {
		stopped = true;
		await supervising;
	};
}

/** Index of the worker that ran an execution, according to the logs; -1 if none did. */
export function workerOf({ workers }: QueueMode, executionId: string): number {
	return workers.findIndex((worker) =>
		worker.log().includes(`Worker started execution ${executionId} (`),
	);
}

/** Number of runs after the trigger for each event, by `operation_id`, once `count` executions have ended. */
export async function runsByEvent(
	{ n8n }: Pick<QueueMode, 'n8n'>,
	workflow: Workflow,
	count: number,
): Promise<Map<string, number>> {
	const rows = await endedExecutions(n8n, workflow, count);
	const outputs = await Promise.all(
		rows.map(async ({ id }) => (await outputsOf(n8n, id, 'Trigger')) ?? []),
	);
	return new Map(Object.entries(lodash.countBy(outputs.flat(2), 'operation_id')));
}
