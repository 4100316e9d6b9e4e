import { openDatabase } from '../../harness/database/database.mts';
import { startScenario } from '../../harness/n8n/scenario.mts';
import { processUsage } from '../bench/processUsage.mts';
import { SOAK_ENV, type Target } from './target.mts';

/** Number of kills while deliveries arrive. */
const KILLS = 5;
/** Maximum number of starts after one kill. */
const STARTS = 6;

/** Starts one n8n on SQLite that is killed and restarted at the same address and on the same database. */
export async function startRegular(): Promise<Target> {
	const scenario = await startScenario(SOAK_ENV);
	let failedStarts = 0;
	/** Acts as a supervisor: restarts an n8n that ends while it starts. */
	const kill = async () => {
		for (let starts = 1; ; starts++) {
			try {
				return await scenario.restart('SIGKILL');
			} catch (error) {
				if (starts === STARTS) throw error;
				failedStarts += 1;
				console.log(`n8n has not started, and is started again: ${String(error)}`);
			}
		}
	};
	return {
		n8n: () => scenario.n8n,
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
		close: scenario.close,
	};
}
