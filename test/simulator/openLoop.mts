import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';

import { deliver, type DeliverOptions } from './sender.mts';

interface OpenLoopOptions extends Omit<DeliverOptions, 'onAttempt'> {
	ratePerSecond: number;
	count: number;
	/** Event with this index (0, 1, 2 …). */
	event: (index: number) => unknown;
}

/** Delivers at a fixed rate without waiting for earlier deliveries. Results are in sending order. */
export async function deliverOpenLoop(options: OpenLoopOptions) {
	const { ratePerSecond, count, event, ...deliverOptions } = options;
	const start = performance.now();
	const deliverAt = async (index: number, dueAt: number) => {
		const delivery = await deliver(event(index), deliverOptions);
		// Measured from the due time, so that a sender that falls behind does not flatter the receiver.
		return { index, dueAt, latencyMs: performance.now() - dueAt, delivery };
	};
	const results: Array<ReturnType<typeof deliverAt>> = [];
	for (let index = 0; index < count; index++) {
		const dueAt = start + (index * 1_000) / ratePerSecond;
		const early = dueAt - performance.now();
		if (early > 0) await wait(early, undefined, { signal: options.signal }).catch(() => undefined);
		if (options.signal?.aborted) break;
		results.push(deliverAt(index, dueAt));
	}
	return await Promise.all(results);
}
