import type { IHttpRequestOptions } from 'n8n-workflow';

import type { ServiceRequest } from '../operation';
import type { Connection } from './connection';

/** What one try brought: an answer of any status, or none. */
export type Try =
	| { status: number; headers: Record<string, string>; bytes: Buffer }
	| { networkCode: string; timedOut: boolean };

/** Sends a request once. Never follows a redirect and never throws for an answer, whatever its status. */
export async function sendOnce(
	connection: Connection,
	request: ServiceRequest,
	timeoutMs: number,
): Promise<Try> {
	const options: IHttpRequestOptions = {
		method: request.method,
		url: connection.baseUrl + request.path + queryText(request.query ?? []),
		headers: {
			accept: 'application/json',
			...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
			...request.headers,
		},
		...(request.body === undefined ? {} : { body: request.body }),
		timeout: timeoutMs,
		encoding: 'arraybuffer',
		returnFullResponse: true,
		// Together these two keep the helper from following a 302 and from sending a 401 a second time.
		disableFollowRedirect: true,
		ignoreHttpStatusErrors: true,
		...(connection.allowedDomains === undefined
			? {}
			: { allowedDomains: connection.allowedDomains }),
	};
	try {
		const answer = await withinDeadline(connection.httpRequest(options), timeoutMs);
		return {
			status: answer.statusCode,
			headers: lowerCase(answer.headers),
			bytes: toBytes(answer.body),
		};
	} catch (thrown) {
		const networkCode = networkCodeOf(thrown);
		return { networkCode, timedOut: networkCode === 'ECONNABORTED' || networkCode === 'ETIMEDOUT' };
	}
}

/** The helper's own timeout only ends a silence: an answer that comes drop by drop would go on for ever. */
async function withinDeadline<Answer>(answer: Promise<Answer>, ms: number): Promise<Answer> {
	const deadline = AbortSignal.timeout(Math.ceil(ms));
	const tooLate = new Promise<never>((_, reject) => {
		deadline.addEventListener(
			'abort',
			() => reject(Object.assign(new Error('Too late'), { code: 'ECONNABORTED' })),
			{ once: true },
		);
	});
	return await Promise.race([answer, tooLate]);
}

function queryText(query: Array<[string, string]>): string {
	if (query.length === 0) return '';
	return `?${query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')}`;
}

function lowerCase(headers: unknown): Record<string, string> {
	const entries = Object.entries((headers ?? {}) as Record<string, unknown>);
	return Object.fromEntries(
		entries.map(([name, value]) => [
			name.toLowerCase(),
			Array.isArray(value) ? value.join(', ') : String(value),
		]),
	);
}

function toBytes(body: unknown): Buffer {
	if (Buffer.isBuffer(body)) return body;
	if (body instanceof ArrayBuffer) return Buffer.from(body);
	if (typeof body === 'string') return Buffer.from(body, 'utf8');
	return body === undefined || body === null
		? Buffer.alloc(0)
		: Buffer.from(JSON.stringify(body), 'utf8');
}

/** The network's code, wherever n8n and axios left it. */
function networkCodeOf(thrown: unknown): string {
	for (
		let error = thrown, depth = 0;
		typeof error === 'object' && error !== null && depth < 5;
		depth++
	) {
		const { code, httpCode, cause } = error as {
			code?: unknown;
			httpCode?: unknown;
			cause?: unknown;
		};
		const found = [code, httpCode].find(
			(value) => typeof value === 'string' && /^[A-Z][A-Z0-9_]{3,}$/.test(value),
		);
		if (typeof found === 'string') return found;
		error = cause;
	}
	return 'NO_ANSWER';
}
