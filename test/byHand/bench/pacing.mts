import { createCredential, simulatorKeys } from '../../harness/n8n/credentials.mts';
import { endedExecutions } from '../../harness/n8n/executions.mts';
import { startScenario } from '../../harness/n8n/scenario.mts';
import { publishChain, startChain } from '../../harness/n8n/workflows.mts';
import { items, transfer } from '../../harness/queue/transfers.mts';
import { startSimulator } from '../../simulator/index.mts';
import type { Table } from '../measured.mts';

const PAYMENTS = 300;
/** Limit of §8. */
const PER_SECOND = 15;

/** Seconds until the service answers. */
export const LATENCIES = ['0.1', '0.5', '2'] as const;

/** Measures how much of the service's limit the payments of a run use. */
export async function pacing(seconds: string): Promise<Table[]> {
	const simulator = await startSimulator({ latencyMs: Number(seconds) * 1_000 });
	const scenario = await startScenario();
	try {
		const { n8n } = scenario;
		const credential = await createCredential(n8n, simulatorKeys(simulator));
		const chain = await publishChain(n8n, [items(PAYMENTS), transfer(credential)]);
		await startChain(chain);
		await endedExecutions(n8n, chain, 1, 180_000);
		const { requests, ledger, rateLimit } = simulator;
		const took = (requests.at(-1)!.at - requests[0]!.at) / 1_000;
		const share = (ledger.length - 1) / took / PER_SECOND;
		const row = {
			'Answers after': `${seconds} s`,
			'Share of 15 a second': `${Math.round(share * 100)} %`,
			Executed: ledger.length,
			'Rejected (429)': rateLimit.rejected,
		};
		return [{ caption: `${PAYMENTS} payments`, rows: [row] }];
	} finally {
		await scenario.close();
		await simulator.close();
	}
}
