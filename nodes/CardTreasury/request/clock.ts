/** Time and waiting as a port, so that tests need no real time. */
export interface Clock {
	/** Milliseconds that never go back. */
	now(): number;
	/** Milliseconds since 1970, which a `Retry-After` date is compared with. */
	date(): number;
	/** Resolves after `ms`, or as soon as `signal` aborts. */
	wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The process's clock. */
export const processClock: Clock = {
	now: () => performance.now(),
	date: () => Date.now(),
	wait: async (ms, signal) => {
		if (signal?.aborted) return;
		// Its timer keeps no process alive, so that nothing is left behind by a wait that Stop has ended.
		const timeout = AbortSignal.timeout(Math.ceil(ms));
		await new Promise<void>((resolve) => {
			for (const end of [timeout, signal]) end?.addEventListener('abort', () => resolve());
		});
	},
};
