import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installN8n } from '../n8n/install.mts';
import { newUserFolder, packPack, signIn, type N8nAccess } from '../n8n/n8n.mts';
import { freePorts, startProcess, type N8nProcess } from '../n8n/process.mts';
import { findPrograms } from './programs.mts';
import { startNginx, startPostgres, startRedis } from './servers.mts';

/** Process of n8n that can be ended and restarted on its folder and port. */
export type Member = QueueMode['main'];
export type QueueMode = Awaited<ReturnType<typeof startQueueMode>>;

export interface QueueModeOptions {
	env?: Record<string, string>;
	/** Additional environment of each worker, e.g. its concurrency. */
	workerEnv?: Array<Record<string, string>>;
}

/**
 * Starts n8n in queue mode on the loopback interface: one main process, two workers, two webhook processes behind nginx,
 * PostgreSQL and Redis. If a part fails, the others are stopped.
 */
export async function startQueueMode({ env: settings, workerEnv = [] }: QueueModeOptions = {}) {
	const say = (line: string) => process.stdout.write(`${line}\n`);
	const cleanUp: Array<() => Promise<void> | void> = [];
	const close = async () => {
		// The reverse order ends n8n before its database and queue.
		for (const undo of cleanUp.splice(0).reverse()) await undo();
	};
	try {
		const programs = await findPrograms(say);
		const installation = await installN8n(say);
		const folder = mkdtempSync(join(tmpdir(), 'card-treasury-queue-'));
		cleanUp.push(() => rmSync(folder, { recursive: true, force: true }));
		const tarball = await packPack(folder);
		const installed = await newUserFolder(tarball);
		cleanUp.push(() => rmSync(installed, { recursive: true, force: true }));

		const servers = [startPostgres(programs), startRedis(programs)] as const;
		for (const server of servers)
			cleanUp.push(
				async () =>
					await server.then(
						async ({ close: end }) => await end(),
						() => undefined,
					),
			);
		const [postgres, redis] = await Promise.all(servers);

		const env = {
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redis.port),
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
			const [port] = await freePorts(1);
			const health = {
				QUEUE_HEALTH_CHECK_ACTIVE: 'true',
				QUEUE_HEALTH_CHECK_PORT: String(port),
				N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
			};
			const logs: Array<() => string> = [];
			let current: N8nProcess | undefined;
			const started = {
				url: `http://127.0.0.1:${port}`,
				log: () => logs.map((log) => log()).join(''),
				/** Ends it; does nothing after the end. */
				end: async (signal?: 'SIGTERM' | 'SIGKILL') => await current?.end(signal),
				/** Restarts it and waits until it is ready; does nothing while it runs. */
				start: async (): Promise<void> => {
					if (current?.running()) return;
					current = await startProcess(installation, args, {
						userFolder,
						port,
						env: { ...env, ...health, ...more },
					});
					logs.push(current.log);
				},
			};
			cleanUp.push(async () => await started.end('SIGKILL'));
			await started.start();
			return started;
		};

		// The main process creates the tables that the others need.
		const main = await member('main', ['start']);
		const rest = await signIn(main.url);
		const all = [
			member('worker-1', ['worker', '--concurrency=10'], workerEnv[0]),
			member('worker-2', ['worker', '--concurrency=10'], workerEnv[1]),
			member('webhook-1', ['webhook']),
			member('webhook-2', ['webhook']),
		] as const;
		// All starts must finish before anything is stopped.
		await Promise.allSettled(all);
		const [worker1, worker2, webhook1, webhook2] = await Promise.all(all);
		const portOf = ({ url }: { url: string }) => Number(new URL(url).port);
		const nginx = await startNginx(programs, portOf(main), [portOf(webhook1), portOf(webhook2)]);
		cleanUp.push(nginx.close);
		return {
			/** Behind nginx as the docs recommend it, which assigns each webhook URL to one webhook process. */
			n8n: { url: `http://127.0.0.1:${nginx.port}`, rest } as N8nAccess,
			/** Behind nginx, which alternates requests between the webhook processes. */
			spreadUrl: `http://127.0.0.1:${nginx.spreadPort}`,
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
