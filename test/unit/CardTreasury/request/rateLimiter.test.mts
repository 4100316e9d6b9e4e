import fc from 'fast-check';

import {
	createRateLimiters,
	RateLimiter,
	RequestGroup,
} from '../../../../nodes/CardTreasury/request/rateLimiter.ts';
import { SERVICE_RATE } from '../../../../nodes/shared/serviceRate.ts';
import { CountingGroup } from './countingGroup.mts';
import { FakeClock } from './fakeClock.mts';
import { gaps, RecordedStarts } from './recordedStarts.mts';

let clock: FakeClock;
let limiter: RateLimiter;
let starts: RecordedStarts;

beforeEach(() => {
	clock = new FakeClock();
	limiter = new RateLimiter(clock);
	starts = new RecordedStarts(limiter);
});

describe('pace', () => {
	it('starts 300 requests evenly, at 0.97 of the limit', async () => {
		starts.ask(undefined, 300);
		await clock.runUntil();
		expect(starts.busiest(1_024)).toBe(15);
		expect(Math.min(...gaps(starts.times()))).toBeGreaterThanOrEqual(66);
		expect(299 / (starts.times().at(-1)! / 1_000)).toBeGreaterThan(0.97 * 15);
	});

	it.each([0.1, 0.5, 1, 4.5, 7])(
		'spaces the requests of a group with %d per second evenly',
		async (rate) => {
			starts.ask(undefined, 20, rate);
			await clock.runUntil();
			for (const gap of gaps(starts.times())) expect(gap).toBeCloseTo(1_000 / rate, 6);
		},
	);

	it('catches up one place at most after a late timer', async () => {
		starts.ask(undefined, 8, 5);
		await clock.runUntil(250);
		clock.block(200);
		await clock.runUntil();
		expect(starts.times()).toEqual([0, 200, 450, 600, 800, 1_000, 1_200, 1_400]);
		starts.recorded = [];
		await clock.runUntil(5_000);
		starts.ask(undefined, 3, 5);
		await clock.runUntil();
		expect(gaps(starts.times())).toEqual([200, 200]);
	});

	it('does not delay other groups while a slow group waits', async () => {
		const [slow, quick] = [new RequestGroup(), new RequestGroup()];
		starts.ask(slow, 3, 0.1);
		await clock.runUntil(500);
		starts.ask(quick);
		await clock.runUntil(500);
		expect(starts.times(quick)).toEqual([500]);
		starts.ask(quick, 30);
		await clock.runUntil();
		expect(starts.times(quick).at(-1)).toBeLessThan(3_000);
		expect(starts.times(slow)).toEqual([0, 10_000, 20_000]);
	});

	it("keeps a group's rate after its queue was empty", async () => {
		const group = new RequestGroup();
		starts.ask(group, 1, 0.5);
		await clock.runUntil(100);
		starts.ask(group, 1, 0.5);
		await clock.runUntil();
		expect(starts.times()).toEqual([0, 2_000]);
	});

	it('never exceeds 15 starts in any window, for any groups and times', async () => {
		const batch = fc.record({
			at: fc.integer({ min: 0, max: 20_000 }),
			count: fc.integer({ min: 1, max: 60 }),
			rate: fc.integer({ min: 1, max: 15 }),
		});
		await fc.assert(
			fc.asyncProperty(
				fc.array(batch, { minLength: 1, maxLength: 6 }),
				fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 3 }),
				async (batches, limits) => {
					clock = new FakeClock();
					limiter = new RateLimiter(clock);
					starts = new RecordedStarts(limiter);
					const asked = batches.map(async ({ at, count, rate }) => {
						await clock.wait(at);
						await Promise.all(starts.ask(undefined, count, rate));
					});
					const limited = limits.map(async (at) => {
						await clock.wait(at);
						limiter.onRateLimited({ at: clock.now() });
					});
					await clock.runUntil();
					await Promise.all([...asked, ...limited]);
					expect(starts.recorded).toHaveLength(
						batches.reduce((total, { count }) => total + count, 0),
					);
					expect(starts.busiest(1_024)).toBeLessThanOrEqual(15);
				},
			),
			{ numRuns: 30 },
		);
	});
});

describe('turns', () => {
	it('start a single request before an earlier batch', async () => {
		const [batch, single] = [new RequestGroup(), new RequestGroup()];
		starts.ask(batch, 100);
		await clock.runUntil(2_000);
		const before = starts.recorded.length;
		starts.ask(single);
		await clock.runUntil();
		expect(starts.recorded.findIndex(({ group }) => group === single) - before).toBeLessThanOrEqual(
			1,
		);
		expect(starts.recorded).toHaveLength(101);
	});

	it('alternate between three groups', async () => {
		const groups = [new RequestGroup(), new RequestGroup(), new RequestGroup()];
		// The first request starts before the other groups ask.
		groups.forEach((group, index) => starts.ask(group, index === 0 ? 11 : 10));
		await clock.runUntil();
		const order = starts.recorded.slice(1).map(({ group }) => groups.indexOf(group));
		expect(order).toEqual(Array.from({ length: 30 }, (_, index) => index % 3));
	});

	it('start repetitions first within their group, but not before another group', async () => {
		const [left, right] = [new RequestGroup(), new RequestGroup()];
		starts.ask(left, 3);
		starts.ask(right, 2);
		const repetitions = [1, 2].map(async (number) => {
			await limiter.acquire(left, SERVICE_RATE, true);
			starts.recorded.push({ group: left, at: number, repeated: true });
		});
		await clock.runUntil();
		await Promise.all(repetitions);
		expect(
			starts.recorded.map(({ group, repeated, at }) =>
				repeated ? at : group === left ? 'left' : 'right',
			),
		).toEqual(['left', 1, 'right', 2, 'right', 'left', 'left']);
	});
});

describe('stop', () => {
	it('ends the waits of the stopped group at once and continues the others', async () => {
		const stop = new AbortController();
		const [stopping, other] = [new RequestGroup(stop.signal), new RequestGroup()];
		const waits = Promise.all([...starts.ask(stopping, 20), ...starts.ask(stopping, 20, 15, true)]);
		starts.ask(other, 40);
		await clock.runUntil(1_000);
		const begun = starts.times(stopping).length;
		stop.abort();
		const answers = await waits;
		expect(clock.now()).toBe(1_000);
		expect(answers.filter((start) => start === undefined)).toHaveLength(40 - begun);
		await clock.runUntil();
		expect(starts.times(other)).toHaveLength(40);
		expect(starts.times(stopping)).toHaveLength(begun);
		expect(await limiter.acquire(stopping, SERVICE_RATE)).toBeUndefined();
	});

	it('is no longer listened to without waiting requests', async () => {
		const group = new CountingGroup();
		starts.ask(group, 3);
		expect(group.listening).toBe(1);
		await clock.runUntil();
		expect(group.listening).toBe(0);
	});
});

it('createRateLimiters returns one limiter per host', () => {
	const limiterOf = createRateLimiters(clock);
	expect(limiterOf('a')).toBe(limiterOf('a'));
	expect(limiterOf('a')).not.toBe(limiterOf('b'));
	expect(createRateLimiters(clock)('a')).not.toBe(limiterOf('a'));
});
