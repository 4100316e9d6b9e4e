/**
 * Limits log lines to one per minute and cause, so that no sender can fill the log.
 * @param cause identifies the trigger and the problem
 * @returns occurrences since the last line, or undefined within a minute of that line
 */
export type LogLimit = (cause: string) => number | undefined;

const MINUTE_MS = 60_000;

/** @param now returns milliseconds of a monotonic clock */
export function createLogLimit(now = () => performance.now()): LogLimit {
	const causes = new Map<string, { loggedAt: number; since: number }>();

	return (cause) => {
		const { loggedAt, since } = causes.get(cause) ?? { loggedAt: -Infinity, since: 0 };
		const isDue = now() - loggedAt >= MINUTE_MS;
		causes.set(cause, isDue ? { loggedAt: now(), since: 0 } : { loggedAt, since: since + 1 });
		return isDue ? since + 1 : undefined;
	};
}
