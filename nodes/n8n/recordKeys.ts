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

/** n8n finds the keys of a node, then writes them back: in one process this happens one at a time, or keys get lost. */
export function createRecordKeys(wait: (ms: number) => Promise<void>): RecordKeys {
	// Only nodes with a turn that waits or is under way.
	const lastTurns = new Map<string, Promise<unknown>>();

	return async (n8n, keys, { maxEntries, withinMs }) => {
		const attempt = async () => {
			const write = n8n.helpers.checkProcessedAndRecord(keys, 'node', {
				mode: 'entries',
				maxEntries,
			});
			if (withinMs === undefined) return await write;
			return await Promise.race([write, wait(withinMs / ATTEMPTS).then(() => undefined)]);
		};
		const record = async (): Promise<RecordedKeys | 'unknown'> => {
			for (let count = 1; count <= ATTEMPTS; count++) {
				const result = await attempt().catch(() => undefined);
				if (result) return { fresh: result.new.map(String), certain: count === 1 };
			}
			return 'unknown';
		};

		const node = `${n8n.getWorkflow().id}/${n8n.getNode().id}`;
		const turn = (lastTurns.get(node) ?? Promise.resolve()).then(record);
		lastTurns.set(node, turn);
		const recorded = await turn;
		if (lastTurns.get(node) === turn) lastTurns.delete(node);
		return recorded;
	};
}
