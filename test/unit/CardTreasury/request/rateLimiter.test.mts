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
import { useTogether } from './sharedService.mts';

let clock: FakeClock;
let limiter: RateLimiter;
let starts: RecordedStarts;

beforeEach(() => {
	clock = new FakeClock();
	limiter = new RateLimiter(clock);
	starts = new RecordedStarts(limiter);
});

describe('pace', () => {
	it('the limiter starts 300 requests evenly, at 0.97 of the limit', async () => {
		starts.ask(undefined, 300);
		await clock.runUntil();
		expect(starts.busiest(1_024)).toBe(15);
		expect(Math.min(...gaps(starts.times()))).toBeGreaterThanOrEqual(66);
		expect(299 / (starts.times().at(-1)! / 1_000)).toBeGreaterThan(0.97 * 15);
	});

	it.each([0.1, 0.5, 1, 4.5, 7])(
		'the limiter spaces the requests of a group with %d per second evenly',
		async (rate) => {
			starts.ask(undefined, 20, rate);
			await clock.runUntil();
			for (const gap of gaps(starts.times())) expect(gap).toBeCloseTo(1_000 / rate, 6);
		},
	);

	it('the limiter catches up one place at most after a late timer', async () => {
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

	it('a slow group does not delay other groups', async () => {
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

	it("the limiter keeps a group's rate after its queue was empty", async () => {
		const group = new RequestGroup();
		starts.ask(group, 1, 0.5);
		await clock.runUntil(100);
		starts.ask(group, 1, 0.5);
		await clock.runUntil();
		expect(starts.times()).toEqual([0, 2_000]);
	});

	it('the limiter never exceeds 15 starts in any window, for any groups and times', async () => {
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
						await Promise.all(starts.turns(undefined, count, rate));
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
	it('the limiter starts a single request before an earlier batch', async () => {
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

	it('the limiter alternates between three groups', async () => {
		const groups = [new RequestGroup(), new RequestGroup(), new RequestGroup()];
		// The first request starts before the other groups ask.
		groups.forEach((group, index) => starts.ask(group, index === 0 ? 11 : 10));
		await clock.runUntil();
		const order = starts.recorded.slice(1).map(({ group }) => groups.indexOf(group));
		expect(order).toEqual(Array.from({ length: 30 }, (_, index) => index % 3));
	});

	it('the limiter starts repetitions first within their group, but not before another group', async () => {
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
	it('a stop ends the waits of the stopped group at once and continues the others', async () => {
		const stop = new AbortController();
		const [stopping, other] = [new RequestGroup(stop.signal), new RequestGroup()];
		const waits = Promise.all([
			...starts.turns(stopping, 20),
			...starts.turns(stopping, 20, 15, true),
		]);
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

	it('the limiter does not listen for a stop without waiting requests', async () => {
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

describe('group', () => {
	it('a halt ends all waits, and later ones at once', async () => {
		const clock = new FakeClock();
		const group = new RequestGroup();
		const waits = [group.wait(clock, 5_000), group.wait(clock, 9_000)];
		await clock.runUntil(100);
		group.halt();
		await Promise.all([...waits, group.wait(clock, 5_000)]);
		expect(clock.now()).toBe(100);
		expect(group.stopped).toBe(true);
	});

	it("the execution's signal stops the group", () => {
		const stop = new AbortController();
		const group = new RequestGroup(stop.signal);
		const ended = jest.fn();
		group.onStop(ended);
		expect(group.stopped).toBe(false);
		stop.abort();
		expect(group.stopped).toBe(true);
		expect(ended).toHaveBeenCalledTimes(1);
		expect(new RequestGroup(stop.signal).stopped).toBe(true);
	});

	it('a finished wait stops listening', async () => {
		const clock = new FakeClock();
		const group = new CountingGroup();
		const waited = group.wait(clock, 500);
		expect(group.listening).toBe(1);
		await clock.runUntil();
		await waited;
		expect(group.listening).toBe(0);
	});

	it('closing removes the listener from the signal', () => {
		const stop = new AbortController();
		const group = new RequestGroup(stop.signal);
		const ended = jest.fn();
		group.onStop(ended);
		group.close();
		stop.abort();
		expect(ended).not.toHaveBeenCalled();
		expect(() => new RequestGroup().close()).not.toThrow();
	});

	it('many waits add one listener to the signal', async () => {
		const stop = new AbortController();
		const listen = jest.spyOn(stop.signal, 'addEventListener');
		const clock = new FakeClock();
		const group = new RequestGroup(stop.signal);
		const waits = Array.from({ length: 50 }, async () => await group.wait(clock, 10));
		await clock.runUntil();
		await Promise.all(waits);
		expect(listen).toHaveBeenCalledTimes(1);
	});
});

describe('rate after a 429', () => {
	/** Starts per second in a period. */
	const rateBetween = (from: number, to: number) =>
		starts.times().filter((at) => at >= from && at < to).length / ((to - from) / 1_000);

	it('the rate drops to 0.85 and recovers within nine seconds', async () => {
		starts.ask(undefined, 600);
		await clock.runUntil(2_000);
		limiter.onRateLimited({ at: 1_950 });
		await clock.runUntil();
		const paused = starts.times().filter((at) => at > 2_000)[0]!;
		expect(paused).toBe(2_200);
		expect(rateBetween(2_200, 4_200)).toBeCloseTo(13, 0);
		expect(
			Math.min(...gaps(starts.times().filter((at) => at > 2_200 && at < 4_000))),
		).toBeGreaterThan(76);
		expect(
			Math.min(...gaps(starts.times().filter((at) => at > 8_000 && at < 9_000))),
		).toBeGreaterThan(66.7);
		expect(
			starts.busiest(
				1_024,
				starts.times().filter((at) => at > 11_000),
			),
		).toBe(15);
	});

	it('the rate drops once for all 429s of requests in flight together', async () => {
		const slowed = async (limits: number[]) => {
			clock = new FakeClock();
			limiter = new RateLimiter(clock);
			starts = new RecordedStarts(limiter);
			await clock.runUntil(1_000);
			for (const at of limits) limiter.onRateLimited({ at });
			starts.ask(undefined, 3);
			await clock.runUntil();
			return gaps(starts.times())[0]!;
		};
		const once = await slowed([950]);
		expect(await slowed([950, 1_000, 960])).toBe(once);
		expect(once).toBeGreaterThan(78);
		expect(once).toBeLessThan(79);
	});

	it('the rate never falls below one request in two seconds', async () => {
		for (let step = 1; step <= 60; step++) {
			await clock.runUntil(step);
			limiter.onRateLimited({ at: step });
		}
		starts.ask(undefined, 2);
		await clock.runUntil();
		expect(gaps(starts.times())[0]).toBeGreaterThan(1_990);
		expect(gaps(starts.times())[0]).toBeLessThanOrEqual(2_000);
	});

	it.each([
		[undefined, 200],
		[3_000, 3_000],
		[60_000, 60_000],
		[24 * 3_600_000, 60_000],
	])('a 429 pauses all groups with Retry-After %p ms for %d ms', async (retryAfter, pause) => {
		limiter.onRateLimited({ at: 0 }, retryAfter);
		starts.ask();
		starts.ask();
		await clock.runUntil(pause - 1);
		expect(starts.times()).toEqual([]);
		await clock.runUntil();
		expect(starts.times()[0]).toBe(pause);
	});
});

/** Processes that know nothing of each other. */
describe.each([true, false])('shared service, rejected requests count: %p', (refusedCount) => {
	it.each([
		[2, 0.88, 0.04],
		[10, 0.8, 0.16],
	])(
		'%d processes use at least %d of the limit, with at most %d rejected',
		async (processes, share, refused) => {
			const usage = await useTogether({ processes, seconds: 300, refusedCount, seed: 1 });
			expect(usage.share).toBeGreaterThanOrEqual(share);
			expect(usage.refused).toBeLessThanOrEqual(refused);
			// No request waits close to its total time of two minutes.
			expect(usage.slowestMs).toBeLessThan(20_000);
			expect(Math.min(...usage.finished)).toBeGreaterThan(0.4 * Math.max(...usage.finished));
		},
		// Simulating five minutes of ten processes takes up to a minute on a busy machine.
		120_000,
	);
});
