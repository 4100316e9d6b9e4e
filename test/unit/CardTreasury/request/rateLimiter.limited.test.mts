import { RateLimiter } from '../../../../nodes/CardTreasury/request/rateLimiter.ts';
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

describe('rate after a 429', () => {
	/** Starts per second in a period. */
	const rateBetween = (from: number, to: number) =>
		starts.times().filter((at) => at >= from && at < to).length / ((to - from) / 1_000);

	it('drops to 0.85 and recovers within nine seconds', async () => {
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

	it('drops once for all 429s of requests in flight together', async () => {
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

	it('never falls below one request in two seconds', async () => {
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
	])('pauses all groups with Retry-After %p ms for %d ms', async (retryAfter, pause) => {
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
