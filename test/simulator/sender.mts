import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { request, type Dispatcher } from 'undici';

import { deliveryRules } from './description.mts';
import { eventName, type EventEnvelope } from './events.mts';
import { parseJson } from './parseJson.mts';

export interface DeliverOptions {
	url: string;
	webhookKey: string;
	/** Maximum number of attempts; default from §6.4 for this event. */
	attempts?: number;
	/** Factor for the waits between attempts (1 s, 2 s, 4 s …), e.g. 0.001 in tests; default 1. Deadlines are not scaled. */
	timeScale?: number;
	/** Time for the full response; default from §6.4 for this event. */
	timeoutMs?: number;
	dispatcher?: Dispatcher;
	signal?: AbortSignal;
	/** Called after each attempt, with the wait before the next one; undefined after the last. */
	onAttempt?: (attempt: Attempt, nextInMs: number | undefined) => void;
}

export interface Attempt {
	at: string;
	/** Duration until the full response or until the attempt was given up. */
	ms: number;
	traceId: string;
	status?: number;
	body?: string;
	/** `deadline`, `aborted`, or the code of a network failure. */
	error?: string;
}

export interface Delivery {
	/** True after a 200 with `response_code` OK (§6.3); for an authorization, after any decision in time. */
	delivered: boolean;
	attempts: Attempt[];
}

const FIRST_WAIT_MS = 1_000;

/**
 * Delivers an event as the service does (§6.4), with its headers, deadline and retries.
 * Never throws for a failure of the receiver.
 * @param event an envelope, or a string to send unchanged
 */
export async function deliver(event: unknown, options: DeliverOptions): Promise<Delivery> {
	const rules = deliveryRules(eventName((event ?? {}) as EventEnvelope));
	const body = typeof event === 'string' ? event : JSON.stringify(event);
	const max = options.attempts ?? rules.attempts;
	const attempts: Attempt[] = [];
	for (;;) {
		const attempt = await send(body, options, options.timeoutMs ?? rules.timeoutMs);
		attempts.push(attempt);
		const code = attempt.status === 200 ? responseCode(attempt.body) : undefined;
		const delivered = rules.decides ? code !== undefined : code === 'OK';
		const isLast = delivered || attempts.length >= max || options.signal?.aborted;
		const nextInMs = FIRST_WAIT_MS * 2 ** (attempts.length - 1) * (options.timeScale ?? 1);
		options.onAttempt?.(attempt, isLast ? undefined : nextInMs);
		if (!isLast) await wait(nextInMs, undefined, { signal: options.signal }).catch(() => undefined);
		if (isLast || options.signal?.aborted) return { delivered, attempts };
	}
}

async function send(body: string, options: DeliverOptions, timeoutMs: number): Promise<Attempt> {
	const traceId = randomUUID();
	const began = performance.now();
	const attempt: Attempt = { at: new Date().toISOString(), ms: 0, traceId };
	const giveUp = new AbortController();
	const end = (code: string) => giveUp.abort(Object.assign(new Error(code), { code }));
	// The deadline covers connecting, headers and body (§6.4). A plain timer, because on Node 20 AbortSignal.any over
	// AbortSignal.timeout can be collected before it fires.
	const deadline = setTimeout(end, timeoutMs, 'deadline');
	const abort = () => end('aborted');
	options.signal?.addEventListener('abort', abort);
	if (options.signal?.aborted) abort();
	try {
		const answer = await request(options.url, {
			method: 'POST',
			headers: {
				'x-webhook-key': options.webhookKey,
				'x-request-timestamp': String(Date.now()),
				'x-trace-id': traceId,
				'content-type': 'application/json',
			},
			...{ body, signal: giveUp.signal, dispatcher: options.dispatcher },
			...{ headersTimeout: 0, bodyTimeout: 0 },
		});
		attempt.status = answer.statusCode;
		attempt.body = await answer.body.text();
	} catch (thrown) {
		const { code, message } = thrown as { code?: string; message?: string };
		attempt.error = code ?? message ?? String(thrown);
	} finally {
		clearTimeout(deadline);
		options.signal?.removeEventListener('abort', abort);
	}
	attempt.ms = performance.now() - began;
	return attempt;
}

/** `response_code` of the answer; undefined if it is missing or not a string. */
function responseCode(body = ''): string | undefined {
	const code: unknown = parseJson(body)?.response_code;
	return typeof code === 'string' && code !== '' ? code : undefined;
}
