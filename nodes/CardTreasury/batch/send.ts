import { InvalidFieldError } from '../../shared/fields/invalidField';
import type { RequestResult } from '../request/client';
import type { RequestFailure } from '../request/errors';
import type { JsonObject } from '../request/input';
import { holdsFile, type ServiceAnswer } from '../request/request';
import {
	hasFailed,
	isWrite,
	pending,
	type Batch,
	type Prepared,
	type Result,
	type Row,
} from './batch';
import { entryOf } from './prepare';
import { failedAdvice } from './refusals';

/** Maximum number of requests in flight. The rate limiter sets the pace. */
const CONCURRENCY = 60;

/**
 * Maximum number of requests with files in flight. Each may hold megabytes three times: as bytes, as base64 and as
 * text.
 */
const CONCURRENCY_WITH_FILES = 6;

/** Sends the items that have no result yet, in order. */
export async function sendAll(rows: Row[], batch: Batch): Promise<void> {
	const { group, continueOnFail } = batch;
	const sending = pending(rows);
	const queue = sending.values();
	const worker = async () => {
		for (const { row, work } of queue) {
			if (group.stopped) return;
			row.result = await sendOne(row, work, batch);
			if (hasFailed(row) && !continueOnFail) group.halt();
		}
	};
	const workers = sending.some(({ work: { file, request } }) => file ?? holdsFile(request.body))
		? CONCURRENCY_WITH_FILES
		: CONCURRENCY;
	await Promise.all(Array.from({ length: workers }, worker));
}

/**
 * Sends one request, and records a write in the journal.
 * @returns undefined if the run was stopped before the request
 */
async function sendOne(row: Row, work: Prepared, batch: Batch): Promise<Result | undefined> {
	const { journal, service, group } = batch;
	const outcomeUnknown = isOpenBefore(row);
	const sent = await service.client.send(
		{
			...work,
			idempotencyKey: work.key,
			outcomeUnknown,
			forgottenAt: forgottenAt(row, batch),
		},
		group,
	);
	const result = await resultOf(batch, work, sent, outcomeUnknown);
	if (!isWrite(work) || result === undefined) return result;
	if (result.outcome !== 'not_sent') {
		const items = itemsIn(result);
		journal.record(work.place, {
			...entryOf(work, batch),
			outcome: result.outcome,
			...(items && { items }),
		});
		delete row.reserved;
	}
	return result;
}

/** True if an earlier run may have executed the write. */
const isOpenBefore = ({ remembered, earlier }: Row): boolean =>
	remembered?.isFirst === false || earlier?.outcome === 'unknown';

/**
 * Epoch milliseconds after which the service may have forgotten the key. Counts from now for a first send, and from the
 * start of the execution for a re-send.
 */
function forgottenAt({ remembered }: Row, { service: { windowMs }, caller, now }: Batch): number {
	if (windowMs === undefined) return Infinity;
	const { startedAt = now() } = caller;
	return windowMs + (remembered?.isFirst === false ? startedAt : now());
}

/** Output items of a result, for the journal. */
function itemsIn(result: Result): JsonObject[] | undefined {
	if (result.kind === 'done') return result.items;
	return result.kind === 'failed' && result.outcome === 'failed' && result.subject
		? [result.subject]
		: undefined;
}

async function resultOf(
	batch: Batch,
	work: Prepared,
	sent: RequestResult,
	outcomeUnknown: boolean,
): Promise<Result | undefined> {
	if (sent.kind === 'stopped') return undefined;
	const { attempts } = sent;
	if (sent.kind === 'failed') {
		const outcome = isWrite(work) && outcomeUnknown ? 'unknown' : sent.failure.outcome;
		return {
			kind: 'failed',
			failure: sent.failure,
			outcome,
			attempts,
		};
	}
	const { answer } = sent;
	try {
		const items = itemsOf(batch, work, answer);
		// The service accepted the transfer, so it would not execute another one under this key.
		if (work.movesMoney && items[0]?.status === 'FAILED') {
			const failure = failedTransfer(answer, work);
			return { kind: 'failed', failure, outcome: 'failed', attempts, subject: items[0] };
		}
		const { file } = work;
		const files = file && {
			[file.property]: await batch.storeFile(answer.bytes, file.fileName, file.mimeType),
		};
		return { kind: 'done', items, files, attempts, traceId: answer.traceId, outcome: 'accepted' };
	} catch (thrown) {
		const isOwn = thrown instanceof InvalidFieldError && isWrite(work);
		const failure = isOwn ? thrown : unreadable(thrown, answer, work);
		return { kind: 'failed', failure, outcome: isWrite(work) ? 'accepted' : 'rejected', attempts };
	}
}

function itemsOf(
	{ operation: { effect } }: Batch,
	work: Prepared,
	answer: ServiceAnswer,
): JsonObject[] {
	const items = work.items(answer);
	// The operation Endpoint: Request returns the reply unchanged.
	if (effect === 'read' || effect === 'by request') return items;
	const { key } = work;
	const sentWith = {
		...(key !== undefined && { idempotency_key: key }),
		trace_id: answer.traceId,
	};
	return items.map((item) => ({ ...item, ...sentWith }));
}

const failedTransfer = ({ status, traceId }: ServiceAnswer, work: Prepared): RequestFailure => ({
	kind: 'request failure',
	message: 'The service accepted the transfer, and it FAILED',
	fix: failedAdvice(work),
	status,
	traceId,
	outcome: 'failed',
});

/** Failure after a successful reply: the content could not be read, or the file could not be stored. */
function unreadable(thrown: unknown, answer: ServiceAnswer, work: Prepared): RequestFailure {
	const isRead = !isWrite(work);
	const reason = thrown instanceof Error ? thrown.message : String(thrown);
	const isBadInput = thrown instanceof InvalidFieldError;
	return {
		kind: 'request failure',
		message: isBadInput ? reason : 'The reply could not be processed',
		fix: isBadInput
			? thrown.fix
			: `${reason}. ${isRead ? 'Try again.' : 'The service accepted the request.'}`,
		status: answer.status,
		traceId: answer.traceId,
		outcome: isRead ? 'rejected' : 'accepted',
	};
}
