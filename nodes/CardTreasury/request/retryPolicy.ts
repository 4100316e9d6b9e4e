import { DateTime } from 'luxon';

import type { Meaning } from '../../shared/statuses';
import type { Effect } from './request';

/** Limits for repeating a request. */
export interface RetryPolicy {
	/** Includes the first attempt. A 429 does not count, because nothing was executed (§7). */
	maxAttempts: number;
	/** Milliseconds after the first attempt, after which no further attempt starts. */
	maxTotalMs: number;
	/** Maximum for this execution; all executions share the limit of the service. */
	requestsPerSecond: number;
	/** Milliseconds that one attempt may take. */
	timeoutMs: number;
}

/** Attempts and time used so far. */
export interface Spent {
	/** Without attempts that got a 429. */
	attempts: number;
	/** Since the first attempt started. */
	elapsedMs: number;
}

/** True if a failed request is to be sent again after `waitMs`. */
export function shouldRetry(
	{ again, outcome }: Meaning,
	effect: Effect,
	spent: Spent,
	waitMs: number,
	policy: RetryPolicy,
): boolean {
	if (spent.elapsedMs + waitMs > policy.maxTotalMs) return false;
	// A 429 always means "not executed", so it is always repeated and never counted.
	if (again === 'rate limited') return true;
	// Another attempt would end the same way.
	if (again === 'never') return false;
	if (spent.attempts >= policy.maxAttempts) return false;
	// Nothing was executed, so even an unkeyed write cannot be executed twice.
	if (outcome !== 'unknown') return true;
	// A read changes nothing, and a key returns the first result (§1.6). An unkeyed write could be executed twice.
	return effect !== 'unkeyed write';
}

/** Longest wait between two attempts, in milliseconds. */
const LONGEST_WAIT_MS = 30_000;

/** Exponential wait with jitter after attempt 1, 2, …, in milliseconds: 0.5 to 1 s, 1 to 2 s, 2 to 4 s, … */
export function backOff(attempt: number, random: () => number): number {
	const full = Math.min(LONGEST_WAIT_MS, 1_000 * 2 ** (attempt - 1));
	return full / 2 + (full / 2) * random();
}

/** Parses `Retry-After` given in seconds or as an HTTP date; undefined if absent or unreadable (§8 does not show it). */
export function retryAfterMs(header: string | undefined, date: number): number | undefined {
	const text = header?.trim() ?? '';
	if (/^\d{1,6}$/.test(text)) return Number(text) * 1_000;
	const asked = DateTime.fromHTTP(text);
	return asked.isValid ? Math.max(0, asked.toMillis() - date) : undefined;
}
