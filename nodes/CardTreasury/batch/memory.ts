import { InvalidFieldError } from '../../shared/fields/invalidField';
import type { Work } from '../operations/work';
import type { Outcome } from '../request/errors';
import {
	fail,
	isInWindow,
	isOver,
	knownOutcome,
	needsRequest,
	pending,
	type Batch,
	type NoteKind,
	type Prepared,
	type Remembered,
	type Result,
	type Row,
} from './batch';
import { notesOf, numberUnkeyed, placeOf } from './noteNames';
import { dryRetry, refusal, valuesChanged, type Refusal } from './refusals';

/**
 * Kinds of notes in the order of recording. n8n drops the oldest first, so notes that forbid a payment come after notes
 * that allow a re-send.
 */
export const KINDS = ['place', 'pay', 'ref', 'own', 'open', 'look'] as const satisfies NoteKind[];

/** Decision on a write, based on its notes. */
export type Decision =
	| { kind: 'send'; isFirst: boolean }
	| { kind: 'already sent'; isSameAmount: boolean }
	| { kind: 'refuse'; why: Refusal; outcome: Outcome };

export interface Circumstances {
	/** True for a manual retry. */
	isRetry: boolean;
	/** True if the journal records an unknown outcome for this payment. */
	isOpenHere: boolean;
	isInWindow: boolean;
	oncePerDay: boolean;
	/** True if the write has an idempotency key. */
	isKeyed: boolean;
}

/**
 * Decides if a write may be sent. The first rule that applies counts.
 * @param was true if the note of this kind existed before the run
 */
export function decide(was: (kind: NoteKind) => boolean, given: Circumstances): Decision {
	const { isRetry, isOpenHere, isInWindow: inWindow, oncePerDay, isKeyed } = given;
	const refuse = (why: Refusal, outcome: Outcome = 'unknown'): Decision => ({
		kind: 'refuse',
		why,
		outcome,
	});
	const sentHere = isRetry && was('place');
	const refusedOutcome = sentHere || isOpenHere ? 'unknown' : 'not_sent';
	// One of these notes is enough, because n8n may have dropped the others.
	const isKnown = was('ref') || was('open') || was('pay');
	if (was('look')) return refuse('look interrupted');
	if (!isKnown && sentHere) return refuse('reference changed');
	if (!isKnown && isOpenHere)
		return inWindow ? { kind: 'send', isFirst: false } : refuse('not sent again');
	if (!isKnown) return { kind: 'send', isFirst: true };
	if (was('open') && was('pay')) {
		const isOwn = (isRetry || isOpenHere) && was('own');
		if (isOwn && inWindow && isKeyed) return { kind: 'send', isFirst: false };
		if (isOwn) return refuse('not sent again');
		return refuse(sentHere ? 'credential changed' : 'open elsewhere');
	}
	if (was('open')) return refuse('open for another payment', refusedOutcome);
	if (was('pay')) return { kind: 'already sent', isSameAmount: true };
	return oncePerDay
		? { kind: 'already sent', isSameAmount: false }
		: refuse('names another payment', refusedOutcome);
}

/** Maximum number of payments per run. With more, n8n could drop notes of the same run. */
export const MAX_PAYMENTS = 2_000;

interface Lookup {
	row: Row;
	work: Prepared;
	notes: Remembered['notes'];
}

/**
 * Records the notes of all writes, and refuses writes that an earlier run sent. No `await` may separate the lookup from
 * `settle`, because concurrent calls of an agent must see each other's reservations.
 * @param settle reserves the journal entries, and may refuse more items
 */
export async function remember(rows: Row[], batch: Batch, settle: () => void): Promise<void> {
	const { notes, isRetry } = batch;
	// A failed first run sends nothing and needs no lookup. A failed retry still reports what earlier runs sent.
	if (isOver(rows, batch) && !isRetry) return;
	const places = notes && isRetry ? placesOf(rows, batch) : [];
	// More at once would make n8n drop the notes of other payments.
	while (places.length > MAX_PAYMENTS) {
		const part = places.splice(-MAX_PAYMENTS);
		if (await lookUpPlaces(part, batch)) continue;
		return notRecorded(lookupsOf(rows, batch), [...places, ...part], batch);
	}
	const lookups = lookupsOf(rows, batch);
	const asked = [
		...lookups.flatMap(({ notes: own }) => KINDS.flatMap((kind) => own[kind] ?? [])),
		...places.map(({ place }) => place),
	];
	const found =
		notes && asked.length > 0
			? await notes.lookUpAndRecord([...new Set(asked)])
			: new Set<string>();
	if (found === undefined) return notRecorded(lookups, places, batch);
	settlePlaces(places, found);
	for (const lookup of lookups) settleLookup(lookup, found, batch);
	settle();
	const isEnd = isOver(rows, batch);
	for (const { row, notes: own } of lookups) {
		if (row.result || isEnd) {
			row.unneeded = Object.values(own).filter((note) => !found.has(note));
			row.result ??= unsent(row);
			delete row.remembered;
		} else if (own.look !== undefined) row.unneeded = [own.look];
	}
	if (await removeUnneeded(rows, batch)) return;
	// A remaining `look` note would block later runs, so nothing is sent.
	for (const { row } of lookups) if (!row.result) fail(row, noDatabase(batch), unsent(row).outcome);
}

/**
 * Looks up positions and removes the notes that this recorded.
 * @returns false if the database failed
 */
async function lookUpPlaces(places: Array<{ row: Row; place: string }>, batch: Batch) {
	const found = await batch.notes?.lookUpAndRecord(places.map(({ place }) => place));
	if (found === undefined) return false;
	settlePlaces(places, found);
	return await removeUnneeded(
		places.map(({ row }) => row),
		batch,
	);
}

function settlePlaces(places: Array<{ row: Row; place: string }>, found: Set<string>): void {
	for (const { row, place } of places) {
		if (found.has(place)) wasSentBefore(row);
		else row.unneeded = [place];
	}
}

/** Result of an item that the run did not reach. */
export function unsent(row: Row): Result {
	const isOpen = row.remembered?.isFirst === false;
	return { kind: 'unsent', attempts: 0, outcome: isOpen ? 'unknown' : knownOutcome(row) };
}

/** Returns the writes that need a lookup, and locks them. Refuses a write that another run is sending. */
function lookupsOf(rows: Row[], batch: Batch): Lookup[] {
	const writes = pending(rows).filter(
		({ row, work }) =>
			needsRequest(work) &&
			isRemembered(work) &&
			// Outside an execution, a repeated unkeyed write cannot be distinguished from a new one.
			(work.payment !== undefined || placeOf(row, batch) !== undefined),
	);
	const lookups = batch.notes && writes.length > MAX_PAYMENTS ? [] : writes;
	if (lookups.length < writes.length)
		for (const { row } of writes)
			fail(row, tooMany(writes.length), batch.isRetry ? 'unknown' : knownOutcome(row));
	const numbers = numberUnkeyed(rows, batch);
	return lookups.flatMap(({ row, work }) => {
		const notes = batch.notes ? notesOf(row, work, numbers.get(row), batch) : {};
		const holds = (note?: string, isShared?: boolean) =>
			note === undefined || batch.notes?.lock(note, isShared) === true;
		const { isRetry, caller } = batch;
		// The tools of an agent share their journal, so no two of them may send one payment at once.
		const hasRef = holds(notes.ref) && (!caller.isTool || holds(notes.pay, true));
		// A call that is refused must not lock a position, or an equal call would be refused for it.
		const hasPlace = hasRef && holds(notes.place);
		// Executions that start in the same millisecond share position notes, which matter only in a retry.
		if (hasRef && (hasPlace || !(isRetry || caller.isTool))) return [{ row, work, notes }];
		// Equal calls of an agent share them too, and one that is not sent would remove the note of another that is.
		const isEqualCall = hasRef && caller.isTool;
		const why = isEqualCall ? 'equal call' : 'being sent';
		fail(row, refusal(why, work, batch), isEqualCall && !isRetry ? knownOutcome(row) : 'unknown');
		return [];
	});
}

/**
 * Returns the items that this retry does not send, with the notes of their positions. Those notes show if an earlier
 * run sent the items.
 */
function placesOf(rows: Row[], batch: Batch): Array<{ row: Row; place: string }> {
	const { operation, notes } = batch;
	const mayBeRemembered = operation.movesMoney || operation.effect !== 'keyed write';
	return rows.flatMap((row) => {
		const { work, result, earlier } = row;
		const isNotSent = work && !result ? !needsRequest(work) : result?.kind === 'failed';
		// A rejected item is looked up too, because another retry may have sent it since.
		const isKnown = earlier !== undefined && earlier.outcome !== 'rejected';
		if (!mayBeRemembered || operation.effect === 'read' || isKnown || !isNotSent) return [];
		const place = placeOf(row, batch);
		if (place === undefined) return [];
		if (notes?.lock(place)) return [{ row, place }];
		wasSentBefore(row);
		return [];
	});
}

const isRemembered = ({ payment, profile }: Work) =>
	profile.effect !== 'read' && (payment !== undefined || profile.effect === 'unkeyed write');

function settleLookup({ row, work, notes }: Lookup, found: Set<string>, batch: Batch): void {
	if (row.result) return;
	const was = (kind: NoteKind) => notes[kind] !== undefined && found.has(notes[kind]);
	const decision = decide(was, {
		isRetry: batch.isRetry,
		isOpenHere: row.earlier?.outcome === 'unknown',
		isInWindow: isInWindow(batch),
		oncePerDay: work.payment?.oncePerDay === true,
		isKeyed: work.key !== undefined,
	});
	if (decision.kind === 'refuse')
		return fail(row, refusal(decision.why, work, batch), decision.outcome);
	if (decision.kind === 'already sent') {
		const items = [alreadySent(work, decision.isSameAmount, batch)];
		row.result = { kind: 'done', items, attempts: 0, outcome: 'accepted' };
		return;
	}
	const lasting = { ...notes };
	delete lasting.look;
	const fresh = Object.values(lasting).filter((note) => !found.has(note));
	row.remembered = { isFirst: decision.isFirst, notes: lasting, fresh };
}

/** Output for an accepted payment if the journal does not hold the original output. */
export function alreadySent(
	{ subject, key }: Prepared,
	isSameAmount: boolean,
	{ operation }: Batch,
) {
	const status = 'ALREADY_SENT';
	const outcome = 'already_sent';
	if (operation.effect === 'by request' || subject === undefined) return { outcome, status };
	return {
		...subject,
		outcome,
		status,
		...(!isSameAmount && { amount: null }),
		idempotency_key: isSameAmount ? (key ?? null) : null,
		trace_id: null,
	};
}

/** Sets the outcome to unknown, because an earlier run may have sent the item. */
function wasSentBefore(row: Row): void {
	const { work, result } = row;
	if (result) result.outcome = 'unknown';
	else if (work?.dryRun) fail(row, dryRetry(), 'unknown');
	else fail(row, valuesChanged('unknown', false), 'unknown');
}

/** Refuses all items, because n8n's database failed. In a retry, the outcomes are unknown. */
function notRecorded(lookups: Lookup[], places: Array<{ row: Row }>, batch: Batch): void {
	const { isRetry } = batch;
	for (const { row } of lookups)
		if (!row.result) fail(row, noDatabase(batch), isRetry ? 'unknown' : knownOutcome(row));
	for (const { row } of places) wasSentBefore(row);
}

const noDatabase = ({ isRetry, operation }: Batch) =>
	new InvalidFieldError(
		'Nothing',
		`was sent: n8n's database did not record ${operation.movesMoney ? 'the payments' : 'the requests'}`,
		`${isRetry ? 'Retry' : 'Run it again'} when the database works. If this message stays although it works, restart n8n while no payments run.`,
	);

const tooMany = (count: number) =>
	new InvalidFieldError(
		'This run',
		`has ${count} payments, and n8n remembers at most ${MAX_PAYMENTS} of one run`,
		'Split the items, for example with a Loop Over Items node.',
	);

/** Removes the notes that are wrong now that the outcomes are known, and releases the locks. */
export async function settleMemory(rows: Row[], batch: Batch): Promise<void> {
	for (const row of rows) row.unneeded = [...(row.unneeded ?? []), ...notesToRemove(row)];
	await removeUnneeded(rows, batch);
	batch.notes?.unlock();
}

/**
 * Removes the notes that the rows no longer need. After a failure, the next call tries again.
 * @returns false if the database failed
 */
async function removeUnneeded(rows: Row[], { notes }: Batch): Promise<boolean> {
	const unneeded = new Set(rows.flatMap((row) => row.unneeded ?? []));
	if (notes && unneeded.size > 0 && !(await notes.remove([...unneeded]))) return false;
	for (const row of rows) delete row.unneeded;
	return true;
}

function notesToRemove({ remembered, result }: Row): string[] {
	if (!remembered) return [];
	const { isFirst, notes, fresh } = remembered;
	const { outcome = 'not_sent', attempts = 0 } = result ?? {};
	if (outcome === 'accepted') return [notes.open, notes.own].filter((note) => note !== undefined);
	// A payment whose outcome was unknown before keeps its notes unless it was accepted.
	const isNotExecuted =
		outcome === 'not_sent' || (isFirst ? outcome === 'rejected' : attempts === 0);
	// Older notes stay, because other payments may share them: equal calls of an agent have one `place`.
	return isNotExecuted ? fresh : [];
}
