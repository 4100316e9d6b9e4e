/** Time source and timer. Tests replace it, so that they need no real time. */
export interface Clock {
	/** Milliseconds of a clock that never goes back. */
	now(): number;
	/** Milliseconds since 1970, for comparison with a `Retry-After` date. */
	date(): number;
	/** Resolves after `ms`, or as soon as `signal` aborts. */
	wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Waits for a turn of the event loop. */
export type Pause = () => Promise<void>;

/**
 * Returns a pause for long work that is done in slices. Each turn of the event loop ends one pause, because slices of
 * several works in one turn would block the process.
 */
export function pausesOf(clock: Pick<Clock, 'wait'>): Pause {
	let last = Promise.resolve();
	return async () => await (last = last.then(async () => await clock.wait(0)));
}

export const processClock: Clock = {
	now: () => performance.now(),
	date: () => Date.now(),
	wait: async (ms, signal) => {
		if (signal?.aborted) return;
		// AbortSignal.timeout does not keep the process alive, unlike setTimeout, so a stopped wait leaves no timer behind.
		const timeout = AbortSignal.timeout(Math.ceil(ms));
		await new Promise<void>((resolve) => {
			for (const end of [timeout, signal]) end?.addEventListener('abort', () => resolve());
		});
	},
};
