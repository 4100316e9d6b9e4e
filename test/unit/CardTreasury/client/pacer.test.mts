import fc from 'fast-check';

import { Lane } from '../../../../nodes/CardTreasury/request/lane.ts';
import { Pacer, SERVICE_RATE } from '../../../../nodes/CardTreasury/request/pacer.ts';
import { FakeClock } from './fakeClock.mts';

let clock: FakeClock;
let pacer: Pacer;
/** Start times by lane, in the order of starting. */
let started: Array<{ lane: Lane; at: number }>;

beforeEach(() => {
	clock = new FakeClock();
	pacer = new Pacer(clock);
	started = [];
});

function ask(lane = new Lane(), count = 1, rate = SERVICE_RATE): Array<Promise<boolean>> {
	return Array.from({ length: count }, async () => {
		const go = (await pacer.turn(lane, rate)) !== undefined;
		if (go) started.push({ lane, at: clock.now() });
		return go;
	});
}

/** A 429 for a request that starts now. */
const hit = (retryAfterMs?: number) =>
	pacer.limitHit({ lane: new Lane(), at: clock.now(), heldUp: 0 }, retryAfterMs);

/** The most starts in any window of so many milliseconds. */
function most(windowMs: number, times = started.map(({ at }) => at)): number {
	return Math.max(
		0,
		...times.map((from) => times.filter((at) => at >= from && at < from + windowMs).length),
	);
}

it('lets a single request start at once', async () => {
	ask();
	await clock.runUntil(0);
	expect(started).toHaveLength(1);
});

it('runs 300 requests within the limit and at 0.97 of it', async () => {
	ask(undefined, 300);
	await clock.runUntil();
	expect(started).toHaveLength(300);
	expect(most(1_000)).toBe(SERVICE_RATE);
	expect(299 / (started.at(-1)!.at / 1_000)).toBeGreaterThan(0.97 * SERVICE_RATE);
});

it('never starts more than 15 in any second, whenever and from wherever they are asked for', async () => {
	const batch = fc.record({
		at: fc.integer({ min: 0, max: 20_000 }),
		count: fc.integer({ min: 1, max: 60 }),
		rate: fc.integer({ min: 1, max: 15 }),
	});
	await fc.assert(
		fc.asyncProperty(
			fc.array(batch, { minLength: 1, maxLength: 8 }),
			fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 3 }),
			async (batches, hits) => {
				clock = new FakeClock();
				pacer = new Pacer(clock);
				started = [];
				const asked = batches.map(async ({ at, count, rate }) => {
					await clock.wait(at);
					await Promise.all(ask(undefined, count, rate));
				});
				const limited = hits.map(async (at) => {
					await clock.wait(at);
					hit();
				});
				await clock.runUntil();
				await Promise.all([...asked, ...limited]);
				expect(started).toHaveLength(batches.reduce((total, { count }) => total + count, 0));
				expect(most(1_000)).toBeLessThanOrEqual(SERVICE_RATE);
			},
		),
		{ numRuns: 60 },
	);
});

it.each([0.5, 1, 4.5, 7])('keeps to %d per second when that is asked for', async (rate) => {
	ask(undefined, 30, rate);
	await clock.runUntil();
	const seconds = started.at(-1)!.at / 1_000;
	expect(29 / seconds).toBeLessThanOrEqual(rate);
	expect(29 / seconds).toBeGreaterThan(rate * 0.9);
});

it('gives a single request its turn before a batch that came first', async () => {
	const [batch, single] = [new Lane(), new Lane()];
	ask(batch, 100);
	await clock.runUntil(1_000);
	ask(single);
	await clock.runUntil();
	const place = started.findIndex(({ lane }) => lane === single);
	const before = started.filter(({ at }) => at <= 1_000).length;
	expect(place - before).toBeLessThanOrEqual(1);
	expect(started).toHaveLength(101);
});

it('shares between two batches in turn', async () => {
	const [left, right] = [new Lane(), new Lane()];
	ask(left, 50);
	ask(right, 50);
	await clock.runUntil();
	const first = started.slice(0, 40).filter(({ lane }) => lane === left).length;
	expect(first).toBe(20);
});

it('ends the wait of a stopped execution, and goes on with the others', async () => {
	const stop = new AbortController();
	const stopping = new Lane(stop.signal);
	const stopped = Promise.all(ask(stopping, 40));
	ask(undefined, 40);
	await clock.runUntil(1_000);
	stop.abort();
	const before = started.length;
	const answers = await stopped;
	expect(answers.filter((go) => !go).length).toBeGreaterThan(20);
	await clock.runUntil();
	expect(started.length - before).toBe(40 - (before - answers.filter((go) => go).length));
	expect(await pacer.turn(stopping, SERVICE_RATE)).toBeUndefined();
});

it('makes everybody wait after a 429, and gets back to the full rate', async () => {
	ask(undefined, 10);
	await clock.runUntil(300);
	hit(2_000);
	const before = started.length;
	ask(undefined, 300);
	await clock.runUntil(2_299);
	expect(started).toHaveLength(before);
	await clock.runUntil(3_299);
	// Half the rate at first …
	expect(started.length - before).toBeLessThanOrEqual(9);
	expect(started.length - before).toBeGreaterThanOrEqual(7);
	await clock.runUntil();
	// … and the whole of it ten seconds later.
	const late = started.filter(({ at }) => at > 12_500).map(({ at }) => at);
	expect(most(1_000, late)).toBe(SERVICE_RATE);
});

it('waits longer from one 429 to the next, but takes those of one moment for one', async () => {
	const pauseAfter = async (hits: number) => {
		for (let count = 0; count < hits; count++) hit();
		const from = clock.now();
		started = [];
		ask();
		await clock.runUntil();
		return started[0]!.at - from;
	};
	expect(await pauseAfter(15)).toBeLessThanOrEqual(1_000);
	await clock.runUntil(clock.now() + 1_000);
	expect(await pauseAfter(1)).toBeGreaterThanOrEqual(1_000);
	await clock.runUntil(clock.now() + 1_000);
	expect(await pauseAfter(1)).toBeGreaterThanOrEqual(2_000);
});

it.each([3, 5, 7, 10, 14])(
	'finds its way to a share of %d per second of the limit, and no request is refused until its tries run out',
	async (share) => {
		let accepted: number[] = [];
		let worst = 0;
		/** What the service does whose limit others use as well. */
		async function send(lane: Lane, tries = 1): Promise<void> {
			worst = Math.max(worst, tries);
			const start = (await pacer.turn(lane, SERVICE_RATE))!;
			await clock.wait(50);
			accepted = accepted.filter((at) => at > clock.now() - 1_000);
			const taken = accepted.length < share;
			if (taken) accepted.push(clock.now());
			await clock.wait(50);
			if (taken) return pacer.answered(start);
			pacer.limitHit(start);
			await send(lane, tries + 1);
		}
		const lane = new Lane();
		const all = Promise.all(Array.from({ length: 400 }, async () => await send(lane)));
		await clock.runUntil();
		await all;
		expect(400 / (clock.now() / 1_000)).toBeGreaterThan(share * 0.6);
		expect(worst).toBeLessThanOrEqual(4);
	},
);

it('is not held up for hours by what a 429 asks for', async () => {
	hit(24 * 3_600_000);
	ask();
	await clock.runUntil(60_000);
	expect(started).toHaveLength(1);
});

describe('stays within the limit as the service sees it', () => {
	/** How long a request is held up on its way, and its answer on the way back. */
	interface Trip {
		there: number;
		back: number;
	}

	/** Sends requests while the process is busy at times; gives their arrivals. */
	async function arrivalsOf(
		trips: Trip[],
		busy: Array<{ at: number; ms: number }>,
	): Promise<number[]> {
		clock = new FakeClock();
		pacer = new Pacer(clock);
		const arrivals: number[] = [];
		const lane = new Lane();
		const blocked = busy.map(async ({ at, ms }) => {
			await clock.wait(at);
			clock.block(ms);
		});
		const all = trips.map(async ({ there, back }) => {
			const start = await pacer.turn(lane, SERVICE_RATE);
			await clock.wait(there);
			arrivals.push(clock.now());
			await clock.wait(100 + back);
			pacer.answered(start!);
		});
		await clock.runUntil();
		await Promise.all([...all, ...blocked]);
		return arrivals;
	}

	it('when requests are held up on their way', async () => {
		const trips = fc.array(
			fc.record({ there: fc.constantFrom(0, 0, 0, 5, 20, 40, 60), back: fc.constant(0) }),
			{ minLength: 60, maxLength: 60 },
		);
		await fc.assert(
			fc.asyncProperty(trips, async (held) => {
				expect(most(1_000, await arrivalsOf(held, []))).toBeLessThanOrEqual(SERVICE_RATE);
			}),
			{ numRuns: 60 },
		);
	});

	it('when the network holds a few of them up for longer', async () => {
		const quick = { there: 0, back: 0 };
		// One in five seconds, and those that start behind it are held up with it.
		const stall = fc
			.integer({ min: 1, max: 250 })
			.map((ms) =>
				[ms, ms - 60, ms - 120, ms - 180].map((there) => ({ there: Math.max(0, there), back: 0 })),
			);
		const trips = fc
			.array(stall, { minLength: 1, maxLength: 4 })
			.map((stalls) => stalls.flatMap((held) => [...Array<Trip>(71).fill(quick), ...held]));
		await fc.assert(
			fc.asyncProperty(trips, async (held) => {
				expect(most(1_000, await arrivalsOf(held, []))).toBeLessThanOrEqual(SERVICE_RATE);
			}),
			{ numRuns: 60 },
		);
	});

	it('when even the quickest answer was held up a little', async () => {
		const trips = fc.array(
			fc.constantFrom(
				{ there: 0, back: 8 },
				{ there: 0, back: 15 },
				{ there: 8, back: 0 },
				{ there: 60, back: 0 },
			),
			{ minLength: 60, maxLength: 60 },
		);
		await fc.assert(
			fc.asyncProperty(trips, async (held) => {
				expect(most(1_000, await arrivalsOf(held, []))).toBeLessThanOrEqual(SERVICE_RATE);
			}),
			{ numRuns: 60 },
		);
	});

	it('and loses a tenth of its speed at most when the answers take now more, now less time', async () => {
		const trips = fc.array(
			fc.record({ there: fc.constant(0), back: fc.integer({ min: 0, max: 900 }) }),
			{ minLength: 300, maxLength: 300 },
		);
		await fc.assert(
			fc.asyncProperty(trips, async (held) => {
				const arrivals = await arrivalsOf(held, []);
				expect(299 / (arrivals.at(-1)! / 1_000)).toBeGreaterThan(0.87 * SERVICE_RATE);
			}),
			{ numRuns: 20 },
		);
	});

	it('when other executions keep the process busy', async () => {
		const blocks = fc.array(
			fc.record({ at: fc.integer({ min: 0, max: 4_000 }), ms: fc.integer({ min: 1, max: 700 }) }),
			{ maxLength: 4 },
		);
		await fc.assert(
			fc.asyncProperty(blocks, async (busy) => {
				expect(
					most(1_000, await arrivalsOf(Array<Trip>(60).fill({ there: 1, back: 0 }), busy)),
				).toBeLessThanOrEqual(SERVICE_RATE);
			}),
			{ numRuns: 60 },
		);
	});
});
