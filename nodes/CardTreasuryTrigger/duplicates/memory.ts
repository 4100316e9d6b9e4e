import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

import { takeTurns } from '../../service/takeTurns';

/** Above 15 events a second over the service's whole retry schedule: 1,023 s of waits and ten times 30 s (§6.4). */
const MOST_KEYS = 20_000;

/** n8n finds the stored keys, then writes them back: two of these at a time in one process would lose one. */
const oneAtATime = takeTurns(1);

/** Keys that wait for the next write, by node: which of them are new is told to all at once. */
const waiting = new Map<string, { keys: Set<string>; fresh: Promise<Set<string>> }>();

/**
 * Records a delivery key in n8n's stored memory of this node, which outlives a restart and is shared by all processes.
 * Copies that two processes look up within the same few milliseconds can both pass: n8n offers no atomic step.
 * All keys of a node stand in one row that n8n rewrites each time, so keys that arrive during a write share the next.
 * @returns false when the key was there before
 * @throws NodeOperationError when n8n's database fails: the execution is then there to be retried
 */
export async function remember(context: IExecuteFunctions, key: string): Promise<boolean> {
	const node = `${context.getWorkflow().id}/${context.getNode().id}`;
	const next = waiting.get(node);
	if (next !== undefined) {
		if (next.keys.has(key)) return false;
		next.keys.add(key);
		return (await next.fresh).has(key);
	}
	const keys = new Set([key]);
	const fresh = oneAtATime(async () => {
		waiting.delete(node);
		return new Set(await record(context, [...keys]));
	});
	waiting.set(node, { keys, fresh });
	return (await fresh).has(key);
}

/** Returns those of the keys that were not there before. */
async function record(context: IExecuteFunctions, keys: string[]): Promise<string[]> {
	const attempt = async () => {
		const { new: fresh } = await context.helpers.checkProcessedAndRecord(keys, 'node', {
			mode: 'entries',
			maxEntries: MOST_KEYS,
		});
		return fresh.map(String);
	};
	try {
		return await attempt();
	} catch (thrown) {
		// Two processes that write a node's very first keys at the same time: one of them fails, once.
		const fresh = await attempt().catch(() => []);
		// A key that is known now may be so by the attempt that failed. Neither is it dropped then nor run in doubt.
		if (fresh.length === keys.length) return fresh;
		throw new NodeOperationError(context.getNode(), thrown as Error, {
			message: "n8n's database did not tell whether this event has come before",
			description: 'Nothing behind the trigger has run. Retry this execution: a retry runs without that check.',
		});
	}
}
