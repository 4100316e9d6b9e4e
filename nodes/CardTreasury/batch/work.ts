import { randomUUID } from 'node:crypto';

import { deriveIdempotencyKey } from '../client/idempotencyKey';
import { InvalidFieldError, orInvalid } from '../errors';
import type { Caller, InputItem, JsonObject } from '../input';
import type { ServiceOperation, Work } from '../operation';
import type { RecoveryPath } from '../request';
import type { Journal, JournalEntry } from './journal';

/** What distinguishes this run's work from that of other executions, nodes and rounds. */
export interface RunIdentity {
	/** Of this n8n, because execution IDs start at 1 in each. */
	instanceId: string;
	workflowId: string;
	nodeId: string;
	/** The execution in which the work was first tried, with its start: a manual retry keeps both. Absent without an execution. */
	root?: string;
	/** Which round of a loop. */
	runIndex: number;
}

/** One item's work with everything that sending it needs. */
export interface Prepared extends Work {
	index: number;
	/** The key that goes with it, if any does. */
	key?: string;
	derivedKey: boolean;
	recovery: RecoveryPath;
	/** Its place in the journal. */
	place: string;
	/** Whether it was sent earlier in this execution and its outcome is unknown. */
	outcomeUnknown: boolean;
	/** The output of the same work, done earlier in this execution: it is not sent again. */
	replay?: JsonObject[];
	/** Whether an agent has asked for this transfer before in this execution. */
	repeated: boolean;
}

export interface PrepareContext {
	operation: ServiceOperation;
	caller: Caller;
	identity: RunIdentity;
	journal: Journal;
	/** How the user of this run has a derived key sent again. */
	recovery: RecoveryPath;
}

/** Reads and checks one item and gives it its key. Nothing is sent. */
export async function prepare(
	item: InputItem,
	index: number,
	context: PrepareContext,
): Promise<Prepared | InvalidFieldError> {
	const prepared = await prepareItem(item, index, context);
	if (!(prepared instanceof InvalidFieldError) || context.caller.isTool) return prepared;
	// What an earlier try has sent stays unknown, whatever the item's fields give now.
	const { field, reason, fix } = prepared;
	return context.journal.find(itemPlace(index, context))?.state === 'unknown'
		? new InvalidFieldError(field, reason, fix, 'unknown')
		: prepared;
}

async function prepareItem(
	item: InputItem,
	index: number,
	context: PrepareContext,
): Promise<Prepared | InvalidFieldError> {
	return await orInvalid(async () => {
		const work = await context.operation.prepare(item, context.caller);
		const place = placeOf(work, index, context);
		const earlier = work.profile.effect === 'read' ? undefined : context.journal.find(place);
		const derivedKey = work.carriesKey && work.idempotencyKey === undefined;
		if (derivedKey && work.movesMoney && !work.dryRun && !context.caller.hasExecution) {
			throw new InvalidFieldError(
				'Idempotency Key',
				'is not set, and this call has no n8n execution behind it, so a repeated call would be a second transfer',
				'Set Idempotency Key in the options, built from what the payment is for, e.g. the invoice number.',
			);
		}
		const key = derivedKey ? keyOf(work, index, context) : work.idempotencyKey;
		refuseUsedKey(work, context.journal);
		refuseUnlikeEarlier(work, key, earlier, context.caller);
		return {
			...work,
			index,
			...(work.carriesKey && { key }),
			derivedKey,
			recovery: work.idempotencyKey === undefined ? context.recovery : 'own key',
			place,
			outcomeUnknown: earlier?.state === 'unknown',
			...repetitionOf(work, earlier, context.caller),
		};
	});
}

/** What an earlier try means for this one. An agent's equal state change after an answer is new work. */
function repetitionOf(
	{ fingerprint, movesMoney }: Work,
	earlier: JournalEntry | undefined,
	{ isTool }: Caller,
): Pick<Prepared, 'repeated' | 'replay'> {
	const isSameWork = !isTool || movesMoney;
	return {
		repeated: isTool && movesMoney && earlier !== undefined && earlier.state !== 'rejected',
		...(isSameWork &&
			earlier?.state === 'done' &&
			earlier.fingerprint === fingerprint && { replay: earlier.items ?? [] }),
	};
}

/**
 * A node's items keep their places in Retry On Fail and in a manual retry. An agent's calls have none: there equal
 * requests are one piece of work.
 */
function placeOf({ fingerprint }: Work, index: number, context: PrepareContext): string {
	const { caller, identity } = context;
	return caller.isTool ? `${identity.nodeId}/${fingerprint}` : itemPlace(index, context);
}

const itemPlace = (index: number, { identity }: PrepareContext) => `${identity.runIndex}/${index}`;

function keyOf(work: Work, index: number, { caller, identity, journal }: PrepareContext): string {
	const { root = randomUUID(), runIndex, ...shared } = identity;
	// After a definite answer an agent's equal state change is new work; an equal transfer never is.
	const repetition = work.movesMoney ? 0 : journal.changes(work.request.path);
	const place = caller.isTool ? { repetition } : { runIndex, itemIndex: index };
	return deriveIdempotencyKey({ ...shared, root, place }, work.fingerprint);
}

/** What the journal keeps of a write, apart from how it ended. */
export function journalEntry({
	fingerprint,
	key,
	limits,
}: Prepared): Pick<JournalEntry, 'fingerprint' | 'key' | 'amount'> {
	return {
		fingerprint,
		...(key !== undefined && { key }),
		...(limits && { amount: limits.amount }),
	};
}

/** The service would return the result of the first values (§1.6), and the output would show it with these. */
function refuseUsedKey({ idempotencyKey, fingerprint }: Work, journal: Journal): void {
	// Only the user's own key can meet other values: a derived one is made from them.
	if (idempotencyKey === undefined) return;
	const isUsed = journal
		.sentWith(idempotencyKey)
		.some((entry) => entry.state !== 'rejected' && entry.fingerprint !== fingerprint);
	if (!isUsed) return;
	throw new InvalidFieldError(
		'Idempotency Key',
		'was sent earlier in this execution, with other values',
		'Restore those values, or give this item a key of its own if it is another piece of work.',
	);
}

/**
 * What was sent from this place before in this execution must not be followed by something else while it may have been
 * executed: an expression such as `$now`, in a field or in the key, would turn a retry into a second payment.
 */
function refuseUnlikeEarlier(
	work: Work,
	key: string | undefined,
	earlier: JournalEntry | undefined,
	caller: Caller,
): void {
	if (earlier === undefined || earlier.state === 'rejected') return;
	if (earlier.fingerprint !== work.fingerprint) {
		throw new InvalidFieldError(
			'This item',
			earlier.state === 'done'
				? 'was executed earlier in this execution, with other values'
				: 'may have been executed earlier in this execution, with other values',
			'Remove what changes over time (such as $now) from its fields and retry, or start a new execution for what is still to be done.',
		);
	}
	if (earlier.state === 'done' || work.dryRun) return;
	refuseOtherKey(work, key, earlier, caller);
	if (work.profile.effect === 'unkeyed write') {
		throw new InvalidFieldError(
			caller.isTool ? 'This call' : 'This item',
			'was sent before in this execution, and its outcome is unknown: it may have been executed',
			'It carries no idempotency key, so it is not sent again. Ask the provider whether it was executed.',
			'unknown',
		);
	}
}

/** Under another key the service would execute it a second time. An agent's equal state change may be new work. */
function refuseOtherKey(
	work: Work,
	key: string | undefined,
	earlier: JournalEntry,
	{ isTool }: Caller,
): void {
	if (earlier.key === undefined || earlier.key === key || (isTool && !work.movesMoney)) return;
	throw new InvalidFieldError(
		'Idempotency Key',
		`differs from the key that ${isTool ? 'this call' : 'this item'} was sent with earlier in this execution, and the outcome is unknown: it may have been executed`,
		`Set Idempotency Key to ${earlier.key} to send the same work again, or ask the provider whether it was executed.`,
		'unknown',
	);
}

/** Rejects items that have the same key: the service would execute only the first of them. */
export function refuseSharedKeys(
	entries: Array<Prepared | InvalidFieldError>,
): Array<Prepared | InvalidFieldError> {
	const places = new Map<string, number[]>();
	entries.forEach((entry, index) => {
		if (entry instanceof InvalidFieldError || entry.key === undefined) return;
		places.set(entry.key, [...(places.get(entry.key) ?? []), index]);
	});
	return entries.map((entry) => {
		if (entry instanceof InvalidFieldError || entry.key === undefined) return entry;
		const sharing = places.get(entry.key) ?? [];
		if (sharing.length < 2) return entry;
		return new InvalidFieldError(
			'Idempotency Key',
			`is the same for items ${sharing.slice(0, 10).join(', ')}: the service may execute only the first`,
			'Make it different for each item, e.g. by putting the wallet and the date into it.',
		);
	});
}
