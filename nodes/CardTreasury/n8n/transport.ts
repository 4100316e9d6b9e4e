import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { Attempt, Transport, WireRequest } from '../client/transport';

interface FullResponse {
	statusCode: number;
	headers: unknown;
	body: unknown;
}

/**
 * Requests through n8n's helper, which adds the API key. Never follows a redirect and never throws for an answer,
 * whatever its status.
 */
export function n8nTransport(
	request: (options: IHttpRequestOptions) => Promise<FullResponse>,
	{ baseUrl, allowedDomains }: { baseUrl: string; allowedDomains?: string },
): Transport {
	return async ({ method, path, headers, body, timeoutMs }: WireRequest): Promise<Attempt> => {
		const options: IHttpRequestOptions = {
			method,
			url: baseUrl + path,
			headers,
			...(body === undefined ? {} : { body }),
			timeout: timeoutMs,
			encoding: 'arraybuffer',
			returnFullResponse: true,
			// Together these two keep the helper from following a 302 and from sending a 401 a second time (n8n 2.41).
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: true,
			...(allowedDomains === undefined ? {} : { allowedDomains }),
		};
		try {
			const answer = await withinDeadline(request(options), timeoutMs);
			return {
				kind: 'response',
				status: answer.statusCode,
				headers: lowerCase(answer.headers),
				body: toBytes(answer.body),
			};
		} catch (thrown) {
			const code = networkCodeOf(thrown);
			return {
				kind: 'no response',
				code,
				timedOut: code === 'ECONNABORTED' || code === 'ETIMEDOUT',
			};
		}
	};
}

/** The helper's own timeout ends a silent connection only: an answer that trickles in would go on for ever. */
async function withinDeadline<Answer>(answer: Promise<Answer>, ms: number): Promise<Answer> {
	const deadline = AbortSignal.timeout(Math.ceil(ms));
	let onAbort = () => {};
	const tooLate = new Promise<never>((_, reject) => {
		onAbort = () => reject(Object.assign(new Error('Too late'), { code: 'ECONNABORTED' }));
		deadline.addEventListener('abort', onAbort, { once: true });
	});
	try {
		return await Promise.race([answer, tooLate]);
	} finally {
		// Until it fires, the signal would keep the answer in memory: all files of a minute at once.
		deadline.removeEventListener('abort', onAbort);
	}
}

function lowerCase(headers: unknown): Record<string, string> {
	const entries = Object.entries((headers ?? {}) as IDataObject);
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

/** n8n's protection against SSRF refuses before it connects; its errors have a name and no code. */
const BLOCKED_BY_N8N = /^SsrfBlocked/;

/** The network's code, wherever n8n and axios left it. */
function networkCodeOf(thrown: unknown): string {
	for (
		let error = thrown, depth = 0;
		typeof error === 'object' && error !== null && depth < 5;
		depth++
	) {
		const { name, code, httpCode, cause } = error as {
			name?: unknown;
			code?: unknown;
			httpCode?: unknown;
			cause?: unknown;
		};
		if (BLOCKED_BY_N8N.test(String(name))) return 'SSRF_BLOCKED';
		const found = [code, httpCode].find(
			(value) => typeof value === 'string' && /^[A-Z][A-Z0-9_]{3,}$/.test(value),
		);
		if (typeof found === 'string') return found;
		error = cause;
	}
	return 'NO_ANSWER';
}
