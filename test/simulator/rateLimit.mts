/** Form of the `Retry-After` header of a 429. The document shows none, so it can be either, or absent. */
export type RetryAfterForm = 'none' | 'seconds' | 'date';

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
 * The request limit of §8 as a strict sliding window: of the accepted requests, no more than `perSecond` lie in any 1,000 ms.
 * One window for the whole simulator, which is one company seen from one IP address. Refused requests do not count.
 */
export class RateLimit {
	/** Requests refused with 429 so far. */
	refused = 0;
	retryAfter: RetryAfterForm = 'none';
	/** 0 = off. */
	perSecond: number;
	private accepted: number[] = [];

	constructor(perSecond: number) {
		this.perSecond = perSecond;
	}

	/** Milliseconds until a request would be accepted; 0 = accepted and counted. */
	admit(now: number): number {
		if (this.perSecond <= 0) return 0;
		this.accepted = this.accepted.filter((at) => now - at < WINDOW_MS);
		if (this.accepted.length < this.perSecond) {
			this.accepted.push(now);
			return 0;
		}
		this.refused++;
		return this.accepted[this.accepted.length - this.perSecond]! + WINDOW_MS - now;
	}

	clear(): void {
		this.accepted = [];
		this.refused = 0;
	}
}
