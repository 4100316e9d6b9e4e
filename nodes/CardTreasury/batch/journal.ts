import type { Outcome } from '../request/errors';
import type { JsonObject } from '../request/input';

/** A write that was sent in this execution, and what became of it. */
export interface JournalEntry {
	/** `Work.fingerprint`: whether another request is the same work. */
	fingerprint: string;
	/** `unknown` from before it is sent until its answer is there. `not_sent`: about to be sent, or not sent in the end. */
	outcome: Outcome;
	/** Which service with which key (`Service.target`). */
	target: string;
	/** When it was first sent under its key, in epoch milliseconds. */
	sentAt: number;
	/** The idempotency key that went with it, if any did. */
	key?: string;
	/** What a failed item tells of the work. */
	subject?: JsonObject;
	/** For the limits over all items of a run, or all calls of an agent. */
	amount?: string;
	/** Its output, once accepted: given again instead of sending it again. Of earlier rounds n8n has it. */
	items?: JsonObject[];
}

/** The stored form, in n8n's execution data. Only JSON survives there. */
export interface JournalData {
	/** By place. */
	entries?: Record<string, JournalEntry>;
	/** How many definite answers writes to a path have had. */
	changes?: Record<string, number>;
}

/** Of an agent's call, by whichever tool: what it asks for; where it gives a key, the key alone. */
export const callPlace = (call: { asks: string } | { key: string }) => JSON.stringify(call);

const isCall = (place: string) => place.startsWith('{');

/**
 * What was sent in this execution, by all of this pack's nodes in all rounds, and what became of it: the one account of
 * it. n8n keeps it through Retry On Fail and a manual retry. Each write has a place in the execution.
 */
export type Journal = ReturnType<typeof createJournal>;

/**
 * @param data is written to; n8n stores it with the execution
 * @param node whose run begins
 * @param round of a loop
 */
export function createJournal(data: JournalData, node: string, round: number) {
	const entries = (data.entries ??= {});
	const changes = (data.changes ??= {});
	const anyRound = beginning(node);
	const thisRound = beginning(node, round);
	for (const [place, { items, ...kept }] of Object.entries(entries)) {
		const isEarlier = place.startsWith(anyRound) && !place.startsWith(thisRound);
		if (items && isEarlier) entries[place] = kept;
	}
	return {
		/** Where an item of the present run stands. */
		itemPlace: (item: number) => `${thisRound}${item}]`,
		find: (place: string): JournalEntry | undefined => entries[place],
		/** @param entry undefined: forget what stands there */
		record: (place: string, entry: JournalEntry | undefined) => {
			if (entry) entries[place] = entry;
			else delete entries[place];
		},
		/**
		 * What stands under each idempotency key, and where; not what this round may send anew, under whichever key. And which
		 * requests of other rounds and nodes may have been executed.
		 */
		sent: () => {
			const byKey = new Map<string, Array<[place: string, entry: JournalEntry]>>();
			const openElsewhere = new Set<string>();
			for (const [place, entry] of Object.entries(entries)) {
				const { key, outcome, fingerprint } = entry;
				const isHere = place.startsWith(thisRound);
				if (!isHere && outcome === 'unknown') openElsewhere.add(fingerprint);
				if (key === undefined || (isHere && !isOpenOrDone(outcome))) continue;
				const same = byKey.get(key);
				if (same) same.push([place, entry]);
				else byKey.set(key, [[place, entry]]);
			}
			return { byKey, openElsewhere };
		},
		/** What else has been transferred, or is about to be: by an agent's other calls, or by this round's other items. */
		otherAmounts: (places: Set<string>, isTool: boolean) =>
			Object.entries(entries).flatMap(([at, { amount, outcome }]) => {
				const counts = isTool
					? isCall(at) && outcome !== 'rejected'
					: at.startsWith(thisRound) && isOpenOrDone(outcome);
				return counts && !places.has(at) && amount ? [amount] : [];
			}),
		/** Whether anything was sent that was not rejected. */
		hasSent: () => Object.values(entries).some(({ outcome }) => isOpenOrDone(outcome)),
		/** Counts a definite answer of a write to this path. */
		changed: (path: string) => {
			changes[path] = (changes[path] ?? 0) + 1;
		},
		/** How many there have been. */
		changes: (path: string) => changes[path] ?? 0,
	};
}

const beginning = (...of: [node: string, round?: number]) => `${JSON.stringify(of).slice(0, -1)},`;

/** Whether it was executed, or may have been. */
export const isOpenOrDone = (outcome?: Outcome): boolean =>
	outcome === 'accepted' || outcome === 'unknown';
