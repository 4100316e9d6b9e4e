import type { Outcome } from '../errors';
import type { JsonObject } from '../input';

/** A write that was sent in this execution, and what became of it. */
export interface JournalEntry {
	/** `Work.fingerprint`: whether another request is the same work. */
	fingerprint: string;
	/** `unknown` from before it is sent until its answer is there. `not_sent`: an agent's call that is on its way. */
	outcome: Outcome;
	/** Which service with which key (`Service.target`). */
	target: string;
	/** When it was first sent under its key, in epoch milliseconds. */
	sentAt: number;
	/** The idempotency key that went with it, if any did. */
	key?: string;
	/** What a failed item tells of the work. */
	subject?: JsonObject;
	/** For the limits over all calls of an agent. */
	amount?: string;
	/** Its output, once accepted: given again instead of sending it again. Of earlier rounds n8n has it. */
	items?: JsonObject[];
}

/** The stored form, in n8n's execution data. Only JSON survives there. */
export interface JournalData {
	entries?: Record<string, Omit<JournalEntry, 'items'>>;
	/** The `items` of entries, by node: those of its present round. All of the agent's calls stand under an empty name. */
	outputs?: Record<string, { round: number; items: Record<string, JsonObject[]> }>;
	/** How many definite answers writes to a path have had. */
	changes?: Record<string, number>;
}

/** Where a write stands in the execution. */
export interface Place {
	/** What tells it from every other place. */
	text: string;
	/** The node whose round it belongs to; empty for an agent's call. */
	node: string;
	round: number;
}

/** Of an agent's call: a tool and what it asks for; where it gives a key, the key alone. */
export const callPlace = (tool: string, call: string): Place => ({
	text: JSON.stringify([tool, call]),
	node: '',
	round: 0,
});

/**
 * What was sent in this execution, by all of this pack's nodes in all rounds, and what became of it: the one account of
 * it. n8n keeps it through Retry On Fail and a manual retry.
 */
export interface Journal {
	/** Where an item of the present run stands. */
	itemPlace(item: number): Place;
	find(place: Place): JournalEntry | undefined;
	/** @param entry undefined: forget what stands there */
	record(place: Place, entry: JournalEntry | undefined): void;
	/** What stands under each idempotency key, and where (`Place.text`). */
	byKey(): Map<string, Array<[at: string, entry: JournalEntry]>>;
	/** What an agent's other calls have transferred, or are about to. */
	agentsAmounts(place: Place): string[];
	/** Whether anything was sent that was not rejected. */
	hasSent(): boolean;
	/** Counts a definite answer of a write to this path. */
	changed(path: string): void;
	/** How many there have been. */
	changes(path: string): number;
}

/**
 * @param data is written to; n8n stores it with the execution
 * @param node whose run begins
 * @param round of a loop
 */
export function createJournal(data: JournalData, node: string, round: number): Journal {
	const entries = (data.entries ??= {});
	const changes = (data.changes ??= {});
	const outputs = (data.outputs ??= {});
	if (outputs[node]?.round !== round) delete outputs[node];
	return {
		itemPlace: (item) => ({ text: JSON.stringify([node, round, item]), node, round }),
		find: ({ text, node: owner }) => {
			const items = outputs[owner]?.items[text];
			return items && entries[text] ? { ...entries[text], items } : entries[text];
		},
		record: (place, entry) => {
			const { text } = place;
			delete outputs[place.node]?.items[text];
			if (entry === undefined) return void delete entries[text];
			const { items, ...kept } = entry;
			entries[text] = kept;
			if (items) (outputs[place.node] ??= { round: place.round, items: {} }).items[text] = items;
		},
		byKey: () => {
			const found: ReturnType<Journal['byKey']> = new Map();
			for (const [at, entry] of Object.entries(entries)) {
				if (entry.key === undefined) continue;
				const same = found.get(entry.key);
				if (same) same.push([at, entry]);
				else found.set(entry.key, [[at, entry]]);
			}
			return found;
		},
		agentsAmounts: ({ text }) =>
			Object.entries(entries).flatMap(([at, { amount, outcome }]) =>
				at !== text && amount && outcome !== 'rejected' && isCall(at) ? [amount] : [],
			),
		hasSent: () => Object.values(entries).some(({ outcome }) => isOpenOrDone(outcome)),
		changed: (path) => {
			changes[path] = (changes[path] ?? 0) + 1;
		},
		changes: (path) => changes[path] ?? 0,
	};
}

const isCall = (text: string) => (JSON.parse(text) as unknown[]).length === 2;

/** Whether it was executed, or may have been. */
export const isOpenOrDone = (outcome?: Outcome): boolean =>
	outcome === 'accepted' || outcome === 'unknown';
