/** Time and waiting as a port, so that tests need no real time. */
export interface Clock {
	/** Milliseconds that never go back. */
	now(): number;
	/** Milliseconds since 1970, for comparison with a `Retry-After` date. */
	date(): number;
	/** Resolves after `ms`, or as soon as `signal` aborts. */
	wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Clock of this process. */
export const processClock: Clock = {
	now: () => performance.now(),
	date: () => Date.now(),
	wait: async (ms, signal) => {
		if (signal?.aborted) return;
		// This timer does not keep the process alive, so a wait that Stop has ended leaves nothing behind.
		const timeout = AbortSignal.timeout(Math.ceil(ms));
		await new Promise<void>((resolve) => {
			for (const end of [timeout, signal]) end?.addEventListener('abort', () => resolve());
		});
	},
};
