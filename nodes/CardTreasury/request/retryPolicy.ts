import { DateTime } from 'luxon';

import type { Meaning } from '../../shared/statuses';
import type { Effect } from './request';

/** Limits on repeated attempts. */
export interface RetryPolicy {
	/**
	 * Maximum number of attempts, including the first. Replies with 429 do not count, because the service executed
	 * nothing (§7).
	 */
	maxAttempts: number;
	/** Milliseconds since the first attempt after which no further attempt starts. */
	maxTotalMs: number;
	/** Maximum rate of this execution. The rate limiter enforces the limit of the service for all executions. */
	requestsPerSecond: number;
	/** Time limit of one attempt, in milliseconds. */
	timeoutMs: number;
}

/** Attempts and time used so far. */
interface Spent {
	/** Number of attempts, except those with a 429. */
	attempts: number;
	/** Milliseconds since the first attempt started. */
	elapsedMs: number;
}

/** True if a failed request may be sent again after `waitMs`. */
export function shouldRetry(
	{ again, outcome }: Meaning,
	effect: Effect,
	spent: Spent,
	waitMs: number,
	policy: RetryPolicy,
): boolean {
	if (spent.elapsedMs + waitMs > policy.maxTotalMs) return false;
	// The service executes nothing after a 429, so the repeat is safe and does not count.
	if (again === 'rate limited') return true;
	if (again === 'never') return false;
	if (spent.attempts >= policy.maxAttempts) return false;
	// Nothing was executed, so even an unkeyed write is safe to repeat.
	if (outcome !== 'unknown') return true;
	// A read changes nothing, and a keyed write returns the first result (§1.6). An unkeyed write could be executed
	// twice.
	return effect !== 'unkeyed write';
}

/** Longest wait between two attempts. */
const LONGEST_WAIT_MS = 30_000;

/**
 * Exponential wait with jitter, in milliseconds: 0.5 to 1 s after attempt 1, 1 to 2 s after attempt 2, 2 to 4 s after
 * attempt 3.
 */
export function backOff(attempt: number, random: () => number): number {
	const full = Math.min(LONGEST_WAIT_MS, 1_000 * 2 ** (attempt - 1));
	return full / 2 + (full / 2) * random();
}

/**
 * Parses `Retry-After`, given in seconds or as an HTTP date. Undefined if absent or unreadable (§8 does not show the
 * form).
 */
export function retryAfterMs(header: string | undefined, date: number): number | undefined {
	const text = header?.trim() ?? '';
	if (/^\d{1,6}$/.test(text)) return Number(text) * 1_000;
	const asked = DateTime.fromHTTP(text);
	return asked.isValid ? Math.max(0, asked.toMillis() - date) : undefined;
}
