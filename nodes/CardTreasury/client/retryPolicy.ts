/** §8: 15 requests per second, per IP address and per company. */
export const SERVICE_RATE = 15;

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
