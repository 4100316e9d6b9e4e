import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
} from 'n8n-workflow';

import { pausesOf, processClock, type Clock, type Pause } from '../../shared/clock';
import { CREDENTIAL_TYPE, readCredential } from '../../shared/credential';
import { InvalidFieldError } from '../../shared/fields/invalidField';
import { readBaseUrl } from '../../shared/fields/text';
import { unprintableIn } from '../../shared/printableKey';
import type { Service } from '../batch/batch';
import { removerOf } from '../request/apiKey';
import { createClient, type Transport, type WireRequest } from '../request/client';
import { hashOf } from '../request/hash';
import type { RateLimiters } from '../request/rateLimiter';
import { NO_CREDENTIAL, TOO_LARGE, type Attempt } from '../request/response';

/** State shared by all runs of a process. */
export interface Process {
	clock: Clock;
	limiters: RateLimiters;
}

/**
 * Reads and checks the credential, once per run. A second read could combine the key of an edited credential with the
 * previous address.
 * @throws InvalidFieldError if the credential must not be used
 */
export async function connect(
	n8n: IExecuteFunctions | ILoadOptionsFunctions,
	{ limiters, clock }: Process,
): Promise<Service> {
	const data = await n8n.getCredentials<IDataObject>(CREDENTIAL_TYPE);
	const { baseUrl, apiKey, environment, idempotencyWindowHours } = readCredential(data);
	const url = readBaseUrl(baseUrl);
	checkApiKey(apiKey);
	if (environment === 'invalid') {
		throw new InvalidFieldError(
			'Environment in the credential',
			'is neither sandbox nor production',
			'Choose one, or check its expression.',
		);
	}
	if (idempotencyWindowHours === 'invalid') {
		throw new InvalidFieldError(
			'Idempotency Window in the credential',
			'is not a number of hours above 0',
			'Enter for how many hours the provider remembers an idempotency key, e.g. 24.',
		);
	}
	const { host, hostname } = new URL(url);
	const windowMs =
		idempotencyWindowHours === undefined ? undefined : idempotencyWindowHours * 3_600_000;
	const credentialsDecrypted = {
		id: '',
		name: '',
		type: CREDENTIAL_TYPE,
		data: data as ICredentialDataDecryptedObject,
	};
	const transport = n8nTransport(
		async (options) =>
			await n8n.helpers.httpRequestWithAuthentication.call(
				endingBy(n8n, options.abortSignal),
				CREDENTIAL_TYPE,
				options,
				{ credentialsDecrypted },
			),
		{
			baseUrl: url,
			apiKey: apiKey.trim(),
			pause: pausesOf(clock),
			allowedDomains: allowedDomains(data, hostname),
			stopSignal: 'getExecutionCancelSignal' in n8n ? n8n.getExecutionCancelSignal() : undefined,
		},
	);
	return {
		client: createClient({ transport, limiter: limiters(host), clock }),
		target: host,
		// This hash is stored with the execution, so it must not reveal the key.
		credential: hashOf(host, apiKey.trim()),
		...(windowMs !== undefined && { windowMs }),
		environment,
	};
}

/** Refuses a key that is invalid in a header. With such a key, the service would seem unreachable. */
function checkApiKey(apiKey: string): void {
	const key = apiKey.trim();
	const unprintable = unprintableIn(key);
	if (key !== '' && unprintable === undefined) return;
	throw new InvalidFieldError(
		'API Key in the credential',
		key === '' ? 'is empty' : `cannot be sent: character ${unprintable} is not printable ASCII`,
		'Copy it again from the company portal into the credential.',
	);
}

/**
 * Checks the restriction to domains. n8n adds the two fields to the credential, and the node must enforce them.
 * @returns the allowed domains, or undefined without a restriction
 */
function allowedDomains(data: IDataObject, hostname: string): string | undefined {
	if (data.allowedHttpRequestDomains !== 'domains') return undefined;
	const list = typeof data.allowedDomains === 'string' ? data.allowedDomains : '';
	if (hasHost(list, hostname)) return list;
	throw new InvalidFieldError(
		'Allowed Domains in the credential',
		`does not list ${hostname}`,
		'Add the host of the Base URL to it, or allow all domains.',
	);
}

/** True if the comma-separated list has the host. `*.example.com` matches every host below example.com. */
export function hasHost(list: string, hostname: string): boolean {
	return list
		.split(',')
		.map((domain) => domain.trim().toLowerCase())
		.some((domain) =>
			domain.startsWith('*.') ? hostname.endsWith(domain.slice(1)) : hostname === domain,
		);
}

/**
 * Returns a context with another stop signal. n8n's helper prefers the signal of the context to the one in the options
 * (n8n 2.41).
 */
function endingBy<N8n extends object>(n8n: N8n, signal: unknown): N8n {
	return Object.create(n8n, { getExecutionCancelSignal: { value: () => signal } }) as N8n;
}

interface FullResponse {
	statusCode: number;
	headers: unknown;
	body: unknown;
}

/**
 * Sends requests through n8n's helper. The helper adds the API key. Redirects are not followed, and every status is
 * returned.
 */
export function n8nTransport(
	request: (options: IHttpRequestOptions) => Promise<FullResponse>,
	{
		baseUrl,
		apiKey = '',
		pause = pausesOf(processClock),
		allowedDomains,
		stopSignal,
	}: {
		baseUrl: string;
		apiKey?: string;
		pause?: Pause;
		allowedDomains?: string;
		stopSignal?: AbortSignal;
	},
): Transport {
	const withoutKey = removerOf(apiKey, pause);
	return async ({ method, path, headers, body, timeoutMs }: WireRequest): Promise<Attempt> => {
		const options: IHttpRequestOptions = {
			method,
			url: baseUrl + path,
			headers,
			...(body === undefined ? {} : { body }),
			timeout: timeoutMs,
			// Only the size of a stream can be limited.
			encoding: 'stream',
			returnFullResponse: true,
			// These two options keep the helper from following a 302, and from re-sending after a 401 (n8n 2.41).
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: true,
			...(allowedDomains === undefined ? {} : { allowedDomains }),
		};
		try {
			const answer = await withinDeadline(timeoutMs, stopSignal, async (signal) => {
				// Only this signal closes the connection of a stalled reply. Destroying the helper's stream would leave the
				// connection open (n8n 2.41).
				const { body: answered, ...others } = await request({ ...options, abortSignal: signal });
				return { ...others, body: await bytesOf(answered, signal) };
			});
			return {
				kind: 'response',
				status: answer.statusCode,
				headers: lowerCase(answer.headers),
				body: await withoutKey(answer.body),
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

/** Limits the total time of a request. The helper's timeout ends only a silent connection, not a slow reply. */
async function withinDeadline<Answer>(
	ms: number,
	stopSignal: AbortSignal | undefined,
	work: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
	// AbortSignal.any is not used, because Node 20 can garbage-collect such a signal before the timeout fires.
	const ending = new AbortController();
	const end = () => ending.abort();
	const deadline = AbortSignal.timeout(Math.ceil(ms));
	let onDeadline = end;
	const tooLate = new Promise<never>((_, reject) => {
		onDeadline = () => {
			reject(Object.assign(new Error('Too late'), { code: 'ECONNABORTED' }));
			end();
		};
	});
	deadline.addEventListener('abort', onDeadline, { once: true });
	stopSignal?.addEventListener('abort', end, { once: true });
	try {
		if (stopSignal?.aborted) end();
		return await Promise.race([work(ending.signal), tooLate]);
	} finally {
		// Until the deadline, the listener would keep the reply in memory.
		deadline.removeEventListener('abort', onDeadline);
		stopSignal?.removeEventListener('abort', end);
	}
}

/** Maximum size of a reply, above any documented one. An endless reply would fill n8n's memory. */
const LARGEST_ANSWER = 50 * 1024 * 1024;

/** Reads a body. Closes the connection if the signal aborts or the body is too large. */
async function bytesOf(body: unknown, signal: AbortSignal): Promise<Buffer> {
	if (!isStream(body)) return toBytes(body);
	const close = () => body.destroy();
	signal.addEventListener('abort', close, { once: true });
	try {
		if (signal.aborted) close();
		const chunks: Buffer[] = [];
		let size = 0;
		for await (const chunk of body) {
			const bytes = Buffer.from(chunk as Uint8Array | string);
			size += bytes.length;
			// Leaving the loop destroys the stream.
			if (size > LARGEST_ANSWER)
				return await Promise.reject(Object.assign(new Error('Too large'), { code: TOO_LARGE }));
			chunks.push(bytes);
		}
		return Buffer.concat(chunks);
	} finally {
		signal.removeEventListener('abort', close);
	}
}

function isStream(body: unknown): body is AsyncIterable<unknown> & { destroy(): void } {
	return (
		typeof body === 'object' && body !== null && Symbol.asyncIterator in body && 'destroy' in body
	);
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

/** Name of the errors of n8n's SSRF protection. Such an error has no code, and nothing was sent. */
const BLOCKED_BY_N8N = /^SsrfBlocked/;

/**
 * Names of the errors of n8n's expressions. n8n evaluates an expression of the credential before it sends the request,
 * and none afterwards.
 */
const FAILED_EXPRESSION = /^Expression\w*Error$/;

/** Finds the error code of the network in an error of n8n or axios. */
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
		if (FAILED_EXPRESSION.test(String(name))) return NO_CREDENTIAL;
		const found = [code, httpCode].find(
			(value) => typeof value === 'string' && /^[A-Z][A-Z0-9_]{3,}$/.test(value),
		);
		if (typeof found === 'string') return found;
		error = cause;
	}
	return 'NO_ANSWER';
}
