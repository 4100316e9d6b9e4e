import { InvalidFieldError, orInvalid } from '../../shared/fields/invalidField';
import type { RequestResult } from '../request/client';
import { asInvalid } from '../request/errors';
import type { JsonObject } from '../request/input';
import { describeBody } from '../request/request';
import { parseExactly } from '../request/response';
import { fail, hasFailed, pending, type Batch, type EndedRow, type Row } from './batch';
import { noteBeginning } from './begin';
import { prepareAll } from './prepare';
import { sendAll } from './send';

/** Prepares all items, checks them all, then sends them. Never throws: whatever goes wrong is an item's failure. */
export async function runBatch(batch: Batch): Promise<EndedRow[]> {
	const rows = batch.items.map((input, index): Row => ({ index, input }));
	for (const step of [prepareAll, noteBeginning, precheck, answerUnsent, sendAll]) {
		// Nothing more is sent once an item has failed, unless the user wants to go on.
		const isOver = !batch.continueOnFail && rows.some(hasFailed);
		if (isOver && step !== noteBeginning) break;
		await step(rows, batch).catch((thrown: unknown) => {
			for (const row of rows) if (row.result === undefined) fail(row, asInvalid(thrown));
		});
	}
	for (const { work, result } of rows) {
		// An agent's call that was not sent in the end is no longer on its way.
		if (work?.reserved && batch.journal.find(work.place) === work.reserved)
			batch.journal.record(work.place, undefined);
		if (work?.repeated && result?.kind === 'done')
			result.items = result.items.map((item) => ({ ...item, repeated: true }));
	}
	const ended = rows.map((row) => end(row, batch));
	if (batch.continueOnFail) for (const row of ended) await addSubject(row, batch);
	return ended;
}

/** Adds what became of the item's work: the journal's word, whatever this run has to say of the item. */
function end(row: Row, batch: Batch): EndedRow {
	const { result, work, index } = row;
	const { caller, isRetry, journal, operation } = batch;
	const found = journal.find(work?.place ?? journal.itemPlace(index));
	// An agent's equal state change with another key is new work.
	const isOther = caller.isTool && found?.key !== work?.key;
	const record = isOther || found?.outcome === 'not_sent' ? undefined : found;
	const failure = result?.kind === 'failed' ? result.failure : undefined;
	const said = failure?.kind === 'request failure' ? failure.outcome : 'not_sent';
	if ((work?.profile.effect ?? operation.effect) === 'read')
		return { ...row, record, outcome: result?.kind === 'done' ? 'accepted' : said };
	// An agent's call that cannot be read has no place: in a retry it may be one that was sent.
	const mayBeSent = row.sentByOther || (!work && caller.isTool && isRetry && journal.hasSent());
	const recorded = record?.outcome ?? said;
	return { ...row, record, outcome: mayBeSent && recorded !== 'accepted' ? 'unknown' : recorded };
}

/**
 * Checks each item against what the service says at the moment, before anything is sent. Items that need the same read
 * share one.
 */
async function precheck(rows: Row[], { service, group }: Batch): Promise<void> {
	const reads = new Map<string, Promise<RequestResult>>();
	const checkOne = async (row: Row) => {
		const { work } = row;
		if (!work?.precheck || work.replay) return;
		const { request, profile, check } = work.precheck;
		const read =
			reads.get(request.path) ??
			service.client.send({ request, profile, policy: work.policy }, group);
		reads.set(request.path, read);
		const result = await read;
		if (result.kind === 'stopped') return;
		if (result.kind === 'answered') {
			const objection = await orInvalid(() => check(result.answer));
			if (objection instanceof InvalidFieldError) fail(row, objection);
			return;
		}
		const { failure, attempts } = result;
		// A key may be scoped to writing (§5.1): the write itself then shows whether it is accepted.
		if (failure.status === 401 || failure.status === 403) return;
		const fix = `${failure.fix} This was only the check before sending: it was not sent.`;
		fail(row, { ...failure, fix, outcome: 'not_sent' }, attempts);
	};
	await Promise.all(pending(rows).map(async ({ row }) => await checkOne(row)));
}

/** Gives the result of each item for which nothing has to be, or may be, sent. */
async function answerUnsent(rows: Row[], { isRetry, journal }: Batch): Promise<void> {
	for (const { row, work } of pending(rows)) {
		if (work.dryRun && isRetry && journal.hasSent()) {
			fail(row, dryRetry());
		} else if (work.nothingToSend) {
			row.result = done([{ ...work.nothingToSend, idempotency_key: null, trace_id: null }]);
		} else if (work.dryRun) {
			row.result = done([await shown(work)]);
		} else if (work.replay) {
			row.result = done(work.replay);
		}
	}
}

const done = (items: JsonObject[]) => ({ kind: 'done' as const, items, attempts: 0 });

/** n8n would count the execution as retried with success, and offer no other retry for what is still open. */
const dryRetry = () =>
	new InvalidFieldError(
		'Dry Run',
		'is on, and this retries an execution that has sent something',
		'Turn it off to continue that execution. To see what would be sent, start a new execution as a dry run.',
	);

/** What a dry run gives in place of sending. */
async function shown({ request, key }: NonNullable<Row['work']>): Promise<JsonObject> {
	const { method, path, query = [], body } = request;
	return {
		dry_run: true,
		method,
		path: path + (query.length === 0 ? '' : `?${new URLSearchParams(query).toString()}`),
		body: body === undefined ? null : (parseExactly(await describeBody(body)) ?? null),
		idempotency_key: key ?? null,
	};
}

/** A failed item that goes on has to tell which work it was, as it was sent: a batch of payments is reconciled from it. */
async function addSubject(row: EndedRow, { operation, caller }: Batch): Promise<void> {
	const { result, work, input, record } = row;
	if (result?.kind !== 'failed') return;
	// What another run has sent may have had other values than this item has now.
	if (row.sentByOther && !record) return;
	// By now others may have been sent, and what became of them must not be lost.
	const present = await operation.subject(input, caller).catch(() => undefined);
	if (present === undefined) return;
	result.subject = record
		? { ...present, ...record.subject, ...record.items?.[0], idempotency_key: record.key ?? null }
		: { ...present, ...work?.subject, idempotency_key: (!work?.refusal && work?.key) || null };
}
