import { Problem, reasonOf } from '../../shared/problem';
import { readAttempt, type Attempt, type Failure, type Purpose } from './attempt';
import { waitUntil, type IsStopped, type RateLimiter } from './limiter';
import { queryText, type Reply, type ServiceRequest } from './request';

/** Request as sent, except the base URL and the API key, which the transport adds. */
export interface WireRequest {
	method: ServiceRequest['method'];
	/** With the query. */
	path: string;
	headers: Record<string, string>;
	body?: string;
}

/** Sends a request once. Follows no redirect. Never rejects. */
export type Transport = (request: WireRequest) => Promise<Attempt>;

export interface Sending extends Purpose {
	/** Idempotency key, the same in all attempts. */
	key?: string;
	isStopped: IsStopped;
}

export type Send = (request: ServiceRequest, sending: Sending) => Promise<Reply>;

/** Most attempts. Those with a 429 do not count, because the service executed nothing (§7). */
const MOST_ATTEMPTS = 5;

/** Milliseconds after the first attempt until which another one may start. */
const LONGEST_MS = 120_000;

/**
 * Sends a request whose turn has come, and again while that is safe and may help.
 * @throws Problem
 */
export const createSend =
	(transport: Transport, limiter: RateLimiter): Send =>
	async (request, sending) => {
		const { isStopped } = sending;
		const giveUpAt = performance.now() + LONGEST_MS;
		let problem = new Problem('Stopped before it was sent', 'Run it again.');
		let mayBeExecuted = false;
		let counted = 0;
		while (!isStopped() && performance.now() < giveUpAt) {
			const attempt = await transport(await wireOf(request, sending.key));
			const read = readAttempt(attempt, sending);
			if (!('problem' in read)) return read;
			({ problem } = read);
			mayBeExecuted ||= problem.outcome === 'unknown';
			const asked = 'headers' in attempt ? retryAfterMs(attempt.headers['retry-after']) : undefined;
			if (read.again === 'limited') limiter.pause(asked);
			else {
				counted += 1;
				if (!mayRepeat(read, sending, counted)) break;
				const again = performance.now() + (asked ?? backOff(counted));
				if (again >= giveUpAt) break;
				await waitUntil(() => again, isStopped);
			}
			await limiter.turn(isStopped);
		}
		const { message, fix, outcome, facts } = problem;
		// One attempt that may have been executed makes the whole request unknown.
		throw new Problem(message, fix, mayBeExecuted ? 'unknown' : outcome, facts);
	};

/** A 4xx is final. A write without an honored key is not repeated, once it may have been executed. */
const mayRepeat = ({ again, problem }: Failure, { effect }: Purpose, attempts: number): boolean =>
	again === 'later' &&
	attempts < MOST_ATTEMPTS &&
	(problem.outcome !== 'unknown' || effect !== 'once');

/** Milliseconds: 0.5 to 1 s after the first attempt, then twice as long each time. */
const backOff = (attempt: number): number => 1_000 * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);

/** Milliseconds of `Retry-After` in seconds. §8 does not show its form. */
const retryAfterMs = (header = ''): number | undefined =>
	/^\d{1,6}$/.test(header) ? Number(header) * 1_000 : undefined;

/** Files are read for each attempt, because keeping those of a whole run would fill the memory. */
async function wireOf(
	{ method, path, query, headers, body }: ServiceRequest,
	key: string | undefined,
): Promise<WireRequest> {
	const content = body instanceof Function ? await loaded(body) : body;
	const text = typeof content === 'object' ? JSON.stringify(content) : content;
	return {
		method,
		path: path + queryText(query),
		headers: {
			accept: 'application/json, */*;q=0.9',
			...(text !== undefined && { 'content-type': 'application/json' }),
			...headers,
			...(key !== undefined && { 'Idempotency-Key': key }),
		},
		...(text !== undefined && { body: text }),
	};
}

const loaded = async (body: () => Promise<object>): Promise<object> =>
	await body().catch(
		async (thrown: unknown) =>
			await Promise.reject(
				new Problem(`A file could not be read: ${reasonOf(thrown)}`, 'Check where it comes from.'),
			),
	);
