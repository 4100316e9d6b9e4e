import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { deliver, type Delivery, type DeliverOptions } from './sender.mts';

export interface OpenLoopOptions extends Omit<DeliverOptions, 'onAttempt'> {
	ratePerSecond: number;
	count: number;
	/** The event number 0, 1, 2 … */
	event: (index: number) => unknown;
}

export interface OpenLoopResult {
	index: number;
	/** When it was due, in milliseconds on the clock of `performance.now()`. */
	dueAt: number;
	/** From when it was due to the end of its delivery: a sender that falls behind does not flatter the receiver. */
	latencyMs: number;
	delivery: Delivery;
}

/** Delivers at a fixed rate, whether or not the earlier deliveries have been answered. Results are in sending order. */
export async function deliverOpenLoop(options: OpenLoopOptions): Promise<OpenLoopResult[]> {
	const { ratePerSecond, count, event, ...deliverOptions } = options;
	const start = performance.now();
	const results: Array<Promise<OpenLoopResult>> = [];
	for (let index = 0; index < count; index++) {
		const dueAt = start + (index * 1_000) / ratePerSecond;
		const early = dueAt - performance.now();
		if (early > 0) await wait(early, undefined, { signal: options.signal }).catch(() => undefined);
		if (options.signal?.aborted) break;
		results.push(
			deliver(event(index), deliverOptions).then((delivery) => ({
				index,
				dueAt,
				latencyMs: performance.now() - dueAt,
				delivery,
			})),
		);
	}
	return await Promise.all(results);
}
