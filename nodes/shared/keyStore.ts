import type { IExecuteFunctions } from 'n8n-workflow';
import pLimit from 'p-limit';

import { nodeKey } from './execution';

/** Milliseconds that a caller waits for its turn and its calls. */
const WITHIN_MS = 20_000;

/** One turn per node at a time: n8n reads all its keys and writes them back. While one is late, nobody waits for the next. */
const nodes = new Map<string, { turn: ReturnType<typeof pLimit>; isLate: boolean }>();

export type KeyStore = ReturnType<typeof keyStoreOf>;

/** Calls of a turn. Each rejects if the database fails, or does not answer in time. */
export interface Calls {
	/** Records keys. Returns those that existed before. */
	record(keys: string[]): Promise<Set<string>>;
	remove(keys: string[]): Promise<void>;
}

const noReply = () => new Error("n8n's database does not answer");

/**
 * Keys of this node in n8n's database.
 * @param maxEntries number beyond which n8n drops the oldest keys of the node
 */
export function keyStoreOf(n8n: IExecuteFunctions, maxEntries: number) {
	const { helpers } = n8n;
	const options = { mode: 'entries' as const, maxEntries };
	const node = nodes.get(nodeKey(n8n)) ?? { turn: pLimit(1), isLate: false };
	nodes.set(nodeKey(n8n), node);

	/**
	 * Calls that no other turn of this process interrupts. A turn lasts until its call has ended, however late: then no
	 * other one begins, and the caller, who waits no longer, learns nothing of it.
	 */
	async function inTurn<Value>(work: (calls: Calls) => Promise<Value>): Promise<Value> {
		if (node.isLate) throw noReply();
		let hasEnded = false;
		const limit = AbortSignal.timeout(WITHIN_MS);
		const late = new Promise<never>((_, reject) =>
			limit.addEventListener('abort', () => {
				node.isLate ||= !hasEnded;
				reject(noReply());
			}),
		);
		const call = async <Found>(begin: () => Promise<Found>): Promise<Found> => {
			const found = limit.aborted ? await late : await begin();
			return limit.aborted ? await late : found;
		};
		const calls: Calls = {
			record: async (keys) =>
				await call(async () => {
					const found = await helpers.checkProcessedAndRecord(keys, 'node', options);
					return new Set(found.processed.map(String));
				}),
			remove: async (keys) =>
				await call(async () => await helpers.removeProcessed(keys, 'node', options)),
		};
		const end = () => ([hasEnded, node.isLate] = [true, false]);
		return await Promise.race([node.turn(async () => await work(calls).finally(end)), late]);
	}

	/** Records a key. Returns true if it did not exist before. */
	const isNew = async (key: string) =>
		await inTurn(async ({ record }) => {
			// Two workers insert the row of a new node at once, and n8n's database refuses one of them (n8n 2.41).
			const found = await record([key]).catch(() => undefined);
			if (found) return !found.has(key);
			if (!(await record([key])).has(key)) return true;
			throw new Error('The call that failed may have recorded it');
		});

	return { inTurn, isNew };
}
