const WINDOW_MS = 1_000;

/**
 * Request limit of §8 as a strict sliding window: at most `requestsPerSecond` requests in any 1,000 ms. All requests
 * count together, because they come from one IP address and belong to one company.
 */
export class RateLimit {
	/** Number of requests answered with 429. They do not count. */
	rejected = 0;
	private counted: number[] = [];

	constructor(private readonly settings: { requestsPerSecond: number }) {}

	admits(now: number): boolean {
		const { requestsPerSecond } = this.settings;
		this.counted = this.counted.filter((at) => now - at < WINDOW_MS);
		const admits = requestsPerSecond === 0 || this.counted.length < requestsPerSecond;
		if (admits) this.counted.push(now);
		else this.rejected++;
		return admits;
	}

	clear(): void {
		this.counted = [];
		this.rejected = 0;
	}
}
