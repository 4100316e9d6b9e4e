import type { IExecuteFunctions } from 'n8n-workflow';

/** Attempts per write. n8n's database fails once if two processes write the first keys of a node at the same time. */
const ATTEMPTS = 2;

export interface RecordedKeys {
	/** Keys that were not recorded before. */
	fresh: string[];
	/** False if a failed attempt may have recorded the keys that are not fresh. */
	certain: boolean;
}

/**
 * Records keys in n8n's database, separately for each node. Never throws. n8n offers no atomic step, so keys that two
 * processes record within a few milliseconds may be fresh for both, or be lost.
 * @param options `maxEntries`: maximum number of keys per node, the oldest are dropped; `withinMs`: time limit for the
 * database
 * @returns 'unknown' if the database failed or did not respond in time. The keys may then be recorded or not.
 */
export type RecordKeys = (
	n8n: Pick<IExecuteFunctions, 'getNode' | 'getWorkflow' | 'helpers'>,
	keys: string[],
	options: { maxEntries: number; withinMs?: number },
) => Promise<RecordedKeys | 'unknown'>;

interface Turn {
	/** Keys to record. More keys can join until the turn begins. */
	keys: Set<string>;
	begun: boolean;
	recorded: Promise<RecordedKeys | 'unknown'>;
}

/**
 * Creates the function that records keys. Each process makes one write per node at a time, because n8n reads all keys
 * of a node and writes them all back. Waiting callers share the next write.
 */
export function createRecordKeys(wait: (ms: number) => Promise<void>): RecordKeys {
	// Last waiting or running turn of each node.
	const lastTurns = new Map<string, Turn>();

	return async (n8n, keys, { maxEntries, withinMs }) => {
		const attempt = async (all: string[]) => {
			const write = n8n.helpers.checkProcessedAndRecord(all, 'node', {
				mode: 'entries',
				maxEntries,
			});
			if (withinMs === undefined) return await write;
			return await Promise.race([write, wait(withinMs / ATTEMPTS).then(() => undefined)]);
		};
		const record = async (all: string[]): Promise<RecordedKeys | 'unknown'> => {
			for (let count = 1; count <= ATTEMPTS; count++) {
				const result = await attempt(all).catch(() => undefined);
				if (result) return { fresh: result.new.map(String), certain: count === 1 };
			}
			return 'unknown';
		};
		const turnAfter = (last?: Turn): Turn => {
			const turn: Turn = {
				keys: new Set(),
				begun: false,
				recorded: Promise.resolve(last?.recorded).then(async () => {
					turn.begun = true;
					return await record([...turn.keys]);
				}),
			};
			return turn;
		};

		const node = `${n8n.getWorkflow().id}/${n8n.getNode().id}`;
		const last = lastTurns.get(node);
		const turn = last?.begun === false ? last : turnAfter(last);
		lastTurns.set(node, turn);
		// A key that another caller has already added belongs to that caller, and is not fresh here.
		const own = keys.filter((key) => !turn.keys.has(key));
		for (const key of own) turn.keys.add(key);
		const recorded = await turn.recorded;
		if (lastTurns.get(node) === turn) lastTurns.delete(node);
		if (recorded === 'unknown') return recorded;
		return { ...recorded, fresh: recorded.fresh.filter((key) => own.includes(key)) };
	};
}
