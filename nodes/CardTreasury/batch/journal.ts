import type { Outcome } from '../request/errors';
import type { JsonObject } from '../request/input';

/** Write of this execution, with its outcome. */
export interface JournalEntry {
	/** Hash of the payment's values, or of the request if the write is not a payment. */
	fingerprint: string;
	/** `unknown` from the reservation until the reply. */
	outcome: Outcome;
	/** Host that the write was sent to. */
	target: string;
	/** Hash of the host and API key used (`Service.credential`). */
	credential: string;
	/** ID of the node that sent the write. */
	node: string;
	reference?: string;
	/** Idempotency key of the request, if any. */
	key?: string;
	/** Fields that identify the write in a failed item. */
	subject?: JsonObject;
	/** Amount for the limits Maximum Total and Maximum Transfers. */
	amount?: string;
	/**
	 * Output of an accepted write, returned again by a retry. The next loop iteration deletes this copy, because n8n has
	 * stored the output by then.
	 */
	items?: JsonObject[];
}

/** Journal as stored in n8n's execution data. Contains only JSON values. */
export interface JournalData {
	/** Entries by `itemPlace` or `callPlace`. */
	entries?: Record<string, JournalEntry>;
	/** Run index of the first run of each node. */
	first?: Record<string, number>;
	/** Fingerprints of the unkeyed writes, by node and loop iteration. */
	unkeyed?: Record<string, string[][]>;
}

/** Journal key of an agent's call. Equal calls have the same key in all tools. */
export const callPlace = (reference: string | undefined, fingerprint: string): string =>
	JSON.stringify({ reference, fingerprint });

const isCall = (place: string) => place.startsWith('{');

/**
 * Record of the writes that this package's nodes sent in this execution. The record survives Retry On Fail and a manual
 * retry, but not a crash.
 */
export type Journal = ReturnType<typeof createJournal>;

/**
 * Opens the journal of a node. Loop iterations are counted from the node's first recorded run, because the retry of a
 * crashed execution does not start at run index 0 (n8n 2.41).
 * @param data stored by n8n with the execution; changed in place
 * @param node name of the node
 * @param runIndex n8n's index of the run
 */
export function createJournal(data: JournalData, node: string, runIndex: number) {
	const entries = (data.entries ??= {});
	const nodePrefix = keyPrefix(node);
	const round = runIndex - ((data.first ??= {})[nodePrefix] ??= runIndex);
	const iterationPrefix = keyPrefix(node, round);
	for (const [place, { items, ...kept }] of Object.entries(entries)) {
		const isEarlier = place.startsWith(nodePrefix) && !place.startsWith(iterationPrefix);
		if (items && isEarlier) entries[place] = kept;
	}
	return {
		/** Index of the current loop iteration. */
		round,
		/** Journal key of an item of this run. */
		itemPlace: (item: number) => `${iterationPrefix}${item}]`,
		find: (place: string): JournalEntry | undefined => entries[place],
		/**
		 * Returns, for each unkeyed write of this iteration, how many equal ones precede it in the execution. Unsent writes
		 * count too, so that a retry after a crash gets the same numbers.
		 */
		numberUnkeyed: (fingerprints: string[]): number[] => {
			if (fingerprints.length === 0) return [];
			const rounds = ((data.unkeyed ??= {})[nodePrefix] ??= []);
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
		 * Amounts that were or may have been transferred: by all calls of an agent, or by all items of this iteration.
		 * @param places journal keys to leave out
		 */
		otherAmounts: (places: Set<string>, isTool: boolean) =>
			Object.entries(entries).flatMap(([place, { amount, outcome }]) => {
				const isCounted = isTool ? isCall(place) : place.startsWith(iterationPrefix);
				return isCounted && isOpenOrDone(outcome) && !places.has(place) && amount ? [amount] : [];
			}),
		/**
		 * True if the execution has sent anything that was not rejected.
		 * @param only fingerprint and node of the writes to look at, or undefined for all
		 */
		hasSent: (only?: Pick<JournalEntry, 'fingerprint' | 'node'>) =>
			Object.values(entries).some(
				({ outcome, fingerprint, node: sender }) =>
					(isOpenOrDone(outcome) || outcome === 'failed') &&
					(only === undefined || (only.fingerprint === fingerprint && only.node === sender)),
			),
		/** Values of a payment that this execution has sent under the reference, and that was accepted. */
		acceptedUnder: (target: string, reference: string): JsonObject | undefined =>
			Object.values(entries).find(
				(entry) =>
					entry.outcome === 'accepted' && entry.target === target && entry.reference === reference,
			)?.subject,
	};
}

const keyPrefix = (...of: [node: string, round?: number]) => `${JSON.stringify(of).slice(0, -1)},`;

/** True if the write was or may have been executed. */
const isOpenOrDone = (outcome: Outcome): boolean => outcome === 'accepted' || outcome === 'unknown';
