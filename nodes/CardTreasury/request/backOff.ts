import { DateTime } from 'luxon';

/** Longest wait between two tries, in milliseconds. */
const LONGEST_MS = 30_000;

/** Exponential wait with jitter before try `n + 1` (n = 1, 2, …), in milliseconds: 0.5 to 1 s, 1 to 2 s, 2 to 4 s, … */
export function backOff(n: number, random: () => number = Math.random): number {
	const full = Math.min(LONGEST_MS, 1000 * 2 ** (n - 1));
	return full / 2 + (full / 2) * random();
}

/** The wait that `Retry-After` asks for, in seconds or as an HTTP date; undefined when absent or unreadable (§8: not shown). */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
	const text = header?.trim() ?? '';
	if (/^\d{1,6}$/.test(text)) return Number(text) * 1000;
	if (!/[A-Za-z]/.test(text)) return undefined;
	const date = DateTime.fromHTTP(text);
	return date.isValid ? Math.max(0, date.toMillis() - now) : undefined;
}

/** How fast the rate comes back after a 429: from half to the whole limit in ten seconds. */
const GAINED_PER_MS = 0.75 / 1000;

/** Requests per second, some milliseconds after a 429 had brought them down to `from`. Never below one in two seconds, unless less is asked for. */
export function recovering(from: number, elapsedMs: number): number {
	return Math.max(0.5, from) + GAINED_PER_MS * Math.max(0, elapsedMs);
}
