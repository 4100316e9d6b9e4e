import type { Outcome } from '../errors';
import type { JsonObject } from '../input';
import type { Work } from '../operation';

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

/** Where a write stands in the execution: its node, round and item, or an agent's call by what tells it from others. */
export type Place = [node: string, round: number, item: number] | [agent: 'agent', call: string];

/**
 * What was sent in this execution, by all of this pack's nodes in all rounds, and what became of it: the one account of
 * it. n8n keeps it through Retry On Fail and a manual retry.
 */
export interface Journal {
	find(place: Place): JournalEntry | undefined;
	/** @param entry undefined: forget what stands there */
	record(place: Place, entry: JournalEntry | undefined): void;
	/** What stands at other places under this idempotency key. */
	sentElsewhere(key: string, place: Place): JournalEntry[];
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
	const ownerOf = (place: Place) => (place.length === 2 ? '' : place[0]);
	const others = (place: Place) => {
		const own = JSON.stringify(place);
		return Object.entries(entries).filter(([at]) => at !== own);
	};
	return {
		find: (place) => {
			const at = JSON.stringify(place);
			const items = outputs[ownerOf(place)]?.items[at];
			return entries[at] && { ...entries[at], ...(items && { items }) };
		},
		record: (place, entry) => {
			const at = JSON.stringify(place);
			delete outputs[ownerOf(place)]?.items[at];
			if (entry === undefined) return void delete entries[at];
			const { items, ...kept } = entry;
			entries[at] = kept;
			if (items)
				(outputs[ownerOf(place)] ??= { round: place.length === 2 ? 0 : place[1], items: {} }).items[
					at
				] = items;
		},
		sentElsewhere: (key, place) =>
			others(place).flatMap(([, entry]) => (entry.key === key ? [entry] : [])),
		agentsAmounts: (place) =>
			others(place).flatMap(([at, { amount, outcome }]) =>
				amount && outcome !== 'rejected' && isAgents(at) ? [amount] : [],
			),
		hasSent: () => Object.values(entries).some(({ outcome }) => isOpenOrDone(outcome)),
		changed: (path) => {
			changes[path] = (changes[path] ?? 0) + 1;
		},
		changes: (path) => changes[path] ?? 0,
	};
}

const isAgents = (place: string) => (JSON.parse(place) as Place).length === 2;

/** The same work, sent from this place or, under the user's own key, from another one: a loop may send it once more. */
export function sentBefore(
	{
		place,
		idempotencyKey,
		fingerprint,
	}: Pick<Work, 'idempotencyKey' | 'fingerprint'> & { place: Place },
	journal: Journal,
): JournalEntry | undefined {
	const here = journal.find(place);
	if (isOpenOrDone(here?.outcome) || idempotencyKey === undefined) return here;
	const isOpen = (entry: JournalEntry) =>
		entry.outcome === 'unknown' && entry.fingerprint === fingerprint;
	return journal.sentElsewhere(idempotencyKey, place).find(isOpen) ?? here;
}

/** Whether it was executed, or may have been. */
export const isOpenOrDone = (outcome?: Outcome): boolean =>
	outcome === 'accepted' || outcome === 'unknown';
