import { InvalidFieldError, orInvalid } from '../../shared/fields/invalidField';
import { queryText, type RequestResult } from '../request/client';
import { asInvalid } from '../request/errors';
import { parseExactly } from '../request/exactJson';
import type { JsonObject } from '../request/input';
import { describeBody } from '../request/request';
import {
	fail,
	isOver,
	isWrite,
	knownOutcome,
	pending,
	type Batch,
	type EndedRow,
	type Prepared,
	type Row,
} from './batch';
import { remember, settleMemory, unsent } from './memory';
import { prepareAll, reserve } from './prepare';
import { sendAll } from './send';

/** Prepares, checks and sends all items. Never throws, because every error becomes an item's failure. */
export async function runBatch(batch: Batch): Promise<EndedRow[]> {
	const rows = Array.from({ length: batch.count }, (_, index): Row => ({ index }));
	try {
		await sendChecked(rows, batch);
	} catch (thrown) {
		// A throw is a defect in this package. Reserved writes may have been executed.
		for (const row of rows)
			if (!row.result) fail(row, asInvalid(thrown), row.reserved ? 'unknown' : knownOutcome(row));
	}
	for (const row of rows) row.result ??= unsent(row);
	for (const { reserved, work, result } of rows)
		if (reserved && work && result?.outcome !== 'unknown')
			batch.journal.record(work.place, reserved.before);
	await settleMemory(rows, batch);
	const ended: EndedRow[] = rows.map((row) => ({
		...row,
		result: row.result ?? unsent(row),
		record: recordOf(row, batch),
	}));
	if (batch.continueOnFail) for (const row of ended) addSubject(row, batch);
	return ended;
}

/** Runs the steps up to and including sending. Stops after an item has failed, unless Continue On Fail is on. */
async function sendChecked(rows: Row[], batch: Batch): Promise<void> {
	await prepareAll(rows, batch);
	if (!isOver(rows, batch)) await precheck(rows, batch);
	await remember(rows, batch, () => reserve(rows, batch));
	if (isOver(rows, batch)) return;
	answerUnsent(rows);
	await sendAll(rows, batch);
}

/** Journal entry of the item. Undefined for a read, or for a write that this execution has not sent. */
function recordOf({ index, work, earlier }: Row, { journal, caller, operation }: Batch) {
	if (operation.effect === 'read' || (work && !isWrite(work))) return undefined;
	if (work) return journal.find(work.place) ?? earlier;
	return caller.isTool ? undefined : journal.find(journal.itemPlace(index));
}

/**
 * Checks each item against the current data of the service before anything is sent. Items that need the same data share one
 * request.
 */
async function precheck(rows: Row[], { service, group }: Batch): Promise<void> {
	const reads = new Map<string, Promise<RequestResult>>();
	const checkOne = async (row: Row, work: Prepared) => {
		if (!work.precheck) return;
		const { request, profile, check } = work.precheck;
		const read =
			reads.get(request.path) ??
			service.client.send({ request, profile, policy: work.policy }, group);
		reads.set(request.path, read);
		const result = await read;
		if (result.kind === 'stopped') return;
		if (result.kind === 'answered') {
			const objection = orInvalid(() => check(result.answer));
			if (objection instanceof InvalidFieldError) fail(row, objection, knownOutcome(row));
			return;
		}
		const { failure, attempts } = result;
		// An API key without permission to read may still write (§5.1), so the write shows if the key is accepted.
		if (failure.status === 401 || failure.status === 403) return;
		const fix = `${failure.fix} Only the check before sending failed.`;
		fail(row, { ...failure, fix, outcome: 'not_sent' }, knownOutcome(row), attempts);
	};
	await Promise.all(pending(rows).map(async ({ row, work }) => await checkOne(row, work)));
}

/** Sets the result of each item that needs no request. */
function answerUnsent(rows: Row[]): void {
	for (const { row, work } of pending(rows)) {
		if (work.nothingToSend) {
			done(row, { ...work.nothingToSend, idempotency_key: null, trace_id: null });
		} else if (work.dryRun) {
			done(row, shown(work));
		}
	}
}

const done = (row: Row, item: JsonObject): void => {
	row.result = { kind: 'done', items: [item], attempts: 0, outcome: 'not_sent' };
};

/** Output of a dry run. A random key is omitted, because the real request would carry another one. */
function shown({ request, key, payment, subject }: Prepared): JsonObject {
	const { method, path, query, body } = request;
	return {
		...subject,
		outcome: 'dry_run',
		...(subject && 'status' in subject && { status: 'DRY_RUN' }),
		...(key !== undefined && { idempotency_key: payment ? key : null }),
		trace_id: null,
		request: {
			method,
			path: path + queryText(query),
			body: body === undefined ? null : (parseExactly(describeBody(body)) ?? null),
		},
	};
}

/** Adds the values as sent to a failed item, so that users can reconcile a batch of payments from the output. */
function addSubject(row: EndedRow, { operation, caller }: Batch): void {
	const { result, work, input, record } = row;
	if (result.kind !== 'failed') return;
	const shownReference = work?.payment?.shown;
	const named = shownReference !== undefined && { payment_reference: shownReference };
	// Values are omitted, because another run may have sent different ones.
	if (!record && result.outcome === 'unknown') {
		result.subject = { ...named };
		return;
	}
	const present = input && orUndefined(() => operation.subject(input, caller));
	if (present === undefined) return;
	const sent = record && { ...record.subject, ...record.items?.[0] };
	const key = record ? record.key : work?.payment && !work.refusal ? work.key : undefined;
	result.subject = {
		...present,
		...named,
		...(sent ?? work?.subject),
		...(operation.effect !== 'unkeyed write' && { idempotency_key: key ?? null }),
	};
}

function orUndefined<Value>(work: () => Value): Value | undefined {
	try {
		return work();
	} catch {
		return undefined;
	}
}
