import { InvalidFieldError } from '../../shared/fields/invalidField';
import type { Outcome } from '../request/errors';
import {
	isInWindow,
	isWrite,
	type Batch,
	type Checked,
	type NoteNames,
	type Permitted,
	type Sent,
} from './batch';
import type { JournalEntry } from './journal';
import { limitsRefusal } from './limits';
import { alreadySent, isNamed, isOwnOpen } from './read';
import { changedRun, refusal, type Refusal } from './refusals';
import type { Run } from './run';

/** Items of one part, in order. */
export interface Part {
	items: Array<Checked & { notes?: NoteNames }>;
	/** True if the journal has a payment of the part that was sent under the reference that it has now. */
	isExplained: boolean;
}

/** Notes of a part, and what this run has found of them. */
interface Looked {
	/** Notes that this run has looked up, and thereby recorded. */
	asked: Set<string>;
	/** Notes that existed before. */
	was: Set<string>;
}

/** A part that may be sent. */
export interface PermittedPart {
	items: Permitted[];
	looked: Looked;
}

/**
 * Step 3, in three database calls at most. Records the notes of a part, looks up what was paid if a reference is known,
 * and decides. What is not sent is undone at once.
 */
export async function permit(part: Part, run: Run): Promise<PermittedPart> {
	const { notes } = run.batch;
	const looked: Looked = { asked: new Set(), was: new Set() };
	const items = part.items.filter((item) => isFree(item, run));
	const named = notes ? items.filter(isNoted) : [];
	if ((run.isOver && !run.batch.isRetry) || items.length === 0) return { items: [], looked };
	if (!(await lookUp(named, looked, run))) {
		const outcome = run.batch.isRetry ? 'unknown' : undefined;
		for (const item of items) run.fail(item, noDatabase(run.batch), outcome);
		// Known references keep `open`, because `paid` may be new or old.
		const fresh = named.filter((item) => !isKnown(item, looked));
		const unneeded = fresh.flatMap(({ notes: own }) => freshOf(own, looked));
		await undo(unneeded, named, looked, run);
		return { items: [], looked };
	}
	// No `await` up to here, because concurrent calls of an agent must see each other's reservations.
	const permitted = reserve(decideAll(items, part, looked, run), run);
	const refused = named.filter(({ index }) => !permitted.some((item) => item.index === index));
	const unneeded = refused.flatMap(({ notes: own }) => freshOf(own, looked));
	const isUnsent = run.batch.caller.isTool || permitted.length === 0;
	await undo(unneeded, isUnsent ? refused : [], looked, run);
	return { items: permitted, looked };
}

type Noted = Checked & { notes: NoteNames };
const isNoted = <Item extends { notes?: NoteNames }>(
	item: Item,
): item is Item & { notes: NoteNames } => item.notes !== undefined;

/** Locks the notes of an item. Refuses an item that another run is sending. */
function isFree(item: Checked & { notes?: NoteNames }, run: Run): boolean {
	const { notes, isRetry } = run.batch;
	if (!notes || !item.notes) return true;
	const { ref, part } = item.notes;
	const isFreeNow =
		notes.lock(ref) &&
		// Two retries of one execution would take each other for changed references.
		(!isRetry || part === undefined || notes.lock(part));
	if (!isFreeNow) run.fail(item, refusal('being sent', item.work, run.batch), 'unknown');
	return isFreeNow;
}

/**
 * Calls 1 and 2.
 * @returns false if the database failed
 */
async function lookUp(items: Noted[], looked: Looked, { batch }: Run): Promise<boolean> {
	const ask = async (list: string[]) => {
		const names = [...new Set(list)];
		if (names.length === 0) return true;
		const was = await batch.notes?.lookUpAndRecord(names);
		if (was === undefined) return false;
		for (const name of names) looked.asked.add(name);
		for (const name of was) looked.was.add(name);
		return true;
	};
	// n8n drops the oldest notes first. Without its `open`, a payment that may have been executed would seem accepted.
	const first = [
		...items.flatMap(({ notes }) => notes.part ?? []),
		...items.map(({ notes }) => notes.ref),
		...items.map(({ notes }) => notes.open),
	];
	if (!(await ask(first))) return false;
	const unclear = items.filter((item) =>
		looked.was.has(item.notes.open)
			? isOwnOpen(item, batch) && isInWindow(batch)
			: isKnown(item, looked),
	);
	return await ask(unclear.map(({ notes }) => notes.paid));
}

/** True if the reference was sent before. One of the notes is enough, because n8n may have dropped the other. */
const isKnown = ({ notes }: Noted, { was }: Looked) => was.has(notes.ref) || was.has(notes.open);

const freshOf = ({ ref, open, paid }: NoteNames, { asked, was }: Looked): string[] =>
	[ref, open, paid].filter((note) => asked.has(note) && !was.has(note));

/** Decision on a write, based on its notes. */
export type Decision =
	| { kind: 'send'; isFirst: boolean }
	| { kind: 'already sent'; isSameAmount: boolean }
	| { kind: 'refuse'; why: Refusal; outcome?: Outcome };

export interface Circumstances {
	/** True if the journal has this very payment as unknown. */
	isOpenHere: boolean;
	/** True if this node sent that payment, and the write has an idempotency key. */
	isOwn: boolean;
	isInWindow: boolean;
	oncePerDay: boolean;
}

/**
 * Decides if a write may be sent. The first rule that applies counts.
 * @param was true if the note of this kind existed before the run
 */
export function decide(
	was: Record<'ref' | 'open' | 'paid', boolean>,
	{ isOpenHere, isOwn, isInWindow: inWindow, oncePerDay }: Circumstances,
): Decision {
	const refuse = (why: Refusal, outcome?: Outcome): Decision => ({ kind: 'refuse', why, outcome });
	if (was.open) {
		if (!isOwn) return refuse('open', 'unknown');
		if (!inWindow) return refuse('not sent again', 'unknown');
		return was.paid ? refuse('open', 'unknown') : { kind: 'send', isFirst: false };
	}
	if (was.paid) return { kind: 'already sent', isSameAmount: true };
	if (was.ref)
		return oncePerDay
			? { kind: 'already sent', isSameAmount: false }
			: refuse('names another payment');
	if (!isOpenHere) return { kind: 'send', isFirst: true };
	return inWindow ? { kind: 'send', isFirst: false } : refuse('not sent again', 'unknown');
}

function decideAll(items: Part['items'], part: Part, looked: Looked, run: Run): Permitted[] {
	const { batch } = run;
	const permitted = items.flatMap((item): Permitted[] => {
		const { notes, work, earlier } = item;
		const isOpenHere = earlier?.outcome === 'unknown';
		// Another tool of the agent, with notes of its own, may have sent this payment since the journal was read.
		const now = batch.caller.isTool && isNamed(work) ? batch.journal.find(work.place) : earlier;
		if (now && now !== earlier && now.outcome !== 'rejected') {
			run.fail(item, refusal('being sent', work, batch), 'unknown');
			return [];
		}
		if (!batch.notes || !notes) return [{ ...item, isFirst: !isOpenHere }];
		const decision = decide(
			{
				ref: looked.was.has(notes.ref),
				open: looked.was.has(notes.open),
				paid: looked.was.has(notes.paid),
			},
			{
				isOpenHere,
				isOwn: isOwnOpen(item, batch),
				isInWindow: isInWindow(batch),
				oncePerDay: work.payment?.oncePerDay === true,
			},
		);
		if (decision.kind === 'send') return [{ ...item, isFirst: decision.isFirst }];
		if (decision.kind === 'refuse')
			run.fail(item, refusal(decision.why, work, batch), decision.outcome);
		else
			run.end(item, {
				kind: 'done',
				items: [alreadySent(work, decision.isSameAmount, batch)],
				attempts: 0,
				outcome: 'accepted',
			});
		return [];
	});
	return withoutChanged(permitted, items.filter(isNoted), part, looked, run);
}

/**
 * Refuses first sendings whose references were made anew. In a retry, the note of the part shows that something of it
 * was sent. If neither the memory nor the journal knows one of its references, the references have changed.
 */
function withoutChanged(
	permitted: Permitted[],
	named: Noted[],
	part: Part,
	looked: Looked,
	run: Run,
): Permitted[] {
	const { caller, isRetry } = run.batch;
	if (!isRetry) return permitted;
	const isExplained = part.isExplained || named.some((item) => isKnown(item, looked));
	const isChanged = ({ notes, earlier }: Permitted) =>
		notes?.part !== undefined &&
		looked.was.has(notes.part) &&
		(caller.isTool ? earlier === undefined : !isExplained);
	const first = permitted.filter(({ isFirst, notes }) => isFirst && notes !== undefined);
	const changed = first.filter(isChanged);
	if (changed.length > 0 && !caller.isTool) run.isChanged = true;
	for (const item of run.isChanged ? first : changed) {
		const isOpen = changed.includes(item);
		const why = isOpen ? refusal('changed', item.work, run.batch) : changedRun(item.work);
		run.fail(item, why, isOpen ? 'unknown' : 'not_sent');
	}
	return permitted.filter((item) => !run.result(item));
}

export const isSent = (outcome: Outcome) =>
	outcome === 'accepted' || outcome === 'unknown' || outcome === 'failed';

/** Reserves the journal entries, unless a failed item or a limit ends the run. Contains no `await`. */
function reserve(permitted: Permitted[], run: Run): Permitted[] {
	if (run.isOver || run.isHalted) return [];
	const { journal, caller } = run.batch;
	// The calls of an agent come one by one, so their limits are checked when a call is decided.
	const why = caller.isTool ? limitsRefusal(permitted, run.batch) : undefined;
	if (why) {
		for (const item of permitted) run.fail(item, why);
		return [];
	}
	return permitted.map((item) => {
		const before = journal.find(item.work.place);
		if (isWrite(item.work)) journal.record(item.work.place, entryOf(item.work, run.batch));
		return { ...item, before };
	});
}

/** Journal entry of a write that is about to be sent. */
export const entryOf = (
	{ fingerprint, payment, key, subject, limits }: Checked['work'],
	{ service: { target, credential }, node }: Batch,
): JournalEntry => ({
	fingerprint,
	outcome: 'unknown',
	target,
	credential,
	node,
	reference: payment?.reference,
	key,
	subject,
	amount: limits?.amount,
});

/**
 * Step 5. What was accepted is recorded before its `open` is removed, so that no cut leaves it without a note. Recorded
 * again, because another process may have overwritten the first notes.
 */
export async function settle(sent: Sent[], { looked }: PermittedPart, run: Run): Promise<void> {
	const { notes, journal } = run.batch;
	for (const { work, outcomeNow, before } of sent)
		if (outcomeNow === 'not_sent' && isWrite(work)) journal.record(work.place, before);
	const named = sent.filter(isNoted);
	if (!notes || named.length === 0) return;
	const paid = named.filter(({ outcomeNow }) => outcomeNow === 'accepted');
	const isRecorded =
		paid.length === 0 ||
		(await notes.record(paid.flatMap(({ notes: own }) => [own.ref, own.paid])));
	const unneeded = named.flatMap(({ notes: own, outcomeNow, isFirst }) => {
		if (outcomeNow === 'accepted') return isRecorded ? [own.open] : [];
		if (outcomeNow === 'unknown' || outcomeNow === 'failed') return isFirst ? [] : [own.paid];
		return freshOf(own, looked);
	});
	const unsent = named.filter(({ outcomeNow }) => !isSent(outcomeNow));
	const isUnsent = run.batch.caller.isTool || unsent.length === named.length;
	await undo(unneeded, isUnsent ? unsent : [], looked, run);
}

/**
 * Removes notes. The note of the part goes too, if this run recorded it and nothing of the part was or may have been
 * sent.
 * @param unsent items that were not sent, if nothing of their part was
 */
async function undo(unneeded: string[], unsent: Noted[], looked: Looked, { batch }: Run) {
	const parts = unsent.flatMap(({ notes: { part }, work }) =>
		part !== undefined &&
		looked.asked.has(part) &&
		!looked.was.has(part) &&
		// Equal calls of an agent share the note.
		!(batch.caller.isTool && batch.journal.hasSent({ ...work, node: batch.node }))
			? [part]
			: [],
	);
	const all = new Set([...unneeded, ...parts]);
	if (all.size > 0) await batch.notes?.remove([...all]);
}

const noDatabase = ({ isRetry, operation }: Batch) =>
	new InvalidFieldError(
		'Nothing',
		`was sent: n8n's database did not record ${operation.movesMoney ? 'the payments' : 'the requests'}`,
		`${isRetry ? 'Retry' : 'Run it again'} when the database works. If this message stays although it works, restart n8n while no payments run.`,
	);
