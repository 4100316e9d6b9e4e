import type { Settings } from './settings.mts';

/**
 * Form of the `Retry-After` header of a 429. The document does not show the header, so it can have either form or be
 * absent.
 */
type RetryAfterForm = Settings['retryAfter'];

/** Header value for a wait in seconds; undefined if the header is absent. */
export function retryAfterValue(form: RetryAfterForm, seconds: number): string | undefined {
	if (form === 'seconds') return String(Math.ceil(seconds));
	// An HTTP date has whole seconds. Rounding up never names a moment that is too early.
	if (form === 'date')
		return new Date(Math.ceil((Date.now() + seconds * 1_000) / 1_000) * 1_000).toUTCString();
	return undefined;
}

const WINDOW_MS = 1_000;

/**
 * Request limit of §8 as strict sliding windows: in any 1,000 ms, at most `requestsPerSecond` requests per IP address
 * and per company.
 */
export class RateLimit {
	/** Number of requests rejected with 429. */
	rejected = 0;
	private readonly windows = new Map<string, number[]>();

	constructor(private readonly settings: Pick<Settings, 'requestsPerSecond' | 'countRejected'>) {}

	/** Returns the milliseconds until a request of these callers would be accepted; 0 means accepted and counted. */
	admit(now: number, callers: readonly string[]): number {
		if (this.settings.requestsPerSecond <= 0) return 0;
		const waitMs = Math.max(...callers.map((caller) => this.waitMs(now, caller)));
		if (waitMs > 0) this.rejected++;
		if (waitMs === 0 || this.settings.countRejected) {
			for (const caller of callers) this.windows.get(caller)!.push(now);
		}
		return waitMs;
	}

	private waitMs(now: number, caller: string): number {
		const { requestsPerSecond } = this.settings;
		const counted = (this.windows.get(caller) ?? []).filter((at) => now - at < WINDOW_MS);
		this.windows.set(caller, counted);
		return counted.length < requestsPerSecond
			? 0
			: counted[counted.length - requestsPerSecond]! + WINDOW_MS - now;
	}

	clear(): void {
		this.windows.clear();
		this.rejected = 0;
	}
}
