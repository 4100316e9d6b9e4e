import { performance } from 'node:perf_hooks';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';

import type { Answer } from './answer.mts';
import type { Endpoint } from './endpoint.mts';
import { ENDPOINTS } from './endpoints/index.mts';
import { Faults, TOKEN_LIST, type ActiveFault } from './faults.mts';
import { amendment, half, replacement, tooManyRequests } from './faultyAnswer.mts';
import { withoutImages } from './images.mts';
import type { RequestRecord } from './ledger.mts';
import { retryAfterValue, type RateLimit } from './rateLimit.mts';
import { levelOf, rejection, type Routed, type Service } from './service.mts';
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

declare module 'fastify' {
	interface FastifyContextConfig {
		endpoint?: Endpoint;
	}
	interface FastifyRequest {
		arrival?: { record: RequestRecord; waitMs: number };
	}
}

/** Answer to send; `cut` leaves off the body or half of it. Undefined destroys the socket. */
type Outcome = { answer: Answer; cut?: 'headers' | 'body' } | undefined;

/** Routes of the service: each documented endpoint (§4), and a rejection of every other path. */
export function serviceRoutes(passage: Passage): FastifyPluginCallback {
	return (app, _options, done) => {
		app.decorateRequest('arrival');
		// A request counts when it arrives, before its body has been read.
		app.addHook('onRequest', (request, _reply, next) => {
			request.arrival = arrive(request, passage);
			next();
		});
		// The exact text, because numbers must not pass through floating point.
		app.removeAllContentTypeParsers();
		app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, next) =>
			next(null, body),
		);
		const handler = async (request: FastifyRequest, reply: FastifyReply) =>
			await handle(request, reply, passage);
		for (const endpoint of ENDPOINTS)
			app.route({
				method: endpoint.method,
				url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
				config: { endpoint },
				handler,
			});
		app.setNotFoundHandler(handler);
		done();
	};
}

/**
 * True for the node's read of the token list. It is not recorded, because it precedes each run of transfers and would
 * only disturb a count of them. Other clients accept more than JSON.
 */
const isTokenRead = ({ url, headers }: FastifyRequest['raw']) =>
	url === TOKEN_LIST && headers.accept === 'application/json';

/** Records a request. */
function arrive(request: FastifyRequest, { requests, rateLimit, now }: Passage) {
	const record = newRecord(request, requests.length + 1);
	if (!isTokenRead(request.raw)) requests.push(record);
	return { record, waitMs: rateLimit.admit(now()) };
}

/** Answers one request of the service API. */
export async function handle(
	request: FastifyRequest,
	reply: FastifyReply,
	passage: Passage,
): Promise<FastifyReply> {
	const { service, settings, faults, pause } = passage;
	const { record, waitMs } = request.arrival ?? arrive(request, passage);
	const bodyText = typeof request.body === 'string' ? request.body : '';
	record.bodyText = withoutImages(bodyText);
	const clientHasGone = () => reply.raw.destroyed;
	/** Sends the answer; until then, the request is in flight. */
	const respond = async (outcome: Outcome) => {
		if (settings.latencyMs > 0) await pause(settings.latencyMs);
		if (clientHasGone()) record.abandoned = true;
		if (!outcome || clientHasGone()) return breakOff(reply);
		record.status = outcome.answer.status;
		return send(reply, outcome.answer, record.traceId, outcome.cut);
	};
	if (waitMs > 0) {
		const retryAfter = retryAfterValue(settings.retryAfter, waitMs / 1_000);
		return await respond({ answer: tooManyRequests(retryAfter) });
	}
	const fault = faults.take(record.method, record.path, isTokenRead(request.raw));
	if (fault) record.fault = fault.kind;
	const replaced = fault && replacement(fault);
	// An intermediary does not know which keys are in flight.
	if (replaced && !replaced.effect) return await respond({ answer: replaced.answer });
	if (fault?.kind === 'reset-before') return await respond(undefined);
	const routed = routeOf(request);
	const key = service.keyOf(record, routed);
	const over = key === undefined ? () => {} : await service.idempotency.hold(key).catch(rejection);
	if (typeof over !== 'function') return await respond(outcome(over, fault));
	try {
		const delayMs = fault?.delayMs ?? 1_000;
		if (fault?.kind === 'slow-before' || fault?.kind === 'late-effect') await pause(delayMs);
		// Unlike the other slow kinds, `slow-before` has no effect if the client gave up meanwhile.
		if (fault?.kind === 'slow-before' && clientHasGone()) return await respond(undefined);
		const answer = service.answer(record, routed, bodyText, amendment(fault));
		if (fault?.kind === 'slow-after') await pause(delayMs);
		return await respond(outcome(replaced?.answer ?? answer, fault));
	} finally {
		over();
	}
}

/** Endpoint of a request with its parameters; without an endpoint for any other path. */
function routeOf(request: FastifyRequest): Routed {
	const params = { ...(request.params as Record<string, string>) };
	const [path = '', query = ''] = request.raw.url!.split(/\?(.*)/s);
	const { endpoint } = request.routeOptions.config ?? {};
	// Fastify matches an empty parameter, too.
	const isComplete = Object.values(params).every((value) => value !== '');
	return { path, query, params, ...(endpoint && isComplete && { endpoint }) };
}

function newRecord({ raw }: FastifyRequest, n: number): RequestRecord {
	const headers: Record<string, string> = {};
	for (const [name, value] of Object.entries(raw.headers)) headers[name] = String(value);
	const level = levelOf(headers['x-api-key']);
	if ('x-api-key' in headers) headers['x-api-key'] = '<redacted>';
	return {
		n,
		at: performance.now(),
		method: raw.method ?? 'GET',
		path: raw.url ?? '/',
		headers,
		bodyText: '',
		traceId: `simulator-trace-${n}`,
		...(level && { apiKeyLevel: level }),
	};
}

export function send(
	reply: FastifyReply,
	answer: Answer,
	traceId?: string,
	cut?: 'headers' | 'body',
): FastifyReply {
	const trace = traceId === undefined || answer.withoutTrace ? {} : { 'X-Trace-Id': traceId };
	const headers = { ...trace, ...answer.headers };
	// Fastify gives an empty text a content type.
	if (!cut)
		return reply
			.code(answer.status)
			.headers(headers)
			.send(answer.body === '' ? undefined : answer.body);
	const { raw } = reply.hijack();
	raw.writeHead(answer.status, { ...headers, 'Content-Length': Buffer.byteLength(answer.body) });
	raw.flushHeaders();
	if (cut === 'body') raw.write(half(answer.body));
	// The bytes written so far still arrive; the rest of the announced length never does.
	raw.socket?.destroySoon();
	return reply;
}

/** Destroys the connection without an answer. */
export function breakOff(reply: FastifyReply): FastifyReply {
	reply.hijack().raw.socket?.destroy();
	return reply;
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
