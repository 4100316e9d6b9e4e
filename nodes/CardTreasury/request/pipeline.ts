import { isObject } from '../../service/isObject';
import type { Effect, ServiceAnswer, ServiceOperation, ServiceRequest } from '../operation';
import { readBody } from './answerBody';
import { backOff, retryAfterMs } from './backOff';
import type { Connection } from './connection';
import type { Lane } from './lane';
import {
	mayPass,
	neverConnected,
	noAnswer,
	refusalOf,
	unexpectedAnswer,
	type Refusal,
	type RefusalContext,
	type Repetition,
} from './refusal';
import { sendOnce, type Try } from './send';

/** How hard a request is tried. */
export interface Effort {
	/** The most tries, the first included. */
	maxTries: number;
	/** No further try begins after this many milliseconds. */
	maxTotalMs: number;
	/** At most; the pacer may be slower. */
	requestsPerSecond: number;
	/** How long one try may take. */
	timeoutMs: number;
}

export type Outcome =
	| { ok: true; answer: ServiceAnswer; tries: number }
	| { ok: false; refusal: Refusal; tries: number }
	/** The lane was stopped before the request was sent for the first time. */
	| { ok: 'stopped' };

/** What the pipeline must know of an operation. */
export type Traits = Pick<
	ServiceOperation<unknown>,
	'answer' | 'level' | 'mayBePending' | 'refusals'
> & { effect: Effect; repetition?: Repetition };

/** Statuses after which a repetition may succeed. */
const PASSING_STATUSES = [408, 429, 502, 503, 504];

/**
 * Sends one piece of work: paced, repeated where a repetition is harmless, read in one place.
 */
export async function deliverRequest(
	connection: Connection,
	traits: Traits,
	request: ServiceRequest,
	effort: Effort,
	lane: Lane,
): Promise<Outcome> {
	const { clock, pacer } = connection;
	let began: number | undefined;
	let mayHaveHappened = false;
	let last: Outcome = { ok: 'stopped' };
	for (let tries = 1; ; tries++) {
		const start = await pacer.turn(lane, effort.requestsPerSecond);
		if (start === undefined) return last;
		// The wait for the first turn is the batch's, not this request's.
		began ??= clock.now();
		if (clock.now() - began > effort.maxTotalMs) return last;
		const tried = await sendOnce(connection, request, effort.timeoutMs);
		if ('status' in tried && tried.status !== 429) pacer.answered(start);
		mayHaveHappened ||= leavesEffectOpen(tried, traits);
		last = conclude(tried, traits, {
			...traits,
			refusals: traits.refusals ?? [],
			tries,
			mayHaveHappened,
		});
		const wait = waitBeforeNextTry(tried, tries);
		if ('status' in tried && tried.status === 429) pacer.limitHit(start, retryAfter(tried));
		const repeatable = traits.effect !== 'unkeyed write' && wait !== undefined;
		const inTime = clock.now() - began + (wait ?? 0) <= effort.maxTotalMs;
		if (!repeatable || tries >= effort.maxTries || !inTime) return last;
		await lane.wait(clock, wait);
	}
}

/** Statuses by which the service turns a request away (§7). Of any other nobody knows what it has done by then. */
const TURNED_AWAY = [400, 401, 403, 404, 412, 429];

/** Whether the service may have carried out what it was asked for, although it did not say so. */
function leavesEffectOpen(tried: Try, { refusals = [] }: Traits): boolean {
	if (!('status' in tried)) return !neverConnected(tried.networkCode);
	return (
		!TURNED_AWAY.includes(tried.status) && !refusals.some(({ status }) => status === tried.status)
	);
}

/** Milliseconds to wait; undefined when a repetition would bring the same. */
function waitBeforeNextTry(tried: Try, tries: number): number | undefined {
	if (!('status' in tried)) return mayPass(tried.networkCode) ? backOff(tries) : undefined;
	if (!PASSING_STATUSES.includes(tried.status)) return undefined;
	// After a 429 the pacer makes everybody wait, this request too.
	const asked = retryAfter(tried);
	return tried.status === 429 ? (asked ?? 0) : Math.max(asked ?? 0, backOff(tries));
}

function retryAfter(answer: { headers: Record<string, string> }): number | undefined {
	return retryAfterMs(answer.headers['retry-after'], Date.now());
}

function conclude(tried: Try, traits: Traits, context: RefusalContext): Outcome {
	const { tries } = context;
	if (!('status' in tried)) {
		return { ok: false, refusal: noAnswer(tried.networkCode, tried.timedOut, context), tries };
	}
	const { status, headers, bytes } = tried;
	const traceId = headers['x-trace-id'] ?? null;
	const body = readBody(bytes, headers['content-type'] ?? '');
	const json = body.kind === 'json' ? body.value : undefined;
	if (status === 302 && traits.mayBePending && isObject(json) && json.code === 'WARNING') {
		const message = typeof json.message === 'string' ? json.message : 'The transaction is pending.';
		return {
			ok: true,
			answer: { status, traceId, pending: { code: 'WARNING', message }, json, bytes },
			tries,
		};
	}
	if (status < 200 || status > 299)
		return { ok: false, refusal: refusalOf(status, body, traceId, context), tries };
	const missing = missingShape(traits.answer, json, body.kind, bytes);
	if (missing)
		return { ok: false, refusal: unexpectedAnswer(missing, status, traceId, context), tries };
	return { ok: true, answer: { status, traceId, json, bytes }, tries };
}

/** What the answer should have been, when it is not. */
function missingShape(
	shape: Traits['answer'],
	json: unknown,
	kind: 'empty' | 'json' | 'other',
	bytes: Buffer,
): string | undefined {
	switch (shape) {
		case 'pdf':
			return bytes.subarray(0, 5).toString('latin1') === '%PDF-' ? undefined : 'a PDF';
		case 'array':
			return Array.isArray(json) && json.every(isObject) ? undefined : 'a list of objects';
		case 'object':
			return isObject(json) ? undefined : 'a JSON object';
		case 'object or nothing':
			return kind === 'empty' || isObject(json) ? undefined : 'a JSON object';
		case 'anything':
			return kind === 'other' ? 'JSON' : undefined;
	}
}
