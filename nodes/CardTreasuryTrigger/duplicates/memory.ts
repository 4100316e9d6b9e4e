import { NodeOperationError, sleep, type IExecuteFunctions } from 'n8n-workflow';

import { takeTurns } from '../../service/takeTurns';

/** Above 15 events a second over the service's whole retry schedule: 1,023 s of waits and ten times 30 s (§6.4). */
const MOST_KEYS = 20_000;

/** n8n finds the stored keys, then writes them back: two of these at a time in one process would lose one. */
const oneAtATime = takeTurns(1);

interface Batch {
	keys: Set<string>;
	/** Ends its waiting for more keys. */
	complete(): void;
	/** Those of its keys that are new, once it is stored. */
	fresh: Promise<Set<string>>;
}

/** Keys that wait for the next write, by node and urgency. */
const waiting = new Map<string, Batch>();

/** How long after a write keys gather for the next one while many arrive, in milliseconds, or until there are so many. */
const GATHER = { ms: 200, most: 5 } as const;

/** How long writes do not wait once one has waited in vain: where n8n runs one execution at a time, no other key can come. */
const HURRY_MS = 10_000;

interface Write {
	/** Epoch milliseconds. */
	at: number;
	/** Until when no write waits (epoch milliseconds). */
	hurryUntil: number;
	/** What it has stored; empty until it has. */
	keys: string[];
}

/** The last write, by node and urgency. */
const writes = new Map<string, Write>();

/**
 * Records a delivery key in n8n's stored memory of this node, which outlives a restart and is shared by all processes.
 * Copies that two processes look up within the same few milliseconds can both pass: n8n offers no atomic step.
 * All keys of a node stand in one row that n8n rewrites each time, half a megabyte when it is full: keys that arrive
 * during a write, or shortly after it, share the next. Of two processes that rewrite it at the same time one wins, so each
 * write stores the keys of the one before once more.
 * @param urgent somebody waits for what comes of it: the key waits for writes that are under way only
 * @returns false when the key was there before
 * @throws NodeOperationError when n8n's database fails: the execution is then there to be retried
 */
export async function remember(
	context: IExecuteFunctions,
	key: string,
	urgent = false,
): Promise<boolean> {
	const queue = `${context.getWorkflow().id}/${context.getNode().id}${urgent ? '/urgent' : ''}`;
	const next = waiting.get(queue);
	if (next !== undefined) {
		if (next.keys.has(key)) return false;
		next.keys.add(key);
		if (next.keys.size >= GATHER.most) next.complete();
		return (await next.fresh).has(key);
	}
	const keys = new Set([key]);
	let complete: () => void = () => undefined;
	const completed = new Promise<void>((resolve) => (complete = resolve));
	const fresh = write(context, queue, keys, urgent ? undefined : completed);
	waiting.set(queue, { keys, complete, fresh });
	return (await fresh).has(key);
}

/** @param completed ends the waiting for more keys; absent = no waiting */
async function write(
	context: IExecuteFunctions,
	queue: string,
	keys: Set<string>,
	completed?: Promise<void>,
): Promise<Set<string>> {
	const { at = 0, hurryUntil = 0 } = writes.get(queue) ?? {};
	const early = at + GATHER.ms - Date.now();
	// Never longer, though the clock be put back.
	const waits =
		completed !== undefined && early > 0 && early <= GATHER.ms && Date.now() >= hurryUntil;
	if (waits) await Promise.race([completed, sleep(early)]);
	return await oneAtATime(async () => {
		waiting.delete(queue);
		const before = writes.get(queue)?.keys ?? [];
		const now = Date.now();
		const last: Write = {
			at: now,
			hurryUntil: waits && keys.size === 1 ? now + HURRY_MS : hurryUntil,
			keys: [],
		};
		writes.set(queue, last);
		const fresh = await record(context, [...keys], before);
		last.keys = [...keys];
		return new Set(fresh);
	});
}

/**
 * Returns those of the keys that were not there before.
 * @param before keys that were recorded already, in case another process has written over them
 */
async function record(
	context: IExecuteFunctions,
	keys: string[],
	before: string[],
): Promise<string[]> {
	const again = before.filter((key) => !keys.includes(key));
	const attempt = async () => {
		const { new: fresh } = await context.helpers.checkProcessedAndRecord(
			[...keys, ...again],
			'node',
			{
				mode: 'entries',
				maxEntries: MOST_KEYS,
			},
		);
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
			description:
				'Nothing behind the trigger has run. Retry this execution: a retry runs without that check.',
		});
	}
}
