import { InvalidFieldError, orInvalid } from '../../shared/fields/invalidField';
import type { Work } from '../operations/operation';
import { deriveIdempotencyKey } from '../request/idempotencyKey';
import type { Caller } from '../request/input';
import {
	entryOf,
	fail,
	OPEN_WITHOUT_KEY,
	pending,
	type Batch,
	type Prepared,
	type Row,
} from './batch';
import { callPlace, isOpenOrDone, type Journal, type JournalEntry } from './journal';
import { checkTogether } from './limits';

/** Reads and checks all items, one by one and together, and gives each its key. Nothing is sent. */
export async function prepareAll(rows: Row[], batch: Batch): Promise<void> {
	const { service, operation, caller, journal } = batch;
	const works: Array<[Row, Work]> = [];
	// One after the other: checking a document reads the beginning of its file.
	for (const row of rows) {
		const read = async () => await operation.readWork(row.input, caller);
		const work = service.problem ?? (await orInvalid(read));
		if (work instanceof InvalidFieldError) fail(row, work);
		else works.push([row, work]);
	}
	// From here on in one step: an agent may call several times at once, and each call has to see the others'.
	const sent = journal.sent();
	for (const [row, work] of works) assign(row, work, sent, batch);
	checkTogether(rows, batch);
	for (const { work } of pending(rows)) reserve(work, batch);
}

/** Gives the work its key and its place, unless what was sent in this execution forbids it. */
function assign(row: Row, work: Work, sent: ReturnType<Journal['sent']>, batch: Batch): void {
	const { caller, journal } = batch;
	const { idempotencyKey, fingerprint } = work;
	const place = placeOf(work, row.index, batch);
	const underKey = (idempotencyKey !== undefined && sent.byKey.get(idempotencyKey)) || [];
	const others = underKey.flatMap(([at, entry]) => (at === place ? [] : [entry]));
	// The service would return the result of the first work (§1.6), and the output would show it as that of this one.
	const used = others.find(
		(entry) => entry.outcome === 'accepted' || entry.fingerprint !== fingerprint,
	);
	const equal = others.filter(
		(entry) => entry.fingerprint === fingerprint && isOpenOrDone(entry.outcome),
	);
	const recovery = idempotencyKey === undefined ? batch.recovery : 'own key';
	const isWrite = work.profile.effect !== 'read';
	// The same work, sent from another place under the user's own key and without an answer: a loop may send it once more.
	const [open] = used ? [] : equal;
	if (isWrite && open && !isOpenOrDone(journal.find(place)?.outcome)) journal.record(place, open);
	const earlier = isWrite ? journal.find(place) : undefined;
	const isSame = isOpenOrDone(earlier?.outcome) && isSameWork(work, caller);
	row.work = {
		...work,
		profile: { ...work.profile, recovery },
		place,
		key: work.carriesKey ? keyOf(work, row.index, batch, isSame ? earlier : undefined) : undefined,
		// What is on its way is reserved: it has no answer yet, so that an equal state change is no new work either.
		repeated: caller.isTool && !work.dryRun && (isSame || earlier?.outcome === 'not_sent'),
		replay: isSame && earlier?.outcome === 'accepted' ? (earlier.items ?? []) : undefined,
	};
	const isElsewhere =
		idempotencyKey === undefined
			? isPayment(work) && !isSame && sent.openElsewhere.has(fingerprint)
			: used !== undefined && equal.length > 0;
	if (isElsewhere && !work.dryRun) row.sentByOther = true;
	const why = work.refusal ?? whyNot(row.work, { earlier, used, isElsewhere }, batch);
	if (why) fail(row, why);
}

/**
 * What is about to be sent: an agent's other calls count it, and a key of the user's own is taken, also where it is not
 * sent in the end. After a crash, whose retry knows no more than what was planned, it must not stand for other work.
 */
function reserve(work: Prepared, batch: Batch): void {
	const { nothingToSend, dryRun, place, profile, idempotencyKey } = work;
	const { caller, journal, now } = batch;
	const known = journal.find(place)?.outcome;
	if (nothingToSend || dryRun || profile.effect === 'read' || isOpenOrDone(known)) return;
	const entry = entryOf(work, 'not_sent', now(), batch);
	if (caller.isTool) work.reserved = entry;
	else if (known === 'rejected' || idempotencyKey === undefined) return;
	journal.record(place, entry);
}

/**
 * A node's items keep their places in Retry On Fail and in a manual retry. An agent's calls have none: there equal
 * requests are one piece of work, by whichever of its tools, and where the call has a key of its own, the key names it.
 */
function placeOf({ idempotencyKey, fingerprint }: Work, index: number, batch: Batch): string {
	const { caller, journal } = batch;
	if (!caller.isTool) return journal.itemPlace(index);
	return callPlace(idempotencyKey === undefined ? { asks: fingerprint } : { key: idempotencyKey });
}

/** Whether what stands at the same place is this work: an agent's equal state change without a key may be new work. */
const isSameWork = ({ movesMoney, idempotencyKey }: Work, { isTool }: Caller): boolean =>
	!isTool || movesMoney || idempotencyKey !== undefined;

/** @param earlier the same work, sent before: its key goes with it again */
function keyOf(work: Work, item: number, batch: Batch, earlier?: JournalEntry): string {
	const { caller, identity, journal } = batch;
	if (work.idempotencyKey !== undefined) return work.idempotencyKey;
	if (earlier?.key !== undefined) return earlier.key;
	if (!caller.isTool) return deriveIdempotencyKey(identity, { item }, work.fingerprint);
	// After a definite answer an agent's equal state change is new work; an equal transfer never is.
	const repetition = work.movesMoney ? 0 : journal.changes(work.request.path);
	return deriveIdempotencyKey(identity, { repetition }, work.fingerprint);
}

/** An equal change of a card may be meant, after another one in between. Of a write without a key that is not known. */
const isPayment = ({ movesMoney, profile }: Work) =>
	movesMoney || profile.effect === 'unkeyed write';

/** What was sent in this execution before. */
interface Before {
	/** From the same place. */
	earlier?: JournalEntry;
	/** From another place, what stands in the way of the user's own key. */
	used?: JournalEntry;
	/** Whether an equal request from another place may have been executed, and this one is not its repetition. */
	isElsewhere: boolean;
}

type Reason = [applies: boolean, ...words: ConstructorParameters<typeof InvalidFieldError>];

/** Why the work may not be sent: the first reason that applies. */
function whyNot(
	work: Prepared,
	{ earlier, used, isElsewhere }: Before,
	{ service: { target, windowMs }, caller, now }: Batch,
): InvalidFieldError | undefined {
	const { fingerprint, key, idempotencyKey, limits, dryRun, movesMoney, profile } = work;
	// Without an execution every call would get another key, and nothing is known of the calls before it.
	const isAlone = !caller.hasExecution && !dryRun;
	const limit = limits?.maximumTotal ?? limits?.maximumTransfers;
	// What was sent from this place before must not be followed by something else while it may have been executed: an
	// expression such as `$now`, in a field or in the key, would turn a retry into a second payment.
	const outcome = earlier?.outcome;
	const isBound = isOpenOrDone(outcome) || (caller.isTool && outcome === 'not_sent');
	const isOpen = outcome === 'unknown' && !dryRun;
	const it = caller.isTool ? 'This call' : 'This item';
	const was = outcome === 'accepted' ? 'was executed' : 'may have been executed';
	const reasons: Reason[] = [
		[
			isAlone && movesMoney && work.carriesKey && idempotencyKey === undefined,
			'Idempotency Key',
			'is not set, and this call has no n8n execution behind it, so a repeated call would be a second transfer',
			'Set Idempotency Key in the options, built from what the payment is for, e.g. the invoice number.',
		],
		[
			isAlone && limit !== undefined,
			limits?.maximumTotal === undefined ? 'Maximum Transfers' : 'Maximum Total',
			'cannot hold here: this call has no n8n execution behind it, so nothing is known of the calls before it',
			'Remove it, and set Maximum Amount and Allowed Recipients. To limit the total, let an AI Agent node of a workflow call this tool.',
		],
		[
			used !== undefined,
			'Idempotency Key',
			`was used earlier in this execution for ${used?.fingerprint === fingerprint ? 'an equal request: in' : 'other work:'} another round of a loop, another node or another item`,
			'Give each payment a key of its own, e.g. by putting wallet, token and date into it.',
		],
		[
			isBound && earlier?.target !== target,
			it,
			`${was} earlier in this execution with another credential: its environment, host or API key was different`,
			'Restore that credential and retry, or start a new execution for what is still to be done.',
		],
		[
			isBound && earlier?.fingerprint !== fingerprint,
			it,
			`${was} earlier in this execution, with other values`,
			'Remove what changes over time (such as $now) from its fields and retry, or start a new execution for what is still to be done.',
		],
		[isOpen && profile.effect === 'unkeyed write', it, ...OPEN_WITHOUT_KEY],
		[
			// An agent's equal state change with another key is new work.
			isOpen && earlier?.key !== key && isSameWork(work, caller),
			'Idempotency Key',
			`differs from the key that ${it.toLowerCase()} was sent with earlier in this execution, and the outcome is unknown: it may have been executed`,
			`Set Idempotency Key to ${earlier?.key} to send the same work again, or ask the provider whether it was executed.`,
		],
		[
			isOpen && earlier?.key === key && now() - (earlier?.sentAt ?? 0) >= windowMs,
			it,
			`may have been executed more than ${windowMs / 3_600_000} hours ago, and the service may have forgotten its idempotency key since`,
			'Ask the provider whether it was executed. If it was not, start a new execution for it, with an Idempotency Key of your own. That time is the Idempotency Window in the credential.',
		],
		[
			// An error output that leads back to the node, or to a second one, would send it again under another key, or none.
			isElsewhere && !dryRun,
			it,
			'is equal to a request that was sent earlier in this execution, and may have been executed',
			'Ask the provider whether it was executed. If this is another payment, give it an Idempotency Key of its own.',
		],
	];
	for (const [applies, ...words] of reasons) if (applies) return new InvalidFieldError(...words);
	return undefined;
}
