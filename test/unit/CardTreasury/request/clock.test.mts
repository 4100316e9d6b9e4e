import { getEventListeners } from 'node:events';

import { processClock } from '../../../../nodes/CardTreasury/request/clock.ts';

/** Whether it ends by itself before the test's own time is over is not asked: only what has ended by now. */
async function hasEnded(wait: Promise<void>): Promise<boolean> {
	const tick = new Promise<'going on'>((resolve) => setImmediate(() => resolve('going on')));
	return (await Promise.race([wait, tick])) !== 'going on';
}

it('its time never goes back, and its date is that of the process', () => {
	const [first, second] = [processClock.now(), processClock.now()];
	expect(second).toBeGreaterThanOrEqual(first);
	const before = Date.now();
	expect(processClock.date()).toBeGreaterThanOrEqual(before);
	expect(processClock.date()).toBeLessThanOrEqual(Date.now());
});

it('waits as long as it is told, also without a signal', async () => {
	const began = processClock.now();
	await processClock.wait(20.5);
	// Timers of Node may ring one millisecond early.
	expect(processClock.now() - began).toBeGreaterThan(19);
});

it('ends a wait of minutes when its signal aborts', async () => {
	const stop = new AbortController();
	const wait = processClock.wait(600_000, stop.signal);
	expect(await hasEnded(wait)).toBe(false);
	stop.abort();
	await wait;
});

it('does not begin one whose signal has aborted', async () => {
	expect(await hasEnded(processClock.wait(600_000, AbortSignal.abort()))).toBe(true);
	const { signal } = new AbortController();
	expect(await hasEnded(processClock.wait(600_000, signal))).toBe(false);
	expect(getEventListeners(signal, 'abort')).toHaveLength(1);
});
