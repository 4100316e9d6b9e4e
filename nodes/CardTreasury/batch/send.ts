import { InvalidFieldError } from '../../shared/fields/invalidField';
import type { RequestResult } from '../request/client';
import { asInvalid, type RequestFailure } from '../request/errors';
import type { JsonObject } from '../request/input';
import type { ServiceAnswer } from '../request/request';
import {
	isWrite,
	type Batch,
	type Permitted,
	type Prepared,
	type Result,
	type Sent,
} from './batch';
import { entryOf } from './memory';
import { failedAdvice } from './outcome';
import { unsent, type Run } from './run';

/**
 * Step 4: sends one request, and records a write in the journal. Never throws.
 * @param onStart called when the request leaves, or when it is certain that it does not
 */
export async function send(item: Permitted, run: Run, onStart: () => void): Promise<Sent> {
	const { batch } = run;
	const { work, isFirst } = item;
	if (batch.group.stopped) {
		onStart();
		return { ...item, result: unsent(item), outcomeNow: 'not_sent' };
	}
	const result =
		(await sendOne(item, batch, onStart).catch((thrown: unknown): Result => {
			// A throw is a defect in this package. The write may have been executed.
			const outcome = isWrite(work) ? 'unknown' : 'not_sent';
			return { kind: 'failed', failure: asInvalid(thrown), outcome, attempts: 1 };
		})) ?? unsent(item);
	onStart();
	const hasLeft = result.kind !== 'unsent' && (isFirst || result.attempts > 0);
	const outcomeNow = hasLeft ? result.outcome : 'not_sent';
	if (isWrite(work) && outcomeNow !== 'not_sent') {
		const items = itemsIn(result);
		batch.journal.record(work.place, {
			...entryOf(work, batch),
			outcome: outcomeNow,
			...(items && { items }),
		});
	}
	run.end(item, result);
	if (result.kind === 'failed' && !batch.continueOnFail) run.halt();
	return { ...item, result, outcomeNow };
}

/** @returns undefined if the run was stopped before the request */
async function sendOne(
	{ work, isFirst }: Permitted,
	batch: Batch,
	onStart: () => void,
): Promise<Result | undefined> {
	const outcomeUnknown = !isFirst;
	const sent = await batch.service.client.send(
		{
			...work,
			idempotencyKey: work.key,
			outcomeUnknown,
			forgottenAt: forgottenAt(work.payment !== undefined && !isFirst, batch),
			onStart,
		},
		batch.group,
	);
	return await resultOf(batch, work, sent, outcomeUnknown);
}

/**
 * Epoch milliseconds after which the service may have forgotten the key. Counts from now for a first send, and from the
 * start of the execution for a re-send.
 */
function forgottenAt(
	isResend: boolean,
	{ service: { windowMs }, caller: { startedAt }, now }: Batch,
): number {
	if (windowMs === undefined) return Infinity;
	return windowMs + (isResend ? (startedAt ?? now()) : now());
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
		const file = work.file ?? (answer.file && { ...answer.file, property: 'data' });
		const files = file && {
			[file.property]: await batch.storeFile(answer.bytes, file.fileName, file.mimeType),
		};
		const unmatched = work.unmatched(answer);
		return {
			kind: 'done',
			items,
			files,
			attempts,
			traceId: answer.traceId,
			outcome: 'accepted',
			...(unmatched !== undefined && { unmatched }),
		};
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
