import { NodeOperationError, sleep, type IExecuteFunctions } from 'n8n-workflow';

import { takeTurns } from '../../service/takeTurns';

/** Above 15 events a second over the service's whole retry schedule: 1,023 s of waits and ten times 30 s (§6.4). */
const MOST_KEYS = 20_000;

/** n8n finds the stored keys, then writes them back: two of these at a time in one process would lose one. */
const oneAtATime = takeTurns(1);

/** Keys that wait for the next write, by node: which of them are new is told to all at once. */
const waiting = new Map<string, { keys: Set<string>; fresh: Promise<Set<string>> }>();

/** A write waits until so long after the one before it, in milliseconds, so that keys gather while many arrive. */
const GATHER_MS = 100;

/** How long writes do not wait once one has waited in vain: where n8n runs one execution at a time, no other key can come. */
const HURRY_MS = 1_000;

interface Write {
	/** Epoch milliseconds. */
	at: number;
	/** Until when the writes of this node do not wait (epoch milliseconds). */
	hurryUntil: number;
	/** What it has stored; empty until it has. */
	keys: string[];
}

/** The last write of each node. */
const writes = new Map<string, Write>();

/**
 * Records a delivery key in n8n's stored memory of this node, which outlives a restart and is shared by all processes.
 * Copies that two processes look up within the same few milliseconds can both pass: n8n offers no atomic step.
 * All keys of a node stand in one row that n8n rewrites each time, half a megabyte when it is full: keys that arrive
 * during a write, or shortly after it, share the next. Of two processes that rewrite it at the same time one wins, so each
 * write stores the keys of the one before once more.
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
	const fresh = write(context, node, keys);
	waiting.set(node, { keys, fresh });
	return (await fresh).has(key);
}

async function write(context: IExecuteFunctions, node: string, keys: Set<string>): Promise<Set<string>> {
	const { at = 0, hurryUntil = 0 } = writes.get(node) ?? {};
	const early = at + GATHER_MS - Date.now();
	// Never longer, though the clock be put back.
	const waits = early > 0 && early <= GATHER_MS && Date.now() >= hurryUntil;
	if (waits) await sleep(early);
	return await oneAtATime(async () => {
		waiting.delete(node);
		const before = writes.get(node)?.keys ?? [];
		const now = Date.now();
		const last: Write = { at: now, hurryUntil: waits && keys.size === 1 ? now + HURRY_MS : hurryUntil, keys: [] };
		writes.set(node, last);
		const fresh = await record(context, [...keys], before);
		last.keys = [...keys];
		return new Set(fresh);
	});
}

/**
 * Returns those of the keys that were not there before.
 * @param before keys that were recorded already, in case another process has written over them
 */
async function record(context: IExecuteFunctions, keys: string[], before: string[]): Promise<string[]> {
	const again = before.filter((key) => !keys.includes(key));
	const attempt = async () => {
		const { new: fresh } = await context.helpers.checkProcessedAndRecord([...keys, ...again], 'node', {
			mode: 'entries',
			maxEntries: MOST_KEYS,
		});
		const stored = fresh.map(String);
		return keys.filter((key) => stored.includes(key));
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
