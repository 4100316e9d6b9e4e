import { setTimeout as wait } from 'node:timers/promises';

/** Waits until a condition holds, checking every few milliseconds. @throws after `withinMs` */
export async function until(condition: () => unknown, withinMs = 10_000): Promise<void> {
	const end = Date.now() + withinMs;
	while (!condition()) {
		if (Date.now() > end) throw new Error(`Not within ${withinMs} ms: ${condition}`);
		await wait(5);
	}
}
