import { setTimeout as wait } from 'node:timers/promises';

/** Waits until a condition holds, looking every few milliseconds. @throws when it never does */
export async function until(condition: () => unknown, withinMs = 10_000): Promise<void> {
	const end = Date.now() + withinMs;
	while (!condition()) {
		if (Date.now() > end) throw new Error(`Not within ${withinMs} ms: ${condition}`);
		await wait(5);
	}
}
