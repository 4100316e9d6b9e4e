import { randomUUID } from 'node:crypto';

import { InvalidFieldError, orInvalid } from '../../shared/fields/invalidField';
import type { Work } from '../operations/work';
import { paymentKey } from '../request/idempotencyKey';
import type { JsonObject } from '../request/input';
import { isWrite, type Batch, type Checked, type Prepared, type Read } from './batch';
import { callPlace } from './journal';
import { uncountable } from './limits';
import {
	changedSinceDryRun,
	dryRetry,
	failedAgain,
	refusal,
	sentElsewhere,
	valuesChanged,
} from './refusals';
import type { Run } from './run';

/** Reads all items. Items that this execution has already sent get their result from the journal. */
export async function readAll(run: Run): Promise<void> {
	// Items are read one at a time, because an item with a document opens a file.
	for (const { index } of run.items) {
		await run.batch.pause();
		await read(index, run);
	}
}

async function read(index: number, run: Run): Promise<void> {
	const { service, operation, caller, journal, readItem } = run.batch;
	const input = await readItem(index);
	const item: Read = { index, input };
	run.items[index] = item;
	const work = orInvalid(() => {
		if (service.problem) throw service.problem;
		return operation.readWork(input, caller);
	});
	if (work instanceof InvalidFieldError) {
		if (operation.effect !== 'read' && !caller.isTool)
			item.earlier = journal.find(journal.itemPlace(index));
		return run.fail(item, work);
	}
	item.work = withKey(work, index, run.batch);
	const checked = { ...item, work: item.work };
	// An agent's state changes are never taken for repeats: after freeze, unfreeze and freeze, the card must be frozen.
	const isNew = !isWrite(work) || (caller.isTool && !isNamed(work));
	if (!isNew) item.earlier = checked.earlier = journal.find(checked.work.place);
	answerFromJournal(checked, run);
	const why = work.refusal ?? uncountable(work, caller) ?? changedSinceDryRun(checked.work);
	if (!run.result(item) && why) run.fail(item, why);
}

/** True if a repeated call of an agent is recognized by its content. */
export const isNamed = ({ payment, profile }: Work) =>
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
function answerFromJournal(item: Checked, run: Run): void {
	const { work, earlier } = item;
	const { isRetry, journal, caller, service } = run.batch;
	if (work.dryRun) {
		if (isRetry && journal.hasSent()) run.fail(item, dryRetry());
		return;
	}
	if (earlier === undefined) return;
	const { outcome } = earlier;
	if (outcome === 'failed') return run.fail(item, failedAgain(work, caller.isTool));
	if (outcome !== 'accepted' && outcome !== 'unknown') return;
	if (earlier.target !== service.target)
		return run.fail(item, sentElsewhere('host', outcome, caller.isTool));
	const isSame = isSamePayment(item) && work.nothingToSend === undefined;
	if (outcome === 'accepted') {
		if (!isSame) return run.fail(item, valuesChanged(outcome, caller.isTool));
		const items = earlier.items?.map((shown) => ({ ...shown, repeated: true }));
		return run.end(item, {
			kind: 'done',
			items: items ?? [alreadySent(work, true, run.batch)],
			outcome,
			attempts: 0,
		});
	}
	if (work.profile.effect === 'unkeyed write' || (work.payment && work.nothingToSend))
		return run.fail(item, refusal('not sent again', work, run.batch));
	if (work.payment === undefined) return;
	if (!isSame) return run.fail(item, valuesChanged(outcome, caller.isTool));
	if (earlier.credential !== service.credential)
		return run.fail(item, sentElsewhere('API key', outcome, caller.isTool));
}

const isSamePayment = ({ work, earlier }: Checked) =>
	earlier?.fingerprint === work.fingerprint && earlier.reference === work.payment?.reference;

/**
 * True if this node sent this payment in this execution with this credential, and its outcome is unknown. Only then a
 * re-send carries the same key to the same service.
 */
export const isOwnOpen = ({ earlier, work }: Checked, { node }: Batch): boolean =>
	earlier?.outcome === 'unknown' && earlier.node === node && work.key !== undefined;

/** Output for an accepted payment if the journal does not hold the original output. */
export function alreadySent(
	{ subject, key }: Prepared,
	isSameAmount: boolean,
	{ operation }: Batch,
): JsonObject {
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
