import type { Settings } from './settings.mts';

/** Form of the `Retry-After` header of a 429. The document shows none, so it can be either, or absent. */
export type RetryAfterForm = Settings['retryAfter'];

/** The header's value for a wait of so many seconds; undefined when absent. */
export function retryAfterValue(form: RetryAfterForm, seconds: number): string | undefined {
	if (form === 'seconds') return String(Math.ceil(seconds));
	// An HTTP date has whole seconds: rounded up, so that it never names a moment that is too early.
	if (form === 'date')
		return new Date(Math.ceil((Date.now() + seconds * 1_000) / 1_000) * 1_000).toUTCString();
	return undefined;
}

const WINDOW_MS = 1_000;

/**
 * The request limit of §8 as strict sliding windows: of the counted requests of one IP address, and of those of one
 * company, no more than `requestsPerSecond` lie in any 1,000 ms.
 */
export class RateLimit {
	/** Requests rejected with 429 so far. */
	rejected = 0;
	private readonly windows = new Map<string, number[]>();

	constructor(private readonly settings: Pick<Settings, 'requestsPerSecond' | 'countRejected'>) {}

	/** Milliseconds until a request of these callers would be accepted; 0 = accepted and counted. */
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
