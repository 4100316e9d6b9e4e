import type { IExecuteFunctions } from 'n8n-workflow';

/** n8n's database fails once if two processes write the first keys of a node at the same time. */
const ATTEMPTS = 2;

export interface RecordedKeys {
	/** Keys that were not recorded before. */
	fresh: string[];
	/** False after a failed attempt, which may have recorded the keys that are not fresh. */
	certain: boolean;
}

/**
 * Records keys in n8n's database, separately for each node. They survive a restart, and all processes share them. Keys
 * that two processes record within a few milliseconds may all be fresh, or be lost, because n8n offers no atomic step.
 * @param options `maxEntries`: keys stored per node (the oldest are dropped); `withinMs`: time allowed for the database
 * @returns 'unknown' if the database failed or did not respond in time, so that the keys may be recorded or not. Never
 * throws.
 */
export type RecordKeys = (
	n8n: Pick<IExecuteFunctions, 'getNode' | 'getWorkflow' | 'helpers'>,
	keys: string[],
	options: { maxEntries: number; withinMs?: number },
) => Promise<RecordedKeys | 'unknown'>;

interface Turn {
	/** Grows until the turn begins. */
	keys: Set<string>;
	begun: boolean;
	recorded: Promise<RecordedKeys | 'unknown'>;
}

/**
 * n8n reads all keys of a node and writes them all back. Within one process this happens one write at a time, or keys
 * would be lost. Callers that wait share the next write, because each costs as much as all keys of the node.
 */
export function createRecordKeys(wait: (ms: number) => Promise<void>): RecordKeys {
	// Holds only nodes with a waiting or running turn.
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
		// A key that another caller added to this write is that caller's.
		const own = keys.filter((key) => !turn.keys.has(key));
		for (const key of own) turn.keys.add(key);
		const recorded = await turn.recorded;
		if (lastTurns.get(node) === turn) lastTurns.delete(node);
		if (recorded === 'unknown') return recorded;
		return { ...recorded, fresh: recorded.fresh.filter((key) => own.includes(key)) };
	};
}
