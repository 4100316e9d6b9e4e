import type { Settings } from './settings.mts';

/** `Retry-After` header for a wait in seconds; undefined for none. The document does not show the header. */
export function retryAfterValue(form: Settings['retryAfter'], seconds: number): string | undefined {
	if (form === 'seconds') return String(Math.ceil(seconds));
	// An HTTP date has whole seconds. Rounding up never names a moment that is too early.
	if (form === 'date')
		return new Date(Math.ceil((Date.now() + seconds * 1_000) / 1_000) * 1_000).toUTCString();
	return undefined;
}

const WINDOW_MS = 1_000;

/**
 * Request limit of §8 as a strict sliding window: at most `requestsPerSecond` requests in any 1,000 ms. All requests
 * count together, because they come from one IP address and belong to one company.
 */
export class RateLimit {
	/** Number of requests rejected with 429. */
	rejected = 0;
	private counted: number[] = [];

	constructor(private readonly settings: Pick<Settings, 'requestsPerSecond' | 'countRejected'>) {}

	/** Returns the milliseconds until a request would be accepted; 0 means accepted and counted. */
	admit(now: number): number {
		const { requestsPerSecond, countRejected } = this.settings;
		if (requestsPerSecond <= 0) return 0;
		this.counted = this.counted.filter((at) => now - at < WINDOW_MS);
		const waitMs = (this.counted.at(-requestsPerSecond) ?? -Infinity) + WINDOW_MS - now;
		if (waitMs <= 0 || countRejected) this.counted.push(now);
		if (waitMs <= 0) return 0;
		this.rejected++;
		return waitMs;
	}

	clear(): void {
		this.counted = [];
		this.rejected = 0;
	}
}
