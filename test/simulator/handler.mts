import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';

import type { Answer } from './answer.mts';
import type { ActiveFault, Faults } from './faults.mts';
import { amendment, half, replacement, tooManyRequests } from './faultyAnswer.mts';
import { withoutImages } from './images.mts';
import type { RequestRecord } from './ledger.mts';
import { retryAfterValue, type RateLimit } from './rateLimit.mts';
import { levelOf, rejection, type Service } from './service.mts';
import type { Settings } from './settings.mts';

/** Parts of the simulator that a request passes. */
interface Passage {
	service: Service;
	settings: Settings;
	requests: RequestRecord[];
	rateLimit: RateLimit;
	faults: Faults;
	now: () => number;
	pause: (ms: number) => Promise<void>;
}

/** Answer to send; `cut` leaves off the body or half of it. Undefined destroys the socket. */
type Outcome = { answer: Answer; cut?: 'headers' | 'body' } | undefined;

/** Records and answers one request of the service API. */
export async function handle(
	incoming: IncomingMessage,
	response: ServerResponse,
	{ service, settings, requests, rateLimit, faults, now, pause }: Passage,
): Promise<void> {
	const record = newRecord(incoming, requests.length + 1);
	requests.push(record);
	const waitMs = rateLimit.admit(now());
	const bodyText = await text(incoming);
	record.bodyText = withoutImages(bodyText);
	const clientHasGone = () => response.destroyed;
	/** Sends the answer; until then, the request is in flight. */
	const respond = async (outcome: Outcome) => {
		if (settings.latencyMs > 0) await pause(settings.latencyMs);
		if (clientHasGone()) record.abandoned = true;
		if (!outcome || clientHasGone()) return void response.socket?.destroy();
		record.status = outcome.answer.status;
		send(response, outcome.answer, record.traceId, outcome.cut);
	};
	if (waitMs > 0) {
		const retryAfter = retryAfterValue(settings.retryAfter, waitMs / 1_000);
		return await respond({ answer: tooManyRequests(retryAfter) });
	}
	const fault = faults.take(record.method, record.path);
	if (fault) record.fault = fault.kind;
	const replaced = fault && replacement(fault);
	// An intermediary does not know which keys are in flight.
	if (replaced && !replaced.effect) return await respond({ answer: replaced.answer });
	if (fault?.kind === 'reset-before') return await respond(undefined);
	const key = service.keyOf(record);
	const over = key === undefined ? () => {} : await service.idempotency.hold(key).catch(rejection);
	if (typeof over !== 'function') return await respond(outcome(over, fault));
	try {
		const delayMs = fault?.delayMs ?? 1_000;
		if (fault?.kind === 'slow-before' || fault?.kind === 'late-effect') await pause(delayMs);
		// Unlike the other slow kinds, `slow-before` has no effect if the client gave up meanwhile.
		if (fault?.kind === 'slow-before' && clientHasGone()) return await respond(undefined);
		const answer = service.answer(record, bodyText, amendment(fault));
		if (fault?.kind === 'slow-after') await pause(delayMs);
		await respond(outcome(replaced?.answer ?? answer, fault));
	} finally {
		over();
	}
}

function newRecord(incoming: IncomingMessage, n: number): RequestRecord {
	const headers: Record<string, string> = {};
	for (const [name, value] of Object.entries(incoming.headers)) headers[name] = String(value);
	const level = levelOf(headers['x-api-key']);
	if ('x-api-key' in headers) headers['x-api-key'] = '<redacted>';
	return {
		n,
		at: performance.now(),
		method: incoming.method ?? 'GET',
		path: incoming.url ?? '/',
		headers,
		bodyText: '',
		traceId: `simulator-trace-${n}`,
		...(level && { apiKeyLevel: level }),
	};
}

export function send(
	response: ServerResponse,
	answer: Answer,
	traceId?: string,
	cut?: 'headers' | 'body',
): void {
	const length = Buffer.byteLength(answer.body);
	const trace = traceId === undefined || answer.withoutTrace ? {} : { 'X-Trace-Id': traceId };
	response.writeHead(answer.status, { ...trace, ...answer.headers, 'Content-Length': length });
	if (!cut) return void response.end(answer.body);
	response.flushHeaders();
	if (cut === 'body') response.write(half(answer.body));
	// The bytes written so far still arrive; the rest of the announced length never does.
	response.socket?.destroySoon();
}

function outcome(answer: Answer, fault: ActiveFault | undefined): Outcome {
	switch (fault?.kind) {
		case 'reset-after':
			return undefined;
		case 'cut-headers':
			return { answer, cut: 'headers' };
		case 'cut-body':
			return { answer, cut: 'body' };
		case 'half-body':
			return { answer: { ...answer, body: half(answer.body) } };
		default:
			return { answer };
	}
}
