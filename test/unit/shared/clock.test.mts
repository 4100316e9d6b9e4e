import { getEventListeners } from 'node:events';

import { pausesOf, processClock } from '../../../nodes/shared/clock.ts';

/** True if the wait has ended by now. */
async function hasEnded(wait: Promise<void>): Promise<boolean> {
	const tick = new Promise<'going on'>((resolve) => setImmediate(() => resolve('going on')));
	return (await Promise.race([wait, tick])) !== 'going on';
}

it("time never goes back, and the date is the process's", () => {
	const [first, second] = [processClock.now(), processClock.now()];
	expect(second).toBeGreaterThanOrEqual(first);
	const before = Date.now();
	expect(processClock.date()).toBeGreaterThanOrEqual(before);
	expect(processClock.date()).toBeLessThanOrEqual(Date.now());
});

it('a wait takes its time, even without a signal', async () => {
	const began = processClock.now();
	await processClock.wait(20.5);
	// Node's timers may fire one millisecond early.
	expect(processClock.now() - began).toBeGreaterThan(19);
});

it('a signal ends a wait of minutes', async () => {
	const stop = new AbortController();
	const wait = processClock.wait(600_000, stop.signal);
	expect(await hasEnded(wait)).toBe(false);
	stop.abort();
	await wait;
});

it('a wait with an aborted signal ends at once', async () => {
	expect(await hasEnded(processClock.wait(600_000, AbortSignal.abort()))).toBe(true);
	const { signal } = new AbortController();
	expect(await hasEnded(processClock.wait(600_000, signal))).toBe(false);
	expect(getEventListeners(signal, 'abort')).toHaveLength(1);
});

it('each wait of the clock ends one pause, in the order of the pauses', async () => {
	const ends: Array<() => void> = [];
	const wait = async () => await new Promise<void>((resolve) => void ends.push(resolve));
	const pause = pausesOf({ wait });
	const paused: string[] = [];
	const pausing = ['first', 'second'].map(async (name) => {
		await pause();
		paused.push(name);
	});
	const turn = async () => await new Promise((resolve) => setImmediate(resolve));
	await turn();
	expect(ends).toHaveLength(1);
	expect(paused).toEqual([]);
	ends[0]!();
	await turn();
	expect(paused).toEqual(['first']);
	ends[1]!();
	await Promise.all(pausing);
	expect(paused).toEqual(['first', 'second']);
});
