import type { Outcome } from '../request/errors';
import type { JsonObject } from '../request/input';

/** A write of this execution, and what became of it. */
export interface JournalEntry {
	/** Tells its values from others: of the payment, else of the request. */
	fingerprint: string;
	/** `unknown` from before it is sent until its answer is there. */
	outcome: Outcome;
	/** Hash of address, environment and API key it was sent with (`Service.credential`). */
	credential: string;
	/** The payment's reference. */
	reference?: string;
	/** The idempotency key that went with it, if any did. */
	key?: string;
	/** Identifies the write in a failed item. */
	subject?: JsonObject;
	/** For the limits over all items of a run, or all calls of an agent. */
	amount?: string;
	/** Its output, once accepted: given again instead of sending it again. n8n has those of earlier rounds. */
	items?: JsonObject[];
}

/** The stored form, in n8n's execution data. Only JSON survives there. */
export interface JournalData {
	/** Keyed by place. */
	entries?: Record<string, JournalEntry>;
	/** Number of the first run of each node. */
	first?: Record<string, number>;
}

/** Place of an agent's call, by whichever of its tools: what it asks for. */
export const callPlace = (reference: string | undefined, fingerprint: string): string =>
	JSON.stringify({ reference, fingerprint });

const isCall = (place: string) => place.startsWith('{');

/**
 * Writes that all of this pack's nodes have sent in this execution, with their outcomes. n8n keeps it through Retry On Fail and
 * a manual retry, but not through a crash.
 */
export type Journal = ReturnType<typeof createJournal>;

/**
 * Rounds of a loop are counted from the first run that is known here. After a crash n8n gives each node that had finished a
 * run, so that its numbers go on, though the retry begins again (n8n 2.41).
 * @param data is written to; n8n stores it with the execution
 * @param node whose run begins
 * @param runIndex n8n's number of the run
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
		/** Number of the present round. */
		round,
		/** Place of an item of the present run. */
		itemPlace: (item: number) => `${thisRound}${item}]`,
		find: (place: string): JournalEntry | undefined => entries[place],
		/** How often the node's earlier rounds have sent the same. */
		countBefore: (fingerprint: string) =>
			Object.entries(entries).filter(
				([place, entry]) =>
					entry.fingerprint === fingerprint &&
					place.startsWith(anyRound) &&
					Number((JSON.parse(place) as unknown[])[1]) < round,
			).length,
		/** @param entry undefined: forget the write */
		record: (place: string, entry: JournalEntry | undefined) => {
			if (entry) entries[place] = entry;
			else delete entries[place];
		},
		/** Amounts that were transferred, or may have been: by an agent's other calls, or by this round's other items. */
		otherAmounts: (places: Set<string>, isTool: boolean) =>
			Object.entries(entries).flatMap(([place, { amount, outcome }]) => {
				const isCounted = isTool ? isCall(place) : place.startsWith(thisRound);
				return isCounted && isOpenOrDone(outcome) && !places.has(place) && amount ? [amount] : [];
			}),
		/** Whether anything was sent that was not rejected. */
		hasSent: () =>
			Object.values(entries).some(({ outcome }) => isOpenOrDone(outcome) || outcome === 'failed'),
	};
}

const beginning = (...of: [node: string, round?: number]) => `${JSON.stringify(of).slice(0, -1)},`;

/** True if the write was executed, or may have been. */
const isOpenOrDone = (outcome: Outcome): boolean => outcome === 'accepted' || outcome === 'unknown';
