import { pausesOf, type Clock, type Pause } from '../../shared/clock';
import { classify, FORGOTTEN, type FailedAttempt } from './classify';
import type { RequestFailure } from './errors';
import { failureOf, notBuilt, type History } from './failure';
import { IDEMPOTENCY_HEADER } from './idempotencyKey';
import type { RateLimiter, RequestGroup } from './rateLimiter';
import {
	encodeBody,
	type AnswerShape,
	type HttpMethod,
	type RequestProfile,
	type ServiceAnswer,
	type ServiceRequest,
} from './request';
import type { Attempt } from './response';
import { backOff, retryAfterMs, shouldRetry, type RetryPolicy } from './retryPolicy';

/** Request as sent, except the base URL and the credential. The transport adds both. */
export interface WireRequest {
	method: HttpMethod;
	/** Path below the base URL, with the query. */
	path: string;
	headers: Record<string, string>;
	body?: string;
	/** Time limit for the whole attempt, including the body of the reply. */
	timeoutMs: number;
}

/** Sends a request once. Follows no redirect. Never rejects. */
export type Transport = (request: WireRequest) => Promise<Attempt>;

/** Request with the settings for sending it. */
export interface ClientWork {
	request: ServiceRequest;
	profile: RequestProfile;
	policy: RetryPolicy;
	/** Idempotency key, sent with every attempt. */
	idempotencyKey?: string;
	/** True if an earlier run sent the request and the outcome is unknown. */
	outcomeUnknown?: boolean;
	/**
	 * Epoch milliseconds after which the service may have forgotten the key. A write with an unknown outcome is not
	 * re-sent after this time.
	 */
	forgottenAt?: number;
	/** Called when the first attempt starts. */
	onStart?(): void;
}

/** `attempts`: number of times the request was sent, including replies with 429. */
export type RequestResult =
	| { kind: 'answered'; answer: ServiceAnswer; attempts: number }
	| { kind: 'failed'; failure: RequestFailure; attempts: number }
	/** Result if the group was stopped before the request was sent. */
	| { kind: 'stopped' };

export interface Client {
	send(work: ClientWork, group: RequestGroup): Promise<RequestResult>;
}

interface Ports {
	transport: Transport;
	limiter: RateLimiter;
	clock: Clock;
	/** Random number from 0 to 1, for the jitter. */
	random?: () => number;
}

/** Sends each request when the rate limiter allows it, and retries if that is safe. Never rejects. */
export function createClient(ports: Ports): Client {
	const pause = pausesOf(ports.clock);
	return { send: async (work, group) => await sendWithRetries(work, group, ports, pause) };
}

async function sendWithRetries(
	work: ClientWork,
	group: RequestGroup,
	{ transport, limiter, clock, random = Math.random }: Ports,
	pause: Pause,
): Promise<RequestResult> {
	const { profile, policy, idempotencyKey, outcomeUnknown = false, forgottenAt = Infinity } = work;
	const { onStart } = work;
	const history: History = { profile, sent: 0, outcomeUnknown, idempotencyKey };
	let result: RequestResult = { kind: 'stopped' };
	let began: number | undefined;
	let rateLimits = 0;
	const elapsedMs = () => clock.now() - (began ?? clock.now());
	for (;;) {
		const repeated = history.sent > 0;
		const start = await limiter.acquire(group, policy.requestsPerSecond, repeated);
		if (!start) return result;
		// The total time starts with the first attempt, because the wait before that is caused by the other items.
		if (!repeated) onStart?.();
		began ??= start.at;
		if (repeated && elapsedMs() > policy.maxTotalMs) return result;
		const mayBeForgotten = profile.effect !== 'read' && clock.date() >= forgottenAt;
		if (mayBeForgotten && history.outcomeUnknown) {
			return repeated ? result : failed(FORGOTTEN, history);
		}
		const wire = await wireRequest(work, pause).catch(notBuilt);
		if ('meaning' in wire) return failed(wire, history);
		// A second check, because the group may have been stopped while files were read.
		if (group.stopped) return result;
		history.sent += 1;
		const attempt = await transport(wire).catch(() => BROKEN_TRANSPORT);
		const classified = classify(attempt, profile);
		if (classified.kind === 'answered') return { ...classified, attempts: history.sent };
		const { meaning } = classified;
		history.outcomeUnknown ||= meaning.outcome === 'unknown';
		result = failed(classified, history);
		const asked =
			attempt.kind === 'response'
				? retryAfterMs(attempt.headers['retry-after'], clock.date())
				: undefined;
		const isLimited = meaning.again === 'rate limited';
		if (isLimited) {
			rateLimits += 1;
			limiter.onRateLimited(start, asked);
		}
		const spent = { attempts: history.sent - rateLimits, elapsedMs: elapsedMs() };
		// After a 429 the limiter pauses every request, including this one.
		const waitMs = Math.max(asked ?? 0, isLimited ? 0 : backOff(spent.attempts, random));
		if (!shouldRetry(meaning, profile.effect, spent, waitMs, policy)) return result;
		await group.wait(clock, isLimited ? 0 : waitMs);
	}
}

const failed = (classified: FailedAttempt, history: History): RequestResult => ({
	kind: 'failed',
	failure: failureOf(classified, history),
	attempts: history.sent,
});

/** Attempt whose transport threw. That is a defect, and the request may have been sent. */
const BROKEN_TRANSPORT: Attempt = { kind: 'no response', code: 'NO_ANSWER', timedOut: false };

/** Types of replies besides JSON. */
const ACCEPTED: Partial<Record<AnswerShape, string>> = {
	pdf: 'application/pdf, application/json',
	content: 'application/json, */*;q=0.9',
};

/** Builds the request for each attempt, because keeping the bodies of a whole batch would fill the memory. */
async function wireRequest(work: ClientWork, pause: Pause): Promise<WireRequest> {
	const { request, profile, policy, idempotencyKey } = work;
	const body = request.body === undefined ? undefined : await encodeBody(request.body, pause);
	return {
		method: request.method,
		path: request.path + queryText(request.query),
		headers: {
			accept: ACCEPTED[profile.answer] ?? 'application/json',
			...(body === undefined ? {} : { 'content-type': 'application/json' }),
			...request.headers,
			...(idempotencyKey === undefined ? {} : { [IDEMPOTENCY_HEADER]: idempotencyKey }),
		},
		...(body === undefined ? {} : { body }),
		timeoutMs: policy.timeoutMs,
	};
}

/** Returns the query as sent, from `?` on. Empty without parameters. */
export function queryText(query: ServiceRequest['query'] = []): string {
	const pairs = query.map(
		([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
	);
	return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
