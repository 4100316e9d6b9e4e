import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';

import type { Answer } from './answer.mts';
import { exchange, type Outcome } from './exchange.mts';
import type { Faults } from './faults.mts';
import { half, tooManyRequests } from './faultyAnswer.mts';
import { withoutImages } from './images.mts';
import type { RequestRecord } from './ledger.mts';
import { retryAfterValue, type RateLimit } from './rateLimit.mts';
import { callerOf, type Service } from './service.mts';
import type { Settings } from './settings.mts';

/** Largest accepted body; leaves room for a document with two images. */
const MAX_BODY_BYTES = 40 * 1_024 * 1_024;

/** Header with the client's address, for tests that simulate several machines. Not a header of the service. */
const CLIENT_ADDRESS_HEADER = 'x-simulated-ip';

interface Passage {
	service: Service;
	settings: Settings;
	requests: RequestRecord[];
	rateLimit: RateLimit;
	faults: Faults;
	now: () => number;
	pause: (ms: number) => Promise<void>;
}

/** Records and answers one request of the service API. */
export async function handle(
	incoming: IncomingMessage,
	response: ServerResponse,
	passage: Passage,
): Promise<void> {
	const { service, settings, requests, rateLimit, faults, now, pause } = passage;
	const record = newRecord(incoming, requests.length + 1);
	requests.push(record);
	const waitMs = rateLimit.admit(now(), windowsOf(incoming, record));
	const bodyText = await readBody(incoming);
	record.bodyText = withoutImages(bodyText);
	const respond = async (outcome: Outcome) => {
		if (settings.latencyMs > 0) await pause(settings.latencyMs);
		if (response.destroyed) record.abandoned = true;
		if (!outcome || response.destroyed) return void response.socket?.destroy();
		record.status = outcome.answer.status;
		send(response, outcome.answer, record.traceId, outcome.cut);
	};
	if (waitMs > 0) {
		const retryAfter = retryAfterValue(settings.retryAfter, waitMs / 1_000);
		return await respond({ answer: tooManyRequests(retryAfter) });
	}
	const fault = faults.take(record.method, record.path);
	if (fault) record.fault = fault.kind;
	const clientHasGone = () => response.destroyed;
	await exchange(service, { record, bodyText, fault, pause, clientHasGone, respond });
}

function newRecord(incoming: IncomingMessage, n: number): RequestRecord {
	const headers: Record<string, string> = {};
	for (const [name, value] of Object.entries(incoming.headers)) headers[name] = String(value);
	const caller = callerOf(headers['x-api-key']);
	if ('x-api-key' in headers) headers['x-api-key'] = '<redacted>';
	return {
		n,
		at: performance.now(),
		method: incoming.method ?? 'GET',
		path: incoming.url ?? '/',
		headers,
		bodyText: '',
		traceId: `simulator-trace-${n}`,
		...(caller && { apiKeyLevel: caller.level }),
		...(caller?.company === 'other' && { company: caller.company }),
	};
}

/** Rate limit windows of a request: per IP address and per company (§8). An unknown API key belongs to no company. */
function windowsOf(incoming: IncomingMessage, record: RequestRecord): string[] {
	const address = record.headers[CLIENT_ADDRESS_HEADER] ?? incoming.socket.remoteAddress;
	const company = record.apiKeyLevel && `company ${record.company ?? 'own'}`;
	return [`ip ${address}`, ...(company ? [company] : [])];
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

export async function readBody(incoming: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of incoming as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size > MAX_BODY_BYTES) throw new Error('The body is too large for the simulator');
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString('utf8');
}
