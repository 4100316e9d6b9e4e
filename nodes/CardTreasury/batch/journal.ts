import type { JsonObject } from '../input';

/** How a write that was sent in this execution has ended so far. */
export interface JournalEntry {
	/** `Work.fingerprint`: whether another request is the same work. */
	fingerprint: string;
	/** The idempotency key that went with it, if any did. */
	key?: string;
	/** `unknown` from before it is sent until its answer is there. */
	state: 'unknown' | 'done' | 'rejected';
	/** Its output, once done: given again instead of sending it again. */
	items?: JsonObject[];
	/** For the limits over all calls of an agent. */
	amount?: string;
}

/** The stored form, in n8n's execution data. Only JSON survives there. */
export interface JournalData {
	entries?: Record<string, JournalEntry>;
	/** How many definite answers writes to a path have had. */
	changes?: Record<string, number>;
}

/**
 * What this execution has sent and how it ended. n8n keeps it through Retry On Fail and a manual retry, so that a write
 * that is done is not sent again, and one whose outcome is unknown only under its key. Bounded by one round of a loop,
 * or by an agent's calls in one execution.
 */
export interface Journal {
	find(place: string): JournalEntry | undefined;
	record(place: string, entry: JournalEntry): void;
	/** Counts a definite answer of a write to this path. */
	changed(path: string): void;
	/** How many there have been. */
	changes(path: string): number;
	/** The entries of what was sent under this idempotency key. */
	sentWith(key: string): JournalEntry[];
	/** All entries but that of this place. */
	others(place: string): JournalEntry[];
	/**
	 * Forgets the entries of a run whose items are all done: n8n has stored their output. What may have been executed
	 * stays: a dry run or a read that stands in its place now says nothing about it.
	 */
	clear(): void;
}

/**
 * @param data is written to; n8n stores it with the execution
 * @param keep whether a place belongs to the present round
 */
export function createJournal(data: JournalData, keep: (place: string) => boolean): Journal {
	data.entries = Object.fromEntries(
		Object.entries(data.entries ?? {}).filter(([place]) => keep(place)),
	);
	data.changes ??= {};
	const { changes } = data;
	return {
		find: (place) => data.entries?.[place],
		record: (place, entry) => {
			(data.entries ??= {})[place] = entry;
		},
		changed: (path) => {
			changes[path] = (changes[path] ?? 0) + 1;
		},
		changes: (path) => changes[path] ?? 0,
		sentWith: (key) => Object.values(data.entries ?? {}).filter((entry) => entry.key === key),
		others: (place) =>
			Object.entries(data.entries ?? {}).flatMap(([other, entry]) =>
				other === place ? [] : [entry],
			),
		clear: () => {
			data.entries = Object.fromEntries(
				Object.entries(data.entries ?? {}).filter(([, { state }]) => state === 'unknown'),
			);
		},
	};
}
