import type { IExecuteFunctions } from 'n8n-workflow';

import { ATTEMPTS, createTurns, nodeKey, repeatedly } from '../../shared/turns';

/**
 * Maximum number of stored keys per trigger. Enough for 7 events a second over the retry schedule of the service (§6.4:
 * 1,023 s of waits and ten times 30 s).
 */
const MAX_KEYS = 10_000;

/** Milliseconds to wait for n8n's database, over all attempts. Limited, because later events wait too. */
const WITHIN_MS = 20_000;

/**
 * Records the key of a delivery in n8n's database. Never throws. Two processes that record one key within a few
 * milliseconds may both find it new.
 * @returns 'unknown' if the database failed or did not respond in time. The key may then be recorded or not.
 */
export type RecordKey = (
	n8n: Pick<IExecuteFunctions, 'getNode' | 'getWorkflow' | 'helpers'>,
	key: string,
) => Promise<'new' | 'known' | 'unknown'>;

interface Recording {
	/** Keys to record. More can join until its turn comes. */
	keys: Set<string>;
	/** Keys that the database did not have, and whether a failed attempt may have recorded the others. */
	recorded: Promise<{ fresh: Set<string>; isCertain: boolean } | undefined>;
}

/** Creates the function that records keys. Callers that wait for their turn share one call of the database. */
export function createRecordKey(wait: (ms: number) => Promise<void>): RecordKey {
	const inTurn = createTurns();
	/** Recording of each node whose turn has not come. */
	const waiting = new Map<string, Recording>();

	return async (n8n, key) => {
		const node = nodeKey(n8n);
		const record = async (keys: string[]) => {
			let attempts = 0;
			const result = await repeatedly(async () => {
				attempts += 1;
				return await Promise.race([
					n8n.helpers.checkProcessedAndRecord(keys, 'node', {
						mode: 'entries',
						maxEntries: MAX_KEYS,
					}),
					wait(WITHIN_MS / ATTEMPTS).then(() => {
						throw new Error('No response');
					}),
				]);
			});
			return result && { fresh: new Set(result.new.map(String)), isCertain: attempts === 1 };
		};
		const begin = (): Recording => {
			const keys = new Set<string>();
			const recorded = inTurn(node, async () => {
				waiting.delete(node);
				return await record([...keys]);
			});
			return { keys, recorded };
		};

		const { keys, recorded } = waiting.get(node) ?? begin();
		waiting.set(node, { keys, recorded });
		// A key that another caller has added belongs to that caller.
		const isOwn = !keys.has(key);
		keys.add(key);
		const found = await recorded;
		if (!found) return 'unknown';
		if (found.fresh.has(key)) return isOwn ? 'new' : 'known';
		return found.isCertain ? 'known' : 'unknown';
	};
}
