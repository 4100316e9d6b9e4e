import fc from 'fast-check';

import {
	createRateLimiters,
	RateLimiter,
	type Start,
} from '../../../../nodes/CardTreasury/client/rateLimiter.ts';
import { RequestGroup } from '../../../../nodes/CardTreasury/client/requestGroup.ts';
import { SERVICE_RATE } from '../../../../nodes/CardTreasury/request.ts';
import { CountingGroup } from './countingGroup.mts';
import { FakeClock } from './fakeClock.mts';
import { useTogether } from './sharedService.mts';

let clock: FakeClock;
let limiter: RateLimiter;
let started: Array<{ group: RequestGroup; at: number; repeated: boolean }>;

beforeEach(() => {
	clock = new FakeClock();
	limiter = new RateLimiter(clock);
	started = [];
});

function ask(
	group = new RequestGroup(),
	count = 1,
	rate = SERVICE_RATE,
	repeated = false,
): Array<Promise<Start | undefined>> {
	return Array.from({ length: count }, async () => {
		const start = await limiter.acquire(group, rate, repeated);
		if (start) started.push({ group, at: start.at, repeated });
		return start;
	});
}

const times = (group?: RequestGroup) =>
	started.filter((start) => group === undefined || start.group === group).map(({ at }) => at);
const gaps = (all: number[]) => all.slice(1).map((at, index) => at - all[index]!);

/** The most starts in any window of so many milliseconds. */
function busiest(windowMs: number, all = times()): number {
	return Math.max(
		0,
		...all.map((from) => all.filter((at) => at >= from && at < from + windowMs).length),
	);
}

describe('pace', () => {
	it('starts a single request at once', async () => {
		ask();
		await clock.runUntil(0);
		expect(times()).toEqual([0]);
	});

	it('starts 300 requests evenly, at 0.97 of the limit', async () => {
		ask(undefined, 300);
		await clock.runUntil();
		expect(busiest(1_024)).toBe(15);
		expect(Math.min(...gaps(times()))).toBeGreaterThanOrEqual(66);
		expect(299 / (times().at(-1)! / 1_000)).toBeGreaterThan(0.97 * 15);
	});

	it('lets two groups together start as many as one', async () => {
		ask(undefined, 100);
		ask(undefined, 100);
		await clock.runUntil();
		expect(busiest(1_024)).toBe(15);
		expect(Math.min(...gaps(times()))).toBeGreaterThanOrEqual(66);
		expect(199 / (times().at(-1)! / 1_000)).toBeGreaterThan(0.97 * 15);
	});

	it.each([0.1, 0.5, 1, 4.5, 7])(
		'spaces the requests of a group with %d per second evenly',
		async (rate) => {
			ask(undefined, 20, rate);
			await clock.runUntil();
			for (const gap of gaps(times())) expect(gap).toBeCloseTo(1_000 / rate, 6);
		},
	);

	it('makes up for a timer that rang late, but only by one place', async () => {
		ask(undefined, 8, 5);
		await clock.runUntil(250);
		clock.block(200);
		await clock.runUntil();
		expect(times()).toEqual([0, 200, 450, 600, 800, 1_000, 1_200, 1_400]);
		started = [];
		await clock.runUntil(5_000);
		ask(undefined, 3, 5);
		await clock.runUntil();
		expect(gaps(times())).toEqual([200, 200]);
	});

	it('holds nobody up when a slow group waits', async () => {
		const [slow, quick] = [new RequestGroup(), new RequestGroup()];
		ask(slow, 3, 0.1);
		await clock.runUntil(500);
		ask(quick);
		await clock.runUntil(500);
		expect(times(quick)).toEqual([500]);
		ask(quick, 30);
		await clock.runUntil();
		expect(times(quick).at(-1)).toBeLessThan(3_000);
		expect(times(slow)).toEqual([0, 10_000, 20_000]);
	});

	it('keeps a group to its own rate when its queue has run empty in between', async () => {
		const group = new RequestGroup();
		ask(group, 1, 0.5);
		await clock.runUntil(100);
		ask(group, 1, 0.5);
		await clock.runUntil();
		expect(times()).toEqual([0, 2_000]);
	});

	it('never starts more than 15 in any window, whenever and by whomever they are asked for', async () => {
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
					started = [];
					const asked = batches.map(async ({ at, count, rate }) => {
						await clock.wait(at);
						await Promise.all(ask(undefined, count, rate));
					});
					const limited = limits.map(async (at) => {
						await clock.wait(at);
						limiter.onRateLimited({ at: clock.now() });
					});
					await clock.runUntil();
					await Promise.all([...asked, ...limited]);
					expect(started).toHaveLength(batches.reduce((total, { count }) => total + count, 0));
					expect(busiest(1_024)).toBeLessThanOrEqual(15);
				},
			),
			{ numRuns: 30 },
		);
	});
});

describe('turns', () => {
	it('gives a single request its turn before a batch that came first', async () => {
		const [batch, single] = [new RequestGroup(), new RequestGroup()];
		ask(batch, 100);
		await clock.runUntil(2_000);
		const before = started.length;
		ask(single);
		await clock.runUntil();
		expect(started.findIndex(({ group }) => group === single) - before).toBeLessThanOrEqual(1);
		expect(started).toHaveLength(101);
	});

	it('gives three groups their turns one after the other', async () => {
		const groups = [new RequestGroup(), new RequestGroup(), new RequestGroup()];
		// The very first one starts before the others have asked.
		groups.forEach((group, index) => ask(group, index === 0 ? 11 : 10));
		await clock.runUntil();
		const order = started.slice(1).map(({ group }) => groups.indexOf(group));
		expect(order).toEqual(Array.from({ length: 30 }, (_, index) => index % 3));
	});

	it('takes a request for a first one when nothing else is said', async () => {
		const group = new RequestGroup();
		const order: number[] = [];
		const turn = async (number: number, repeated?: boolean) => {
			await limiter.acquire(group, SERVICE_RATE, repeated);
			order.push(number);
		};
		const turns = [turn(1), turn(2), turn(3, true)];
		await clock.runUntil();
		await Promise.all(turns);
		expect(order).toEqual([1, 3, 2]);
	});

	it('starts repetitions first within their group, in their order, and not before another group', async () => {
		const [left, right] = [new RequestGroup(), new RequestGroup()];
		ask(left, 3);
		ask(right, 2);
		const repetitions = [1, 2].map(async (number) => {
			await limiter.acquire(left, SERVICE_RATE, true);
			started.push({ group: left, at: number, repeated: true });
		});
		await clock.runUntil();
		await Promise.all(repetitions);
		expect(
			started.map(({ group, repeated, at }) => (repeated ? at : group === left ? 'left' : 'right')),
		).toEqual(['left', 1, 'right', 2, 'right', 'left', 'left']);
	});
});

describe('stop', () => {
	it('ends the waits of a stopped group at once, and goes on with the others', async () => {
		const stop = new AbortController();
		const [stopping, other] = [new RequestGroup(stop.signal), new RequestGroup()];
		const waits = Promise.all([...ask(stopping, 20), ...ask(stopping, 20, 15, true)]);
		ask(other, 40);
		await clock.runUntil(1_000);
		const begun = times(stopping).length;
		stop.abort();
		const answers = await waits;
		expect(clock.now()).toBe(1_000);
		expect(answers.filter((start) => start === undefined)).toHaveLength(40 - begun);
		await clock.runUntil();
		expect(times(other)).toHaveLength(40);
		expect(times(stopping)).toHaveLength(begun);
		expect(await limiter.acquire(stopping, SERVICE_RATE)).toBeUndefined();
	});

	it('leaves no timer behind when the last group is stopped', async () => {
		const group = new RequestGroup();
		ask(group, 2, 0.1);
		await clock.runUntil(100);
		group.halt();
		await clock.runUntil();
		expect(clock.now()).toBe(100);
		expect(limiter.idle).toBe(false);
		await clock.runUntil(1_024);
		expect(limiter.idle).toBe(true);
	});

	it('is in use while a slow group waits', async () => {
		ask(undefined, 2, 0.1);
		await clock.runUntil(5_000);
		expect(limiter.idle).toBe(false);
	});

	it('stops listening to a group that waits no more', async () => {
		const group = new CountingGroup();
		ask(group, 3);
		expect(group.listening).toBe(1);
		await clock.runUntil();
		expect(group.listening).toBe(0);
	});

	it('takes requests of other groups after a stop', async () => {
		const group = new RequestGroup();
		ask(group, 2);
		await clock.runUntil(0);
		group.halt();
		ask();
		await clock.runUntil();
		expect(started).toHaveLength(2);
	});
});

describe('after a 429', () => {
	/** Starts per second between two moments. */
	const rateBetween = (from: number, to: number) =>
		times().filter((at) => at >= from && at < to).length / ((to - from) / 1_000);

	it('goes on with 0.85 of the rate, and gets the full rate back in 17 seconds', async () => {
		ask(undefined, 600);
		await clock.runUntil(2_000);
		limiter.onRateLimited({ at: 1_950 });
		await clock.runUntil();
		const paused = times().filter((at) => at > 2_000)[0]!;
		expect(paused).toBe(2_200);
		expect(rateBetween(2_200, 4_200)).toBeCloseTo(13, 0);
		expect(Math.min(...gaps(times().filter((at) => at > 2_200 && at < 4_000)))).toBeGreaterThan(76);
		expect(Math.min(...gaps(times().filter((at) => at > 17_000 && at < 18_000)))).toBeGreaterThan(
			66.7,
		);
		expect(
			busiest(
				1_024,
				times().filter((at) => at > 19_000),
			),
		).toBe(15);
	});

	it('takes the 429s of one flight for one', async () => {
		const slowed = async (limits: number[]) => {
			clock = new FakeClock();
			limiter = new RateLimiter(clock);
			started = [];
			await clock.runUntil(1_000);
			for (const at of limits) limiter.onRateLimited({ at });
			ask(undefined, 3);
			await clock.runUntil();
			return gaps(times())[0]!;
		};
		const once = await slowed([950]);
		expect(await slowed([950, 1_000, 960])).toBe(once);
		expect(once).toBeGreaterThan(78);
		expect(once).toBeLessThan(79);
	});

	it('steps down again for a request that started after the last step', async () => {
		await clock.runUntil(1_000);
		limiter.onRateLimited({ at: 900 });
		await clock.runUntil(1_001);
		limiter.onRateLimited({ at: 1_001 });
		ask(undefined, 3);
		await clock.runUntil();
		expect(gaps(times())[0]).toBeGreaterThan(91);
		expect(gaps(times())[0]).toBeLessThan(93);
	});

	it('never goes below one request in two seconds', async () => {
		for (let step = 1; step <= 60; step++) {
			await clock.runUntil(step);
			limiter.onRateLimited({ at: step });
		}
		ask(undefined, 2);
		await clock.runUntil();
		expect(gaps(times())[0]).toBeGreaterThan(1_990);
		expect(gaps(times())[0]).toBeLessThanOrEqual(2_000);
	});

	it.each([
		[undefined, 200],
		[0, 200],
		[100, 200],
		[3_000, 3_000],
		[60_000, 60_000],
		[24 * 3_600_000, 60_000],
	])('makes everybody wait when Retry-After is %p ms: %d ms', async (retryAfter, pause) => {
		limiter.onRateLimited({ at: 0 }, retryAfter);
		ask();
		ask();
		expect(limiter.idle).toBe(false);
		await clock.runUntil(pause - 1);
		expect(times()).toEqual([]);
		await clock.runUntil();
		expect(times()[0]).toBe(pause);
	});

	it('is in use until the pause is over', async () => {
		limiter.onRateLimited({ at: 0 }, 3_000);
		await clock.runUntil(2_999);
		expect(limiter.idle).toBe(false);
		await clock.runUntil(3_000);
		expect(limiter.idle).toBe(true);
	});

	it('keeps the longest pause', async () => {
		limiter.onRateLimited({ at: 0 }, 3_000);
		limiter.onRateLimited({ at: 0 }, 1_000);
		ask();
		await clock.runUntil();
		expect(times()).toEqual([3_000]);
	});
});

/** What a limiter may lose to others that it knows nothing of. */
describe.each([true, false])(
	'on one service, where refused requests take a place: %p',
	(refusedCount) => {
		it.each([
			[1, 0.97, 0],
			[2, 0.88, 0.04],
			[5, 0.82, 0.08],
			[10, 0.82, 0.16],
		])(
			'%d processes use at least %d of the limit, and at most %d is refused',
			async (processes, share, refused) => {
				const usage = await useTogether({ processes, seconds: 300, refusedCount, seed: 1 });
				expect(usage.share).toBeGreaterThanOrEqual(share);
				expect(usage.refused).toBeLessThanOrEqual(refused);
				// None waits so long that the total time of two minutes ends it.
				expect(usage.slowestMs).toBeLessThan(20_000);
				expect(Math.min(...usage.finished)).toBeGreaterThan(0.4 * Math.max(...usage.finished));
			},
			// Five minutes of ten processes are some seconds of work on a busy machine.
			30_000,
		);
	},
);

describe('one limiter per host', () => {
	it('is the same for the same host, and another for another', () => {
		const limiterOf = createRateLimiters(clock);
		expect(limiterOf('a')).toBe(limiterOf('a'));
		expect(limiterOf('a')).not.toBe(limiterOf('b'));
		expect(createRateLimiters(clock)('a')).not.toBe(limiterOf('a'));
	});

	/** A hundred hosts, host 0 the longest unused. */
	function hundred() {
		const limiterOf = createRateLimiters(clock);
		const kept = Array.from({ length: 100 }, (_, host) => limiterOf(String(host)));
		return { limiterOf, kept };
	}

	it('keeps a hundred, and forgets the idle one that was unused the longest', () => {
		const { limiterOf, kept } = hundred();
		expect(limiterOf('0')).toBe(kept[0]);
		limiterOf('new');
		expect(limiterOf('0')).toBe(kept[0]);
		expect(limiterOf('2')).toBe(kept[2]);
		expect(limiterOf('1')).not.toBe(kept[1]);
	});

	it('does not forget one that is in use while another is idle', async () => {
		const { limiterOf, kept } = hundred();
		void kept[0]!.acquire(new RequestGroup(), SERVICE_RATE);
		await clock.runUntil(500);
		limiterOf('new');
		expect(limiterOf('0')).toBe(kept[0]);
		expect(limiterOf('1')).not.toBe(kept[1]);
	});

	it('forgets the longest unused when all are in use', async () => {
		const { limiterOf, kept } = hundred();
		kept.forEach((each) => void each.acquire(new RequestGroup(), SERVICE_RATE));
		await clock.runUntil(500);
		limiterOf('new');
		expect(limiterOf('1')).toBe(kept[1]);
		expect(limiterOf('0')).not.toBe(kept[0]);
	});
});
