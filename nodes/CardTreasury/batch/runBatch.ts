import { describeBody } from '../body';
import { parseExactly } from '../client/responseBody';
import { InvalidFieldError } from '../errors';
import type { JsonObject } from '../input';
import { notSentNow, type Batch, type BatchResult, type ItemResult } from './batch';
import { checkLimits } from './limits';
import { precheck } from './precheck';
import { sendAll } from './sendAll';
import { journalEntry, prepare, refuseSharedKeys, type Prepared } from './work';

/** Prepares all items, checks them all, then sends them; results keep the order of the items. */
export async function runBatch<File>(batch: Batch<File>): Promise<BatchResult<File>> {
	const result = await decideAndSend(batch);
	if (!batch.continueOnFail) return result;
	const results = await Promise.all(
		result.results.map(
			async (item, index) => await withSubject(batch, item, index, result.prepared[index]),
		),
	);
	return { ...result, results };
}

/** A failed item that goes on has to tell which work it was: a batch of payments is reconciled from its output. */
async function withSubject<File>(
	{ operation, items, caller }: Batch<File>,
	result: ItemResult<File>,
	index: number,
	work: Prepared | InvalidFieldError | undefined,
): Promise<ItemResult<File>> {
	const item = items[index];
	if (result.kind !== 'failed' || item === undefined) return result;
	// By now others may have been sent, and what became of them must not be lost.
	const about = await operation.subject(item, caller).catch(() => undefined);
	if (about === undefined) return result;
	const { key = null, limits } = work instanceof InvalidFieldError ? {} : (work ?? {});
	const amount = limits && { amount: limits.amount };
	return { ...result, subject: { ...about, ...amount, idempotency_key: key } };
}

async function decideAndSend<File>(batch: Batch<File>): Promise<BatchResult<File>> {
	const prepared = await prepareAll(batch);
	const invalid = () => prepared.findIndex((entry) => entry instanceof InvalidFieldError);
	// Nothing of a batch is sent while one of its items is wrong, unless the user wants to go on.
	if (!batch.continueOnFail && invalid() >= 0) return notSent<File>(prepared, invalid());
	const rejected = await precheck(batch.client, batch.group, prepared);
	const failedCheck = rejected.findIndex((result) => result !== undefined);
	if (!batch.continueOnFail && failedCheck >= 0) {
		return notSent(prepared, failedCheck, rejected[failedCheck]);
	}
	const shown = await Promise.all(prepared.map(async (work) => await withoutSending<File>(work)));
	const decided = prepared.map((_, index) => rejected[index] ?? shown[index]);
	const begin = await beginWrites(batch, prepared, decided);
	if (begin !== undefined) return refuseRest(batch, prepared, decided, begin);
	const results = await sendAll(batch, prepared, decided);
	const failedAt = results.findIndex(({ kind }) => kind === 'failed');
	// An agent's next call has to know of this one.
	if (!batch.caller.isTool && isFinal(results)) batch.journal.clear();
	return { results, prepared, ...(!batch.continueOnFail && failedAt >= 0 && { failedAt }) };
}

/**
 * Whether n8n takes the output and runs the node no more. Retry On Fail repeats it also when the first output item has an
 * `error` field, as an answer passed on by Endpoint: Request may have (n8n 2.41).
 */
function isFinal(results: Array<ItemResult<unknown>>): boolean {
	if (!results.every(({ kind }) => kind === 'done')) return false;
	const [first] = results.flatMap((result) => (result.kind === 'done' ? result.items : []));
	const error = first?.json.error;
	return error === undefined || error === null || error === false;
}

async function prepareAll<File>(batch: Batch<File>): Promise<Array<Prepared | InvalidFieldError>> {
	const entries: Array<Prepared | InvalidFieldError> = [];
	// One after the other: checking a document reads the beginning of its file.
	for (const [index, item] of batch.items.entries())
		entries.push(await prepare(item, index, batch));
	const unique = refuseSharedKeys(entries);
	const works = unique.flatMap((entry) => (entry instanceof InvalidFieldError ? [] : [entry]));
	const refusal = checkLimits(works, batch.journal, batch.caller.isTool);
	if (refusal !== undefined) {
		return unique.map((entry) => (entry instanceof InvalidFieldError ? entry : refusal));
	}
	// In the same step as the check: an agent may call several times at once.
	if (batch.caller.isTool) for (const work of works) reserve(batch, work);
	return unique;
}

/** Counts a transfer towards the limits before it is sent. */
function reserve<File>({ journal }: Batch<File>, work: Prepared): void {
	if (work.limits === undefined || work.nothingToSend || work.dryRun || work.replay) return;
	journal.record(work.place, { ...journalEntry(work), state: 'unknown' });
}

/** The result of an item for which nothing has to be, or may be, sent; undefined when it is to be sent. */
async function withoutSending<File>(
	work: Prepared | InvalidFieldError,
): Promise<ItemResult<File> | undefined> {
	if (work instanceof InvalidFieldError) return { kind: 'failed', failure: work, attempts: 0 };
	const done = (json: JsonObject): ItemResult<File> => ({
		kind: 'done',
		items: [{ json }],
		attempts: 0,
	});
	if (work.nothingToSend)
		return done({ ...work.nothingToSend, idempotency_key: null, trace_id: null });
	if (!work.dryRun) return work.replay && replayed(work, work.replay);
	const { method, path, query = [], body } = work.request;
	return done({
		dry_run: true,
		method,
		path: path + (query.length === 0 ? '' : `?${new URLSearchParams(query).toString()}`),
		body: body === undefined ? null : (parseExactly(await describeBody(body)) ?? null),
		idempotency_key: work.key ?? null,
	});
}

/** What was done earlier in this execution: given again, not sent again. */
function replayed<File>({ repeated }: Prepared, items: JsonObject[]): ItemResult<File> {
	const output = items.map((json) => ({ json: repeated ? { ...json, repeated } : json }));
	return { kind: 'done', items: output, attempts: 0 };
}

/** A crash would forget what was sent without a key of the user's own: it must be noted before. */
async function beginWrites<File>(
	batch: Batch<File>,
	prepared: Array<Prepared | InvalidFieldError>,
	decided: Array<ItemResult<File> | undefined>,
): Promise<InvalidFieldError | undefined> {
	const writes = prepared.flatMap((work, index) =>
		work instanceof InvalidFieldError || decided[index] || work.profile.effect === 'read'
			? []
			: [work],
	);
	if (writes.length === 0) return undefined;
	if (writes.some(({ profile }) => profile.effect === 'unkeyed write')) {
		return await batch.beginWrites('none');
	}
	const allOwn = writes.every(({ idempotencyKey }) => idempotencyKey !== undefined);
	return await batch.beginWrites(allOwn ? 'own' : 'derived');
}

function refuseRest<File>(
	{ continueOnFail, journal }: Batch<File>,
	prepared: Array<Prepared | InvalidFieldError>,
	decided: Array<ItemResult<File> | undefined>,
	failure: InvalidFieldError,
): BatchResult<File> {
	prepared.forEach((work, index) => {
		if (work instanceof InvalidFieldError || decided[index] !== undefined) return;
		// What an earlier try has sent stays open; what this try has only reserved is free again.
		if (work.outcomeUnknown) return;
		journal.record(work.place, { ...journalEntry(work), state: 'rejected' });
	});
	const results = decided.map(
		(result): ItemResult<File> => result ?? { kind: 'failed', failure, attempts: 0 },
	);
	const failedAt = results.findIndex(({ kind }) => kind === 'failed');
	return { results, prepared, ...(!continueOnFail && { failedAt }) };
}

function notSent<File>(
	prepared: Array<Prepared | InvalidFieldError>,
	failedAt: number,
	failed?: ItemResult<File>,
): BatchResult<File> {
	const entry = prepared[failedAt];
	// What an earlier try of this execution has done stays done.
	const results = prepared.map(
		(work): ItemResult<File> =>
			!(work instanceof InvalidFieldError) && work.replay
				? replayed(work, work.replay)
				: notSentNow(work),
	);
	if (failed !== undefined) results[failedAt] = failed;
	else if (entry instanceof InvalidFieldError) {
		results[failedAt] = { kind: 'failed', failure: entry, attempts: 0 };
	}
	return { results, prepared, failedAt };
}
