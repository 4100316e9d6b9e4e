import { FileReference } from '../input';
import { InvalidFieldError, type RequestFailure } from '../errors';
import type { RequestResult } from '../client/client';
import type { Body, ServiceAnswer } from '../request';
import { notSentNow, type Batch, type ItemResult, type OutputItem } from './batch';
import { journalEntry, type Prepared } from './work';

/** How many requests may be under way at once; the rate limiter decides how fast they start. */
const CONCURRENCY = 60;

/** For files: each request may hold megabytes several times over (bytes, base64, the text on the wire). */
const CONCURRENCY_WITH_FILES = 6;

/**
 * Sends what is not decided yet, in the order of the items, and gives each one's result in its place.
 * @param decided results that are known without sending; left out under `failed` when the run may go on
 */
export async function sendAll<File>(
	batch: Batch<File>,
	prepared: Array<Prepared | InvalidFieldError>,
	decided: Array<ItemResult<File> | undefined>,
): Promise<Array<ItemResult<File>>> {
	const results = prepared.map(
		(work, index): ItemResult<File> => decided[index] ?? notSentNow(work),
	);
	const queue = prepared.entries();
	const withFiles = prepared.some(
		(work) => !(work instanceof InvalidFieldError) && holdsFile(work),
	);
	const worker = async () => {
		for (const [index, work] of queue) {
			if (decided[index] !== undefined || work instanceof InvalidFieldError) continue;
			if (batch.group.stopped) continue;
			const result = await sendOne(batch, work);
			if (result.kind === 'failed' && !batch.continueOnFail) batch.group.halt();
			results[index] = result;
		}
	};
	const workers = withFiles ? CONCURRENCY_WITH_FILES : CONCURRENCY;
	await Promise.all(Array.from({ length: workers }, worker));
	return results;
}

async function sendOne<File>(batch: Batch<File>, work: Prepared): Promise<ItemResult<File>> {
	const isWrite = work.profile.effect !== 'read';
	const { request, profile, policy, place, key, recovery, outcomeUnknown } = work;
	const entry = journalEntry(work);
	if (isWrite) batch.journal.record(place, { ...entry, state: 'unknown' });
	const result = await batch.client.send(
		{ request, profile: { ...profile, recovery }, policy, idempotencyKey: key, outcomeUnknown },
		batch.group,
	);
	const read = await resultOf(batch, work, result);
	if (!isWrite) return read;
	const state = stateOf(read, work);
	if (state !== 'unknown') batch.journal.changed(request.path);
	const items = read.kind === 'done' ? read.items.map(({ json }) => json) : undefined;
	batch.journal.record(place, { ...entry, state, ...(items && { items }) });
	if (read.kind !== 'done' || !work.repeated) return read;
	const repeated = read.items.map((item) => ({ ...item, json: { ...item.json, repeated: true } }));
	return { ...read, items: repeated };
}

/** For the journal: what was never sent may be sent later, like what was rejected. */
function stateOf(
	result: ItemResult<unknown>,
	{ outcomeUnknown }: Prepared,
): 'unknown' | 'done' | 'rejected' {
	if (result.kind === 'done') return 'done';
	if (result.kind === 'not sent') return outcomeUnknown ? 'unknown' : 'rejected';
	const { failure } = result;
	// The answer showed that a field was wrong: the request had been accepted by then.
	if (failure.kind === 'invalid field') return 'done';
	return failure.outcome === 'unknown' ? 'unknown' : 'rejected';
}

async function resultOf<File>(
	batch: Batch<File>,
	work: Prepared,
	result: RequestResult,
): Promise<ItemResult<File>> {
	if (result.kind === 'stopped') return notSentNow(work);
	if (result.kind === 'failed') return result;
	const { answer, attempts } = result;
	try {
		const items = await outputOf(batch, work, answer);
		return { kind: 'done', items, attempts, traceId: answer.traceId };
	} catch (thrown) {
		if (thrown instanceof InvalidFieldError) return { kind: 'failed', failure: thrown, attempts };
		return { kind: 'failed', failure: unreadable(thrown, answer, work), attempts };
	}
}

async function outputOf<File>(
	{ operation, storeFile }: Batch<File>,
	work: Prepared,
	answer: ServiceAnswer,
): Promise<Array<OutputItem<File>>> {
	const { effect } = operation;
	// The answer of Endpoint: Request is given as it came.
	const facts =
		effect === 'read' || effect === 'by request'
			? {}
			: { ...(work.carriesKey && { idempotency_key: work.key }), trace_id: answer.traceId };
	const items = work.items(answer).map((json) => ({ json: { ...json, ...facts } }));
	if (work.file === undefined) return items;
	const { property, fileName, mimeType } = work.file;
	const file = await storeFile(answer.bytes, fileName, mimeType);
	return items.map((item) => ({ ...item, files: { [property]: file } }));
}

/** The answer was a success, but it could not be made into items, or its file not be stored. */
function unreadable(thrown: unknown, answer: ServiceAnswer, { profile }: Prepared): RequestFailure {
	return {
		kind: 'request failure',
		message: 'The reply could not be processed',
		fix: `${thrown instanceof Error ? thrown.message : String(thrown)}. ${profile.effect === 'read' ? 'Try again.' : 'The service accepted the request.'}`,
		status: answer.status,
		traceId: answer.traceId,
		outcome: 'unknown',
	};
}

function holdsFile(work: Prepared): boolean {
	return (
		work.file !== undefined || (work.request.body !== undefined && bodyHoldsFile(work.request.body))
	);
}

function bodyHoldsFile(body: Body): boolean {
	if (body instanceof FileReference) return true;
	return typeof body === 'object' && body !== null && Object.values(body).some(bodyHoldsFile);
}
