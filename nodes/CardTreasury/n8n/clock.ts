import type { Clock } from '../client/transport';

/** The process's clock. */
export const processClock: Clock = {
	now: () => performance.now(),
	date: () => Date.now(),
	wait: async (ms, signal) => {
		if (signal?.aborted) return;
		// Its timer keeps no process alive, so that nothing is left behind by a wait that Stop has ended.
		const timeout = AbortSignal.timeout(Math.ceil(ms));
		await new Promise<void>((resolve) => {
			for (const end of [timeout, signal])
				end?.addEventListener('abort', () => resolve(), { once: true });
		});
	},
};
