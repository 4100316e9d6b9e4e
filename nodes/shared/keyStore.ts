import type { IExecuteFunctions } from 'n8n-workflow';
import pLimit from 'p-limit';

import { nodeKey } from './execution';

/** Milliseconds that a caller waits for its turn and its call. */
const WITHIN_MS = 20_000;

/** One call per node at a time, because n8n reads all keys of a node and writes them all back. */
const turns = new Map<string, ReturnType<typeof pLimit>>();

export type KeyStore = ReturnType<typeof keyStoreOf>;

/**
 * Keys of this node in n8n's database. Each call rejects if the database fails, or does not answer in time.
 * @param maxEntries number beyond which n8n drops the oldest keys of the node
 */
export function keyStoreOf(n8n: IExecuteFunctions, maxEntries: number) {
	const { helpers } = n8n;
	const options = { mode: 'entries' as const, maxEntries };
	const turn = turns.get(nodeKey(n8n)) ?? pLimit(1);
	turns.set(nodeKey(n8n), turn);

	/** A turn lasts until its call has ended, however late. A caller that waits no longer begins no call. */
	async function inTurn<Value>(call: () => Promise<Value>): Promise<Value> {
		const limit = AbortSignal.timeout(WITHIN_MS);
		const late = new Promise<never>((_, reject) =>
			limit.addEventListener('abort', () => reject(new Error("n8n's database does not answer"))),
		);
		return await Promise.race([turn(async () => await (limit.aborted ? late : call())), late]);
	}

	async function record(keys: string[]): Promise<Set<string>> {
		const found = await helpers.checkProcessedAndRecord(keys, 'node', options);
		return new Set(found.processed.map(String));
	}

	/** Two workers insert the row of a new node at once, and n8n's database refuses one of them (n8n 2.41). */
	async function recordOne(key: string): Promise<boolean> {
		const found = await record([key]).catch(() => undefined);
		if (found) return !found.has(key);
		if ((await record([key])).has(key))
			throw new Error('The call that failed may have recorded it');
		return true;
	}

	return {
		/** Records keys. Returns those that existed before. */
		record: async (keys: string[]) => await inTurn(async () => await record(keys)),
		/** Records a key. Returns true if it did not exist before. */
		isNew: async (key: string) => await inTurn(async () => await recordOne(key)),
		remove: async (keys: string[]) =>
			await inTurn(async () => await helpers.removeProcessed(keys, 'node', options)),
	};
}
