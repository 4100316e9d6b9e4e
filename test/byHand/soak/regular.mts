import { openDatabase } from '../../harness/database/database.mts';
import { startScenario } from '../../harness/n8n/scenario.mts';
import { findHaproxy } from '../../harness/queue/programs.mts';
import { startHaproxy } from '../../harness/queue/servers.mts';
import { processUsage } from '../bench/processUsage.mts';
import { SOAK_ENV, type Target } from './target.mts';

/** Number of kills while deliveries arrive. */
const KILLS = 5;

/**
 * Starts one n8n on SQLite that is killed and restarted at the same address and on the same database.
 * @param behindProxy sends deliveries through the proxy that the docs recommend
 */
export async function startRegular(behindProxy = false): Promise<Target> {
	const scenario = await startScenario(SOAK_ENV);
	const proxy = behindProxy
		? await startHaproxy(await findHaproxy(console.log), scenario.n8n.url)
		: undefined;
	let failedStarts = 0;
	const kill = async () =>
		await scenario.kill((error) => {
			failedStarts += 1;
			console.log(`n8n has not started, and is started again: ${String(error)}`);
		});
	return {
		n8n: () => scenario.n8n,
		...(proxy && { deliverTo: `http://127.0.0.1:${proxy.port}` }),
		oneProcess: true,
		kills: Array.from({ length: KILLS }, () => ({ what: 'n8n', run: kill })),
		killExecuting: kill,
		// n8n recovers executions at every start.
		recover: async () => undefined,
		failedStarts: () => failedStarts,
		cutOffStatus: 'crashed',
		noticesWithinMs: 20_000,
		memory(): Record<string, number> {
			const usage = processUsage(scenario.n8n.pid);
			return usage ? { n8n: usage.rssBytes } : {};
		},
		openDatabase: async () => await openDatabase(scenario.n8n.userFolder),
		async close() {
			await proxy?.close();
			await scenario.close();
		},
	};
}
