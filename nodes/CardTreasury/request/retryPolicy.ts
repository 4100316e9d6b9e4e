import { DateTime } from 'luxon';

import type { Meaning } from '../../shared/statuses';
import type { Effect } from './request';

/** How a request is repeated. */
export interface RetryPolicy {
	/** The first one included; a 429 does not count (§7: nothing was executed). */
	maxAttempts: number;
	/** No further attempt begins after so many milliseconds, counted from the first. */
	maxTotalMs: number;
	/** Of this execution, at most; the limit of the service is shared by all. */
	requestsPerSecond: number;
	/** How long one attempt may take, in milliseconds. */
	timeoutMs: number;
}

/** What a request has used up so far. */
export interface Spent {
	/** Without those that a 429 answered. */
	attempts: number;
	/** Since the first one started. */
	elapsedMs: number;
}

/** Whether a failed request is sent again, `waitMs` from now. */
export function shouldRetry(
	{ again, outcome }: Meaning,
	effect: Effect,
	spent: Spent,
	waitMs: number,
	policy: RetryPolicy,
): boolean {
	if (spent.elapsedMs + waitMs > policy.maxTotalMs) return false;
	// A 429 is a definite no and says nothing about the request: always repeated, never counted.
	if (again === 'rate limited') return true;
	// Another attempt would end the same way.
	if (again === 'never') return false;
	if (spent.attempts >= policy.maxAttempts) return false;
	// Nothing was executed, so an unkeyed write cannot be executed twice either.
	if (outcome !== 'unknown') return true;
	// A read changes nothing, and a key returns the first result (§1.6); without a key it may be executed a second time.
	return effect !== 'unkeyed write';
}

/** Longest wait between two attempts, in milliseconds. */
const LONGEST_WAIT_MS = 30_000;

/** Exponential wait with jitter after attempt 1, 2, …, in milliseconds: 0.5 to 1 s, 1 to 2 s, 2 to 4 s, … */
export function backOff(attempt: number, random: () => number): number {
	const full = Math.min(LONGEST_WAIT_MS, 1_000 * 2 ** (attempt - 1));
	return full / 2 + (full / 2) * random();
}

/** The wait that `Retry-After` asks for, in seconds or as an HTTP date; undefined when absent or unreadable (§8: not shown). */
export function retryAfterMs(header: string | undefined, date: number): number | undefined {
	const text = header?.trim() ?? '';
	if (/^\d{1,6}$/.test(text)) return Number(text) * 1_000;
	const asked = DateTime.fromHTTP(text);
	return asked.isValid ? Math.max(0, asked.toMillis() - date) : undefined;
}
