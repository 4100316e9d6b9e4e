import type { IExecuteFunctions } from 'n8n-workflow';

/** n8n's database fails once when two processes write the very first keys of a node at the same time. */
const ATTEMPTS = 2;

export interface RecordedKeys {
	/** Those that were not there before. */
	fresh: string[];
	/** False after a failed attempt: a key that is not fresh may be there by that attempt. */
	certain: boolean;
}

/**
 * Records keys in n8n's database, apart for each node. They outlive a restart, and all processes share them. Keys that two
 * processes record within the same few milliseconds may all be fresh, or be lost: n8n offers no atomic step.
 * @param options how many keys the node has at most (the oldest go first), and how long to wait for the database
 * @returns 'unknown' when the database failed, or did not answer in time: the keys may be there or not. Never throws.
 */
export type RecordKeys = (
	n8n: Pick<IExecuteFunctions, 'getNode' | 'getWorkflow' | 'helpers'>,
	keys: string[],
	options: { maxEntries: number; withinMs?: number },
) => Promise<RecordedKeys | 'unknown'>;

interface Turn {
	/** Who comes before it begins adds to them. */
	keys: Set<string>;
	begun: boolean;
	recorded: Promise<RecordedKeys | 'unknown'>;
}

/**
 * n8n finds the keys of a node, then writes them all back: in one process this happens one at a time, or keys get lost.
 * Whoever has to wait shares the next write, because each costs as much as all keys of the node.
 */
export function createRecordKeys(wait: (ms: number) => Promise<void>): RecordKeys {
	// Only of nodes with a turn that waits or is under way.
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
		// Of a key that the write has already, somebody else is the first.
		const own = keys.filter((key) => !turn.keys.has(key));
		for (const key of own) turn.keys.add(key);
		const recorded = await turn.recorded;
		if (lastTurns.get(node) === turn) lastTurns.delete(node);
		if (recorded === 'unknown') return recorded;
		return { ...recorded, fresh: recorded.fresh.filter((key) => own.includes(key)) };
	};
}
