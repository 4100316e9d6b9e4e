import { createCredential, keys } from '../../harness/n8n/scenario.mts';
import { GAPS_MS, runsAfterBusyWorkers, runsOfCopies } from '../../harness/queue/copies.mts';
import type { QueueMode } from '../../harness/queue/queueMode.mts';
import type { Verdict } from './verdict.mts';

/** Measures the smallest gap between copies sent to two webhook processes at which the second copy ends at the trigger. */
export async function measureCopies(queue: QueueMode): Promise<Verdict> {
	const credential = await createCredential(queue.n8n, keys());
	const facts: Verdict['facts'] = [];
	const faults: string[] = [];
	const count = (what: string, runs: number[]) => {
		facts.push([what, `${runs.filter((times) => times === 2).length} of ${runs.length}`]);
		console.log(facts.at(-1)!.join(': '));
		const wrong = runs.filter((times) => times !== 1 && times !== 2);
		if (wrong.length > 0)
			faults.push(
				`${what}: ${wrong.length} events ran never, or more often than there are processes`,
			);
	};
	for (const gapMs of GAPS_MS)
		count(
			`Events that ran twice, their copies ${gapMs} ms apart`,
			await runsOfCopies(queue, credential, gapMs),
		);
	count(
		"Events that ran twice, their copies seconds apart: two workers had forgotten each other's keys",
		await runsAfterBusyWorkers(queue, credential),
	);
	return { facts, faults };
}
