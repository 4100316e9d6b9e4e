import { InvalidFieldError } from '../../shared/fields/invalidField';
import type { RequestResult } from '../request/client';
import type { Outcome, RequestFailure } from '../request/errors';
import { holdsFile, type ServiceAnswer } from '../request/request';
import {
	entryOf,
	hasFailed,
	OPEN_WITHOUT_KEY,
	pending,
	type Batch,
	type ItemResult,
	type Prepared,
	type Row,
} from './batch';

/** How many requests may be under way at once; the rate limiter decides how fast they start. */
const CONCURRENCY = 60;

/** For files: each request may hold megabytes several times over (bytes, base64, the text on the wire). */
const CONCURRENCY_WITH_FILES = 6;

/** Sends what has no result yet, in the order of the items. */
export async function sendAll(rows: Row[], batch: Batch): Promise<void> {
	const { group, continueOnFail } = batch;
	const sending = pending(rows);
	const queue = sending.values();
	const worker = async () => {
		for (const { row, work } of queue) {
			if (group.stopped) return;
			row.result = await sendOne(work, batch);
			if (hasFailed(row) && !continueOnFail) group.halt();
		}
	};
	const workers = sending.some(({ work: { file, request } }) => file ?? holdsFile(request.body))
		? CONCURRENCY_WITH_FILES
		: CONCURRENCY;
	await Promise.all(Array.from({ length: workers }, worker));
}

/** Sends one write with its entry in the journal, or one read. Undefined when it was stopped before it was sent. */
async function sendOne(work: Prepared, batch: Batch): Promise<ItemResult | undefined> {
	const { journal, now, service, group } = batch;
	const { request, profile, place, key } = work;
	const isWrite = profile.effect !== 'read';
	const earlier = isWrite ? journal.find(place) : undefined;
	// An equal call of an agent, which was under way when this one was prepared.
	if (earlier?.outcome === 'accepted' && key !== undefined && earlier.key === key)
		return { kind: 'done', items: earlier.items ?? [], attempts: 0 };
	if (earlier?.outcome === 'unknown' && profile.effect === 'unkeyed write')
		return {
			kind: 'failed',
			failure: new InvalidFieldError('This call', ...OPEN_WITHOUT_KEY),
			attempts: 0,
		};
	// Another key makes an agent's equal state change new work.
	const outcomeUnknown = earlier?.outcome === 'unknown' && earlier.key === key;
	const entry = entryOf(work, 'unknown', outcomeUnknown ? earlier.sentAt : now(), batch);
	if (isWrite) journal.record(place, entry);
	const forgottenAt = entry.sentAt + service.windowMs;
	const sent = await service.client.send(
		{ ...work, idempotencyKey: key, outcomeUnknown, forgottenAt },
		group,
	);
	const result = await resultOf(batch, work, sent);
	if (!isWrite) return result;
	const outcome = writeOutcome(sent, outcomeUnknown);
	if (outcome !== 'unknown') journal.changed(request.path);
	// What an equal call of an agent, under way at the same time, came to or may come to is not overwritten.
	if (outcome === 'accepted' || journal.find(place) === entry) {
		const items = result?.kind === 'done' ? result.items : undefined;
		journal.record(place, outcome === 'not_sent' ? earlier : { ...entry, outcome, items });
	}
	return result;
}

/** What one try means for the write. What was unknown before stays so until the service accepts it. */
function writeOutcome(sent: RequestResult, outcomeUnknown: boolean): Outcome {
	if (sent.kind === 'answered') return 'accepted';
	if (outcomeUnknown) return 'unknown';
	return sent.kind === 'stopped' ? 'not_sent' : sent.failure.outcome;
}

async function resultOf(
	batch: Batch,
	work: Prepared,
	sent: RequestResult,
): Promise<ItemResult | undefined> {
	if (sent.kind === 'stopped') return undefined;
	if (sent.kind === 'failed') return sent;
	const { answer, attempts } = sent;
	try {
		const items = itemsOf(batch, work, answer);
		const { file } = work;
		const files = file && {
			[file.property]: await batch.storeFile(answer.bytes, file.fileName, file.mimeType),
		};
		return { kind: 'done', items, files, attempts, traceId: answer.traceId };
	} catch (thrown) {
		const failure = thrown instanceof InvalidFieldError ? thrown : unreadable(thrown, answer, work);
		return { kind: 'failed', failure, attempts };
	}
}

function itemsOf({ operation: { effect } }: Batch, work: Prepared, answer: ServiceAnswer) {
	const items = work.items(answer);
	// The answer of Endpoint: Request is given as it came.
	if (effect === 'read' || effect === 'by request') return items;
	const key = work.carriesKey && { idempotency_key: work.key };
	return items.map((item) => ({ ...item, ...key, trace_id: answer.traceId }));
}

/** The answer was a success, but it could not be made into items, or its file not be stored. */
function unreadable(thrown: unknown, answer: ServiceAnswer, { profile }: Prepared): RequestFailure {
	const isRead = profile.effect === 'read';
	return {
		kind: 'request failure',
		message: 'The reply could not be processed',
		fix: `${thrown instanceof Error ? thrown.message : String(thrown)}. ${isRead ? 'Try again.' : 'The service accepted the request.'}`,
		status: answer.status,
		traceId: answer.traceId,
		outcome: isRead ? 'rejected' : 'accepted',
	};
}
