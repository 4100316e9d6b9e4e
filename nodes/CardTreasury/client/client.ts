import { encodeBody } from '../body';
import type { RequestFailure } from '../errors';
import type { RequestProfile, ServiceAnswer, ServiceRequest } from '../request';
import { failureOf, notBuilt, type History } from './failure';
import { IDEMPOTENCY_HEADER } from './idempotencyKey';
import type { RateLimiter, Start } from './rateLimiter';
import type { RequestGroup } from './requestGroup';
import { backOff, retryAfterMs, shouldRetry, type RetryPolicy } from './retryPolicy';
import { FORGOTTEN, judge } from './statuses';
import type { Attempt, Clock, Transport, WireRequest } from './transport';

/** One request with everything that decides how it is sent. */
export interface ClientWork {
	request: ServiceRequest;
	profile: RequestProfile;
	policy: RetryPolicy;
	/** Goes with every attempt. */
	idempotencyKey?: string;
	/** Whether it was sent before, by an earlier try of the node whose outcome is unknown. */
	outcomeUnknown?: boolean;
	/** From when on the service may have forgotten the key, in epoch milliseconds: what may have been executed is not sent then. */
	forgottenAt?: number;
}

/** `attempts`: how often it was sent, 429s included. */
export type RequestResult =
	| { kind: 'answered'; answer: ServiceAnswer; attempts: number }
	| { kind: 'failed'; failure: RequestFailure; attempts: number }
	/** The group was stopped before the request was sent for the first time. */
	| { kind: 'stopped' };

export interface Client {
	send(work: ClientWork, group: RequestGroup): Promise<RequestResult>;
}

interface Ports {
	transport: Transport;
	limiter: RateLimiter;
	clock: Clock;
	/** 0 to 1, for the jitter. */
	random?: () => number;
}

/** Sends each request when the rate limiter lets it, and retries where that is harmless. Never rejects. */
export function createClient(ports: Ports): Client {
	return { send: async (work, group) => await new Sending(ports, work, group).run() };
}

/** One request with all its attempts. */
class Sending {
	private readonly history: History;
	private began: number | undefined;
	private rateLimits = 0;
	private result: RequestResult = { kind: 'stopped' };

	constructor(
		private readonly ports: Ports,
		private readonly work: ClientWork,
		private readonly group: RequestGroup,
	) {
		const { profile, idempotencyKey, outcomeUnknown = false } = work;
		this.history = { profile, sent: 0, outcomeUnknown, idempotencyKey };
	}

	async run(): Promise<RequestResult> {
		const { limiter } = this.ports;
		const { policy } = this.work;
		for (;;) {
			const repeated = this.history.sent > 0;
			const start = await limiter.acquire(this.group, policy.requestsPerSecond, repeated);
			if (!start) return this.result;
			// The total time begins with the first attempt: the wait before it is caused by the rest of the batch.
			this.began ??= start.at;
			if (repeated && this.elapsedMs() > policy.maxTotalMs) return this.result;
			if (this.isForgotten()) return repeated ? this.result : this.forgotten();
			const waitMs = await this.attempt(start);
			if (waitMs === undefined) return this.result;
			await this.group.wait(this.ports.clock, waitMs);
		}
	}

	/** Sends it once. @returns milliseconds until the next attempt, or undefined when there is none */
	private async attempt(start: Start): Promise<number | undefined> {
		const { history } = this;
		const wire = await wireRequest(this.work).catch((thrown: unknown) => {
			this.result = { kind: 'failed', failure: notBuilt(thrown, history), attempts: history.sent };
			return undefined;
		});
		// Reading files takes time, in which the group may have been stopped.
		if (!wire || this.group.stopped) return undefined;
		history.sent += 1;
		const attempt = await this.ports.transport(wire).catch(() => BROKEN_TRANSPORT);
		const verdict = judge(attempt, this.work.profile);
		if (verdict.kind === 'answered') {
			this.result = { ...verdict, attempts: history.sent };
			return undefined;
		}
		history.outcomeUnknown ||= verdict.meaning.outcome === 'unknown';
		this.result = {
			kind: 'failed',
			failure: failureOf(verdict, history),
			attempts: history.sent,
		};
		const asked = this.retryAfterMs(attempt);
		const limited = verdict.meaning.again === 'rate limited';
		if (limited) {
			this.rateLimits += 1;
			this.ports.limiter.onRateLimited(start, asked);
		}
		const spent = { attempts: history.sent - this.rateLimits, elapsedMs: this.elapsedMs() };
		// After a 429 the limiter pauses every request, this one included.
		const waitMs = Math.max(asked ?? 0, limited ? 0 : this.backOff(spent.attempts));
		const { profile, policy } = this.work;
		if (!shouldRetry(verdict.meaning, profile.effect, spent, waitMs, policy)) return undefined;
		return limited ? 0 : waitMs;
	}

	private isForgotten(): boolean {
		const { work, ports, history } = this;
		return (
			work.profile.effect !== 'read' &&
			history.outcomeUnknown &&
			ports.clock.date() >= (work.forgottenAt ?? Infinity)
		);
	}

	/** The wait for its turn took too long. */
	private forgotten(): RequestResult {
		const failure = failureOf({ kind: 'failed', meaning: FORGOTTEN, traceId: null }, this.history);
		return { kind: 'failed', failure, attempts: 0 };
	}

	private elapsedMs(): number {
		const now = this.ports.clock.now();
		return now - (this.began ?? now);
	}

	private retryAfterMs(attempt: Attempt): number | undefined {
		if (attempt.kind === 'no response') return undefined;
		return retryAfterMs(attempt.headers['retry-after'], this.ports.clock.date());
	}

	private backOff(attempts: number): number {
		return backOff(attempts, this.ports.random ?? Math.random);
	}
}

/** A transport that throws is a defect; how far the request got is unknown. */
const BROKEN_TRANSPORT: Attempt = { kind: 'no response', code: 'NO_ANSWER', timedOut: false };

/** The request as it goes on the wire. Built for each attempt: kept, the bodies of a batch would fill the memory. */
async function wireRequest(work: ClientWork): Promise<WireRequest> {
	const { request, profile, policy, idempotencyKey } = work;
	const body = request.body === undefined ? undefined : await encodeBody(request.body);
	return {
		method: request.method,
		path: request.path + queryText(request.query),
		headers: {
			accept: profile.answer === 'pdf' ? 'application/pdf, application/json' : 'application/json',
			...(body === undefined ? {} : { 'content-type': 'application/json' }),
			...request.headers,
			...(idempotencyKey === undefined ? {} : { [IDEMPOTENCY_HEADER]: idempotencyKey }),
		},
		...(body === undefined ? {} : { body }),
		timeoutMs: policy.timeoutMs,
	};
}

function queryText(query: ServiceRequest['query'] = []): string {
	const pairs = query.map(
		([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
	);
	return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
