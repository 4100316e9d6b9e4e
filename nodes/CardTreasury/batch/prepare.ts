import { randomUUID } from 'node:crypto';

import { deriveIdempotencyKey } from '../client/idempotencyKey';
import { InvalidFieldError, orInvalid } from '../errors';
import type { Caller } from '../input';
import type { Work } from '../operation';
import { fail, type Batch, type Prepared, type Row, type Service } from './batch';
import { isOpenOrDone, type Journal, type JournalEntry, type Place } from './journal';
import { checkTogether } from './limits';

/** Reads and checks all items, one by one and together, and gives each its key. Nothing is sent. */
export async function prepareAll(rows: Row[], batch: Batch): Promise<void> {
	// One after the other: checking a document reads the beginning of its file.
	for (const row of rows) {
		const work = await orInvalid(async () => await prepare(row, batch));
		if (work instanceof InvalidFieldError) fail(row, work);
	}
	checkTogether(rows, batch);
}

async function prepare(row: Row, batch: Batch): Promise<void> {
	const { operation, caller, service, identity, journal } = batch;
	if (service instanceof InvalidFieldError) throw service;
	const work = await operation.prepare(row.input, caller);
	const place = placeOf(work, row.index, caller, identity.node, identity.round);
	const earlier = work.profile.effect === 'read' ? undefined : sentBefore(work, place, journal);
	const repeats =
		earlier !== undefined && isOpenOrDone(earlier.outcome) && isSameWork(work, caller);
	const key = work.carriesKey
		? keyOf(work, place, batch, repeats ? earlier : undefined)
		: undefined;
	row.work = {
		...work,
		place,
		...(key !== undefined && { key }),
		recovery: work.idempotencyKey === undefined ? batch.recovery : 'own key',
		// One that is on its way is reserved, and not recorded as sent yet.
		repeated: caller.isTool && (repeats || earlier?.outcome === 'not_sent'),
		...(repeats && earlier.outcome === 'accepted' && { replay: earlier.items ?? [] }),
	};
	refuseWithoutExecution(work, caller);
	refuseUsedKey(row.work, journal);
	if (earlier) refuseUnlike(row.work, earlier, service, batch);
}

/**
 * A node's items keep their places in Retry On Fail and in a manual retry. An agent's calls have none: there equal
 * requests are one piece of work, and where the call has a key of its own, the key names it.
 */
function placeOf(
	work: Work,
	index: number,
	{ isTool }: Caller,
	node: string,
	round: number,
): Place {
	const { idempotencyKey, fingerprint } = work;
	return isTool ? ['agent', idempotencyKey ?? fingerprint] : [node, round, index];
}

/** Whether what stands at the same place is this work: an agent's equal state change without a key may be new work. */
const isSameWork = ({ movesMoney, idempotencyKey }: Work, { isTool }: Caller): boolean =>
	!isTool || movesMoney || idempotencyKey !== undefined;

/** @param earlier the same work, sent before: its key goes with it again */
function keyOf(work: Work, place: Place, batch: Batch, earlier?: JournalEntry): string {
	if (work.idempotencyKey !== undefined) return work.idempotencyKey;
	if (earlier?.key !== undefined) return earlier.key;
	const { root = randomUUID(), round, ...shared } = batch.identity;
	// After a definite answer an agent's equal state change is new work; an equal transfer never is.
	const repetition = work.movesMoney ? 0 : batch.journal.changes(work.request.path);
	const where = place.length === 2 ? { repetition } : { round, item: place[2] };
	return deriveIdempotencyKey({ ...shared, root, where }, work.fingerprint);
}

/** Without an execution every call would get another key. */
function refuseWithoutExecution(work: Work, { hasExecution }: Caller): void {
	if (hasExecution || work.dryRun) return;
	const { limits, movesMoney, carriesKey, idempotencyKey } = work;
	if (movesMoney && carriesKey && idempotencyKey === undefined) {
		throw new InvalidFieldError(
			'Idempotency Key',
			'is not set, and this call has no n8n execution behind it, so a repeated call would be a second transfer',
			'Set Idempotency Key in the options, built from what the payment is for, e.g. the invoice number.',
		);
	}
	const limit =
		limits?.maximumTotal !== undefined
			? 'Maximum Total'
			: limits?.maximumTransfers !== undefined && 'Maximum Transfers';
	if (!limit) return;
	throw new InvalidFieldError(
		limit,
		'cannot hold here: this call has no n8n execution behind it, so nothing is known of the calls before it',
		'Remove it, and set Maximum Amount and Allowed Recipients. To limit the total, let an AI Agent node of a workflow call this tool.',
	);
}

/** The same work, sent from this place or, under the user's own key, from another one: a loop may send it once more. */
function sentBefore(work: Work, place: Place, journal: Journal): JournalEntry | undefined {
	const here = journal.find(place);
	if ((here && isOpenOrDone(here.outcome)) || work.idempotencyKey === undefined) return here;
	const open = ({ outcome }: JournalEntry) => outcome === 'unknown';
	return journal.sentElsewhere(work.idempotencyKey, place).find(open) ?? here;
}

/** The service would return the result of the first work (§1.6), and the output would show it as that of this one. */
function refuseUsedKey({ idempotencyKey, place, fingerprint }: Prepared, journal: Journal): void {
	// Only the user's own key can stand for two pieces of work: a derived one is made from its work.
	if (idempotencyKey === undefined) return;
	const isOther = ({ outcome, fingerprint: sent }: JournalEntry) =>
		outcome === 'accepted' || (outcome === 'unknown' && sent !== fingerprint);
	if (!journal.sentElsewhere(idempotencyKey, place).some(isOther)) return;
	throw new InvalidFieldError(
		'Idempotency Key',
		'was used earlier in this execution for other work: another round of a loop, another node or another item',
		'Give each payment a key of its own, e.g. by putting the wallet and the date into it.',
	);
}

/**
 * What was sent from this place before in this execution must not be followed by something else while it may have been
 * executed: an expression such as `$now`, in a field or in the key, would turn a retry into a second payment.
 */
function refuseUnlike(
	work: Prepared,
	earlier: JournalEntry,
	{ target, windowMs }: Service,
	{ caller, now }: Pick<Batch, 'caller' | 'now'>,
): void {
	if (!isOpenOrDone(earlier.outcome)) return;
	const it = caller.isTool ? 'This call' : 'This item';
	const was = earlier.outcome === 'accepted' ? 'was executed' : 'may have been executed';
	if (earlier.target !== target) {
		throw new InvalidFieldError(
			it,
			`${was} earlier in this execution with another credential: its environment, host or API key was different`,
			'Restore that credential and retry, or start a new execution for what is still to be done.',
		);
	}
	if (earlier.fingerprint !== work.fingerprint) {
		throw new InvalidFieldError(
			it,
			`${was} earlier in this execution, with other values`,
			'Remove what changes over time (such as $now) from its fields and retry, or start a new execution for what is still to be done.',
		);
	}
	if (earlier.outcome === 'accepted' || work.dryRun) return;
	if (work.profile.effect === 'unkeyed write') {
		throw new InvalidFieldError(
			it,
			'was sent before in this execution, and its outcome is unknown: it may have been executed',
			'It carries no idempotency key, so it is not sent again. Ask the provider whether it was executed.',
		);
	}
	// An agent's equal state change with another key is new work.
	if (earlier.key !== work.key && isSameWork(work, caller)) {
		throw new InvalidFieldError(
			'Idempotency Key',
			`differs from the key that ${it.toLowerCase()} was sent with earlier in this execution, and the outcome is unknown: it may have been executed`,
			`Set Idempotency Key to ${earlier.key} to send the same work again, or ask the provider whether it was executed.`,
		);
	}
	if (earlier.key === work.key && now() - earlier.sentAt >= windowMs) {
		throw new InvalidFieldError(
			it,
			`may have been executed more than ${windowMs / 3_600_000} hours ago, and the service may have forgotten its idempotency key since`,
			'Ask the provider whether it was executed. If it was not, start a new execution for it. That time is the Idempotency Window in the credential.',
		);
	}
}
