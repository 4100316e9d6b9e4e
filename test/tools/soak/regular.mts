import { processUsage } from '../bench/processUsage.mts';
import { openDatabase } from '../../harness/database/database.mts';
import { SOAK_ENV, type Target } from './target.mts';
import { startScenario } from '../../harness/n8n/scenario.mts';

/** How often n8n is killed while deliveries come in. */
const KILLS = 5;

/** One n8n on SQLite that is killed and started again at the same address and on the same database. */
export async function startRegular(): Promise<Target> {
	const scenario = await startScenario(SOAK_ENV);
	const kill = async () => await scenario.restart('SIGKILL');
	return {
		n8n: () => scenario.n8n,
		oneProcess: true,
		kills: Array.from({ length: KILLS }, () => ({ what: 'n8n', run: kill })),
		killExecuting: kill,
		// It does so whenever it starts.
		recover: async () => undefined,
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
