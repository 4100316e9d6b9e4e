import { setTimeout as wait } from 'node:timers/promises';

import { openPostgres } from '../../harness/queue/database.mts';
import { startQueueMode, type Member } from '../../harness/queue/queueMode.mts';
import type { Server } from '../../harness/queue/servers.mts';
import { membersOf, supervise } from '../../harness/queue/supervise.mts';
import { processUsage } from '../bench/processUsage.mts';
import { SOAK_ENV, type Target } from './target.mts';

const DOWN_MS = 4_000;

/** Settings recommended for queue mode. Without them, n8n ends executions with an error and empties them. */
const DATABASE = {
	DB_POSTGRESDB_POOL_SIZE: '10',
	DB_PING_MAX_FAILURES_BEFORE_RECOVERY: '1000000',
};

/** Starts queue mode; each part is killed once and restarted by a supervisor. */
export async function startQueue(): Promise<Target> {
	const queue = await startQueueMode({ env: { ...SOAK_ENV, ...DATABASE } });
	const stopSupervising = supervise(queue);
	const members = membersOf(queue);
	const ready = async () => {
		for (const member of Object.values(members)) while (!(await isReady(member))) await wait(200);
	};
	const killMember = (what: string) => ({
		what,
		async run() {
			await members[what]!.end('SIGKILL');
			await ready();
		},
	});
	const killServer = (what: string, server: Server) => ({
		what,
		async run() {
			await server.kill();
			await wait(DOWN_MS);
			await server.start();
			await ready();
		},
	});
	return {
		n8n: () => queue.n8n,
		oneProcess: false,
		kills: [
			killMember('worker 1'),
			killServer('PostgreSQL', queue.postgres),
			killMember('webhook process 1'),
			killServer('Redis', queue.redis),
			killMember('webhook process 2'),
			killMember('worker 2'),
		],
		// Either worker may run the batch.
		async killExecuting() {
			await Promise.all(queue.workers.map(async (worker) => await worker.end('SIGKILL')));
			await ready();
		},
		// The main process recovers executions at its start and every three hours.
		async recover() {
			await queue.main.end();
			await ready();
		},
		// Without PostgreSQL or Redis, processes end and restart until it is back.
		failedStarts: () => undefined,
		cutOffStatus: 'error',
		noticesWithinMs: 150_000,
		memory: () =>
			Object.fromEntries(
				Object.entries(members).flatMap(([name, member]) => {
					const usage = processUsage(member.pid() ?? 0);
					return usage ? [[name, usage.rssBytes]] : [];
				}),
			),
		openDatabase: async () => await openPostgres(queue.postgres),
		async close() {
			await stopSupervising();
			await queue.close();
		},
	};
}

async function isReady({ url }: Member): Promise<boolean> {
	return await fetch(`${url}/healthz/readiness`).then(
		({ ok }) => ok,
		() => false,
	);
}
