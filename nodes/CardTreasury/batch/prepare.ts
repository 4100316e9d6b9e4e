import { randomUUID } from 'node:crypto';

import { InvalidFieldError, orInvalid } from '../../shared/fields/invalidField';
import type { Work } from '../operations/work';
import { paymentKey } from '../request/idempotencyKey';
import {
	fail,
	isOver,
	isWrite,
	knownOutcome,
	needsRequest,
	pending,
	type Batch,
	type Prepared,
	type Row,
} from './batch';
import { callPlace, type JournalEntry } from './journal';
import { limitsRefusal, refuseDuplicates, uncountable } from './limits';
import { alreadySent } from './memory';
import { credentialChanged, dryRetry, failedAgain, refusal, valuesChanged } from './refusals';

/** Reads and checks all items. Items that this execution has already sent get their result from the journal. */
export async function prepareAll(rows: Row[], batch: Batch): Promise<void> {
	// Items are read one at a time, because an item with a document opens a file.
	for (const row of rows) {
		await batch.pause();
		await prepare(row, batch);
	}
	refuseDuplicates(rows);
}

async function prepare(row: Row, batch: Batch): Promise<void> {
	const { service, operation, caller, journal } = batch;
	const input = await batch.readItem(row.index);
	row.input = input;
	const work = orInvalid(() => {
		if (service.problem) throw service.problem;
		return operation.readWork(input, caller);
	});
	if (work instanceof InvalidFieldError) {
		if (operation.effect !== 'read' && !caller.isTool)
			row.earlier = journal.find(journal.itemPlace(row.index));
		return fail(row, work, knownOutcome(row));
	}
	const prepared = withKey(work, row.index, batch);
	row.work = prepared;
	// An agent's state changes are never taken for repeats: after freeze, unfreeze and freeze, the card must be frozen.
	const isNew = !isWrite(work) || (caller.isTool && !isNamed(work));
	if (!isNew) row.earlier = journal.find(prepared.place);
	answerFromJournal(row, prepared, batch);
	const why = work.refusal ?? uncountable(work, caller);
	if (!row.result && why) fail(row, why, knownOutcome(row));
}

/** True if a repeated call of an agent is recognized by its content. */
const isNamed = ({ payment, profile }: Work) =>
	payment !== undefined || profile.effect === 'unkeyed write';

function withKey(work: Work, index: number, { service, caller, journal }: Batch): Prepared {
	const { payment, fingerprint } = work;
	return {
		...work,
		place:
			caller.isTool && isNamed(work)
				? callPlace(payment?.reference, fingerprint)
				: journal.itemPlace(index),
		...(work.profile.effect === 'keyed write' && {
			key: payment
				? (payment.key ?? paymentKey(service.target, payment.reference, payment.values))
				: randomUUID(),
		}),
	};
}

/** Sets the result of an item that this execution has already sent: the earlier output, or a refusal. */
function answerFromJournal(row: Row, work: Prepared, batch: Batch): void {
	const { earlier } = row;
	const { isRetry, journal, caller } = batch;
	if (work.dryRun) {
		if (isRetry && journal.hasSent()) fail(row, dryRetry(), knownOutcome(row));
		return;
	}
	if (earlier === undefined) return;
	const { outcome } = earlier;
	if (outcome === 'failed') return fail(row, failedAgain(work, caller.isTool), outcome);
	if (outcome !== 'accepted' && outcome !== 'unknown') return;
	if (earlier.credential !== batch.service.credential)
		return fail(row, credentialChanged(outcome, caller.isTool), outcome);
	const isSame = isSameWork(earlier, work);
	if (outcome === 'accepted') {
		if (!isSame) return fail(row, valuesChanged(outcome, caller.isTool), outcome);
		const items = earlier.items?.map((item) => ({ ...item, repeated: true }));
		row.result = {
			kind: 'done',
			items: items ?? [alreadySent(work, true, batch)],
			outcome,
			attempts: 0,
		};
		return;
	}
	if (work.profile.effect === 'unkeyed write' || (work.payment && work.nothingToSend))
		return fail(row, refusal('not sent again', work, batch), outcome);
	if (work.payment && !isSame) {
		const isRenamed = earlier.reference !== work.payment.reference;
		const why = isRenamed
			? refusal('reference changed', work, batch)
			: valuesChanged(outcome, caller.isTool);
		return fail(row, why, outcome);
	}
}

const isSameWork = ({ fingerprint, reference }: JournalEntry, work: Prepared) =>
	fingerprint === work.fingerprint &&
	reference === work.payment?.reference &&
	work.nothingToSend === undefined;

/**
 * Checks the limits over all items and reserves the journal entries. Contains no `await`, because concurrent calls of
 * an agent must see each other's reservations.
 */
export function reserve(rows: Row[], batch: Batch): void {
	if (isOver(rows, batch)) return;
	const { journal, caller } = batch;
	const toSend = () => pending(rows).filter(({ work }) => isWrite(work) && needsRequest(work));
	// Another tool of the agent, with notes of its own, may have sent this payment since the journal was read.
	for (const { row, work } of caller.isTool ? toSend() : []) {
		const entry = isNamed(work) ? journal.find(work.place) : undefined;
		if (entry && entry !== row.earlier && entry.outcome !== 'rejected')
			fail(row, refusal('being sent', work, batch), 'unknown');
	}
	const why = limitsRefusal(rows, batch);
	for (const { row } of why ? pending(rows) : [])
		fail(row, why!, row.remembered?.isFirst === false ? 'unknown' : knownOutcome(row));
	if (isOver(rows, batch)) return;
	for (const { row, work } of toSend()) {
		row.reserved = { before: journal.find(work.place) };
		journal.record(work.place, entryOf(work, batch));
	}
}

/** Journal entry of a write that is about to be sent. */
export const entryOf = (
	{ fingerprint, payment, key, subject, limits }: Prepared,
	{ service: { credential } }: Batch,
): JournalEntry => ({
	fingerprint,
	outcome: 'unknown',
	credential,
	reference: payment?.reference,
	key,
	subject,
	amount: limits?.amount,
});
