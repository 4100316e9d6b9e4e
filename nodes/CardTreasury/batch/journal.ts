import type { Outcome } from '../request/errors';
import type { JsonObject } from '../request/input';

/** Write of this execution, with its outcome. */
export interface JournalEntry {
	/** Hash of the payment's values, or of the request's. */
	fingerprint: string;
	/** `unknown` from just before it is sent until its reply arrives. */
	outcome: Outcome;
	/** Hash of address, environment and API key it was sent with (`Service.credential`). */
	credential: string;
	/** Reference of the payment. */
	reference?: string;
	/** Idempotency key sent with it, if any. */
	key?: string;
	/** Identifies the write in a failed item. */
	subject?: JsonObject;
	/** Counts towards the limits of a run, or of all calls of an agent. */
	amount?: string;
	/**
	 * Output of an accepted write, returned again by a retry. Dropped for earlier iterations, whose output n8n stores
	 * anyway.
	 */
	items?: JsonObject[];
}

/** Stored form in n8n's execution data, which holds only JSON. */
export interface JournalData {
	/** Keyed by place. */
	entries?: Record<string, JournalEntry>;
	/** Run index of each node's first run. */
	first?: Record<string, number>;
	/** Fingerprints of the unkeyed writes of each iteration, by node. */
	unkeyed?: Record<string, string[][]>;
}

/** Place of an agent's call, shared by all its tools: reference and values. */
export const callPlace = (reference: string | undefined, fingerprint: string): string =>
	JSON.stringify({ reference, fingerprint });

const isCall = (place: string) => place.startsWith('{');

/**
 * Writes that this package's nodes have sent in this execution, with their outcomes. Survives Retry On Fail and a
 * manual retry, but not a crash.
 */
export type Journal = ReturnType<typeof createJournal>;

/**
 * Counts loop iterations from the first run recorded here. After a crash, n8n 2.41 adds a run for each node that had
 * finished, so the run index goes on although the retry starts again.
 * @param data written to; n8n stores it with the execution
 * @param node name of the node
 * @param runIndex n8n's index of the run
 */
export function createJournal(data: JournalData, node: string, runIndex: number) {
	const entries = (data.entries ??= {});
	const anyRound = beginning(node);
	const round = runIndex - ((data.first ??= {})[anyRound] ??= runIndex);
	const thisRound = beginning(node, round);
	for (const [place, { items, ...kept }] of Object.entries(entries)) {
		const isEarlier = place.startsWith(anyRound) && !place.startsWith(thisRound);
		if (items && isEarlier) entries[place] = kept;
	}
	return {
		/** Index of the current loop iteration. */
		round,
		/** Place of an item of this run. */
		itemPlace: (item: number) => `${thisRound}${item}]`,
		find: (place: string): JournalEntry | undefined => entries[place],
		/**
		 * Numbers the unkeyed writes of this iteration among the equal ones of the execution. Those that are not sent count
		 * too, so that a retry after a crash gets the same numbers.
		 */
		numberUnkeyed: (fingerprints: string[]): number[] => {
			if (fingerprints.length === 0) return [];
			const rounds = ((data.unkeyed ??= {})[anyRound] ??= []);
			rounds[round] = fingerprints;
			const next = new Map<string, number>();
			const numbers = rounds
				.slice(0, round + 1)
				.flat()
				.map((fingerprint) => {
					const number = next.get(fingerprint) ?? 0;
					next.set(fingerprint, number + 1);
					return number;
				});
			return numbers.slice(-fingerprints.length);
		},
		/** @param entry undefined deletes the entry */
		record: (place: string, entry: JournalEntry | undefined) => {
			if (entry) entries[place] = entry;
			else delete entries[place];
		},
		/**
		 * Amounts that were or may have been transferred by an agent's other calls, or by other items of this iteration.
		 */
		otherAmounts: (places: Set<string>, isTool: boolean) =>
			Object.entries(entries).flatMap(([place, { amount, outcome }]) => {
				const isCounted = isTool ? isCall(place) : place.startsWith(thisRound);
				return isCounted && isOpenOrDone(outcome) && !places.has(place) && amount ? [amount] : [];
			}),
		/** True if the execution has sent anything that was not rejected. */
		hasSent: () =>
			Object.values(entries).some(({ outcome }) => isOpenOrDone(outcome) || outcome === 'failed'),
	};
}

const beginning = (...of: [node: string, round?: number]) => `${JSON.stringify(of).slice(0, -1)},`;

/** True if the write was or may have been executed. */
const isOpenOrDone = (outcome: Outcome): boolean => outcome === 'accepted' || outcome === 'unknown';
