import type { IExecuteFunctions } from 'n8n-workflow';
import pLimit from 'p-limit';

/** Above 15 events a second over the service's whole retry schedule: 1,023 s of waits and ten times 30 s (§6.4). */
const MOST_KEYS = 20_000;

/** n8n finds the stored keys, then writes them back: two of these at a time in one process would lose one. */
const oneAtATime = pLimit(1);

/**
 * Records a delivery key in n8n's stored memory of this node, which outlives a restart and is shared by all processes.
 * Copies that two processes look up within the same few milliseconds can both pass: n8n offers no atomic step.
 * @returns false when the key was there before
 */
export async function remember(context: IExecuteFunctions, key: string): Promise<boolean> {
	const { new: fresh } = await oneAtATime(
		async () =>
			await context.helpers.checkProcessedAndRecord([key], 'node', { mode: 'entries', maxEntries: MOST_KEYS }),
	);
	return fresh.length > 0;
}
