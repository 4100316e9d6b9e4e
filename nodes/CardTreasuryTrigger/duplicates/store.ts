/** Per node: more than 15 events a second over the whole retry schedule, 1,023 s of waits and ten times 30 s (§6.4). */
export const MAX_KEYS = 20_000;

/** Stores keys, and gives those of them that were not there before. */
export type WriteKeys = (keys: string[]) => Promise<string[]>;

/** `unknown`: the database failed, so the key may have been stored earlier or by this attempt. */
export type Recorded = 'new' | 'known' | 'unknown';

/**
 * Records a key in the stored memory of a node, which outlives a restart and is shared by all processes.
 * @param node names the node among all workflows
 */
export type RecordOnce = (node: string, key: string, write: WriteKeys) => Promise<Recorded>;

interface Write {
	keys: Set<string>;
	recorded: Promise<Map<string, Recorded>>;
}

/**
 * n8n finds the stored keys of a node, then writes them back: two of these at a time in one process would lose one. So
 * a node's writes follow each other, and keys that arrive while one is under way share the next. Copies that two
 * processes look up within the same few milliseconds can both pass: n8n offers no atomic step.
 */
export function createRecordOnce(): RecordOnce {
	/** Both maps hold only nodes with a write that waits or is under way. */
	const waiting = new Map<string, Write>();
	const ends = new Map<string, Promise<void>>();

	return async (node, key, write) => {
		const next = waiting.get(node);
		if (next?.keys.has(key)) return 'known';
		if (next !== undefined) {
			next.keys.add(key);
			return (await next.recorded).get(key) ?? 'unknown';
		}
		const keys = new Set([key]);
		const recorded = (ends.get(node) ?? Promise.resolve()).then(async () => {
			waiting.delete(node);
			return await record([...keys], write);
		});
		waiting.set(node, { keys, recorded });
		const end = recorded.then(() => {
			if (ends.get(node) === end) ends.delete(node);
		});
		ends.set(node, end);
		return (await recorded).get(key) ?? 'unknown';
	};
}

/** Never throws. */
async function record(keys: string[], write: WriteKeys): Promise<Map<string, Recorded>> {
	const attempt = async () => new Set(await write(keys));
	const all = (as: (key: string) => Recorded) => new Map(keys.map((key) => [key, as(key)]));
	try {
		const fresh = await attempt();
		return all((key) => (fresh.has(key) ? 'new' : 'known'));
	} catch {
		// Of two processes that write a node's very first keys at the same time, one fails, once.
		const fresh = await attempt().catch(() => new Set<string>());
		// A key that is known now may be so by the attempt that failed.
		return all((key) => (fresh.has(key) ? 'new' : 'unknown'));
	}
}
