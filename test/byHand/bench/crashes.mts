import lodash from 'lodash';

import { createCredential, simulatorKeys } from '../../harness/n8n/credentials.mts';
import { cutOff, type Cut } from '../../harness/n8n/cuts.mts';
import { startScenario } from '../../harness/n8n/scenario.mts';
import { startSimulator } from '../../simulator/index.mts';
import type { Table } from '../measured.mts';

/** Signals that end n8n. After SIGTERM it waits up to 30 s for its executions, unless it is configured otherwise. */
export const SIGNALS = ['SIGKILL', 'SIGTERM'] as const;

const CUTS = 10;
const LATENCY_MS = 300;
/** Longer than n8n waits after SIGTERM. */
const ENDS_WITHIN_MS = 90_000;

/** A run of 300 ends within n8n's 30 s after SIGTERM, so that only a longer one is cut off. */
const COUNTS: Record<string, number> = { SIGKILL: 300, SIGTERM: 600 };
/** Number of transfers before the latest cut. */
const LATEST: Record<string, number> = { SIGKILL: 299, SIGTERM: 140 };

/** Cuts off runs of transfers at random moments, and measures what became of the transfers. */
export async function crashes(name: string): Promise<Table[]> {
	const signal = SIGNALS.find((known) => known === name)!;
	const simulator = await startSimulator({ latencyMs: LATENCY_MS });
	const scenario = await startScenario();
	const count = COUNTS[signal]!;
	const cuts: Cut[] = [];
	try {
		const credential = await createCredential(scenario.n8n, simulatorKeys(simulator));
		while (cuts.length < CUTS) {
			const one = await cutOff({
				n8n: scenario.n8n,
				simulator,
				credential,
				count,
				after: lodash.random(1, LATEST[signal]!),
				cut: async () => await scenario.restart(signal, ENDS_WITHIN_MS),
			});
			console.log(`Cut ${cuts.push(one)} of ${CUTS}: ${JSON.stringify(one)}`);
		}
	} finally {
		await scenario.close();
		await simulator.close();
	}
	const caption = `${CUTS} runs of ${count} transfers, answers after ${LATENCY_MS} ms, cut off by ${signal}`;
	return [{ caption, rows: cuts.map(rowOf) }];
}

const rowOf = ({ status, before, retried = {}, anew, executed, twice, untrue }: Cut) => ({
	Status: status,
	'Executed before': before,
	'Retry: sent': retried.done ?? 0,
	'Retry: already sent': retried.already_sent ?? 0,
	'Retry: unknown': retried.unknown ?? 0,
	'Anew: sent': anew.done ?? 0,
	'Anew: already sent': anew.already_sent ?? 0,
	'Anew: unknown': anew.unknown ?? 0,
	'Executed once': executed - twice,
	'Executed twice': twice,
	'Shown as done, not executed': untrue.length,
});
