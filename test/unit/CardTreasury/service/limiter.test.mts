import { RateLimiter } from '../../../../nodes/CardTreasury/service/limiter.ts';

const running = () => false;
const LONG_ENOUGH = 90_000;
let limiter: RateLimiter;
let starts: number[];
const now = () => performance.now();

beforeEach(() => {
	jest.useFakeTimers();
	limiter = new RateLimiter();
	starts = [];
});

const begin = async (isStopped = running) => {
	await limiter.turn(isStopped);
	if (!isStopped()) starts.push(now());
};
/** Begins requests at once, and changes something after some milliseconds. */
async function start(count: number, ms = 0, change = () => {}): Promise<void> {
	const all = Array.from({ length: count }, async () => await begin());
	await jest.advanceTimersByTimeAsync(ms);
	change();
	await jest.advanceTimersByTimeAsync(LONG_ENOUGH);
	await Promise.all(all);
}

const mostWithin = (ms: number) =>
	Math.max(
		...starts.map((from) => starts.filter((start) => start >= from && start < from + ms).length),
	);

it('requests start evenly, and at most 15 in a second, with 14.6 a second or more', async () => {
	await start(200);
	expect(mostWithin(1_000)).toBe(15);
	expect(200 / (starts.at(-1)! / 1_000)).toBeGreaterThan(14.6);
	expect(mostWithin(60)).toBe(1);
});

it('timers that are late, as on a busy machine, take little of the rate', async () => {
	const { setTimeout: set } = globalThis;
	jest
		.spyOn(globalThis, 'setTimeout')
		.mockImplementation(((ring: () => void, ms = 0) => set(ring, ms + 20)) as typeof setTimeout);
	await start(200);
	expect(200 / (starts.at(-1)! / 1_000)).toBeGreaterThan(14.2);
	expect(mostWithin(1_000)).toBe(15);
});

it('requests that a blocked process has delayed do not start at once', async () => {
	const { now: clock } = performance;
	let blocked = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => clock.call(performance) + blocked);
	await start(60, 1_000, () => (blocked = 3_000));
	expect(mostWithin(1_000)).toBe(15);
	expect(mostWithin(60)).toBe(2);
});

it('requests start in the order of their calls, also those of several runs', async () => {
	const order: string[] = [];
	const runs = ['a', 'b', 'a', 'b'].map(async (of, at) => {
		await begin();
		order.push(`${of}${at}`);
	});
	await jest.advanceTimersByTimeAsync(LONG_ENOUGH);
	await Promise.all(runs);
	expect(order).toEqual(['a0', 'b1', 'a2', 'b3']);
});

it('a shorter pause does not end a longer one', async () => {
	limiter.pause(5_000);
	limiter.pause(100);
	await start(1);
	expect(starts).toEqual([5_000]);
});

it('a pause also holds for requests that wait already', async () => {
	await start(3, 10, () => limiter.pause(5_000));
	expect(starts.map((start) => Math.round(start))).toEqual([0, 5_010, 5_077]);
});

it('Stop ends a wait within a second, and takes no turn from other runs', async () => {
	limiter.pause(30_000);
	let stopped = false;
	const ended = begin(() => stopped);
	const other = begin();
	await jest.advanceTimersByTimeAsync(500);
	stopped = true;
	await jest.advanceTimersByTimeAsync(1_000);
	await ended;
	expect(starts).toEqual([]);
	await jest.advanceTimersByTimeAsync(LONG_ENOUGH);
	await other;
	expect(starts).toEqual([30_000]);
	expect(jest.getTimerCount()).toBe(0);
});
