import { createHash } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { IS_LATER_HOST } from '../../service/host';
import { takeTurns } from '../../service/takeTurns';
import type { ServiceRequest } from '../operation';
import { FieldRefusal } from '../parameters/reader';

/** How many runs of a node are remembered. A crash is retried soon or not at all. */
const MOST_RUNS = 1_000;

/** n8n's memory is read and written in two steps on one row: one at a time, or entries get lost. */
const oneAtATime = takeTurns(1);

/**
 * Notes in n8n's database that this execution begins to send with derived keys, and finds the retry of one that had begun
 * and never came to its end, because n8n was killed: such a retry has forgotten what its keys were made from,
 * so every item that was sent would be sent again under another key.
 */
export async function refuseAfterCrash(
	n8n: IExecuteFunctions,
	requests: ServiceRequest[],
): Promise<FieldRefusal | undefined> {
	if (n8n.getMode() === 'manual') return undefined;
	const mark = markOf(n8n, requests);
	const hadBegun = await oneAtATime(async () => await note(n8n, mark));
	if (!hadBegun || n8n.getMode() !== 'retry') return undefined;
	return new FieldRefusal(
		'Idempotency Key',
		'is not set, and this is the retry of an execution that seems to have been cut off while it was sending',
		'See in the company portal what was carried out, and start a new execution with the rest. With a key of your own, such as an order number, a retry is always safe.',
	);
}

/**
 * What an execution and its retries have in common, though their IDs differ: the moment in which it was first started.
 * Where n8n does not keep that, the batch itself; so there a retry is also refused when another execution sent the very
 * same batch before.
 */
function markOf(n8n: IExecuteFunctions, requests: ServiceRequest[]): string {
	const started = n8n.getExecutionContext?.()?.establishedAt;
	if (IS_LATER_HOST && started !== undefined) return String(started);
	const batch = requests.map(({ method, path, query, body }) => [
		method,
		path,
		query ?? [],
		body ?? '',
	]);
	return createHash('sha256').update(JSON.stringify(batch)).digest('hex');
}

/** Whether it was noted before. A memory that fails must not keep a payment from being made: it is the second line. */
async function note(n8n: IExecuteFunctions, value: string): Promise<boolean> {
	try {
		const options = { mode: 'entries', maxEntries: MOST_RUNS } as const;
		const { processed } = await n8n.helpers.checkProcessedAndRecord([value], 'node', options);
		return processed.length > 0;
	} catch {
		return false;
	}
}
