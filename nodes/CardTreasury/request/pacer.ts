import { backOff, recovering } from './backOff';
import type { Lane } from './lane';

/** Time and waiting, so that tests need neither. Milliseconds. */
export interface Clock {
	now(): number;
	/** Resolves after `ms`, or as soon as `signal` aborts. */
	wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** §8: 15 requests per second, per IP address and per company. */
export const SERVICE_RATE = 15;

/**
 * What is added to the service's second, so that requests which travel at different speeds
 * still arrive at most 15 in any one of its seconds. Costs 2.4 % of the rate.
 */
const MARGIN_MS = 24;

/** By how much the quickest answer, which the others are measured by, may have been held up itself. */
const UNSEEN_MS = 12;

/**
 * A request may also be held up where this process does not notice it: in the network, or before the service. A slow answer
 * does not tell whether it was the request that came late, so what is waited for it is limited to a share of the time.
 */
const PATIENCE = { share: 0.05, mostMs: 300 } as const;

/** A request that has been let go. */
export interface Start {
	lane: Lane;
	at: number;
	/** How long the process had been held up when it started, in milliseconds since the pacer was made. */
	heldUp: number;
	/** How long the pacer then slept: what held the process up meanwhile, and ended before, it did not notice. */
	unwatched?: number;
	/** Milliseconds until its answer; undefined while there is none. */
	took?: number;
}

/** The most that a 429 may hold everybody up for: a Retry-After of hours must not make every execution hang. */
const LONGEST_PAUSE_MS = 60_000;

interface Waiter {
	lane: Lane;
	rate: number;
	start: (started: Start) => void;
}

/**
 * Lets requests start at the pace that the service allows. One pacer serves all executions of the process that talk
 * to the same host (§8 counts by IP address and company). Starts are spread evenly over the second.
 */
export class Pacer {
	private readonly waiters: Waiter[] = [];
	/** The latest starts, oldest first. */
	private starts: Start[] = [];
	/** When the next request may start if starts are evenly spread. */
	private due = 0;
	private lastLane: Lane | undefined;
	private pausedUntil = -Infinity;
	/** 429s since the last answer to a request that started after one. */
	private limitHits = 0;
	private lastLimitHit = -Infinity;
	/** What the rate was brought down to by the last 429. */
	private rateAfterHit = Infinity;
	private running = false;
	/** By how much the pacer has woken up too late so far: other executions keep n8n's only thread busy. */
	private heldUp = 0;
	/** How long may be waited for requests that were held up elsewhere, in milliseconds, as of the latest start. */
	private patience: number = PATIENCE.mostMs;
	/** Ends the current wait, for a newcomer that may start at once or a waiter that left. */
	private wake: AbortController | undefined;

	constructor(private readonly clock: Clock) {}

	/** Resolves when a request of `lane` may start; with undefined when the lane was stopped first. */
	async turn(lane: Lane, rate: number): Promise<Start | undefined> {
		if (lane.stopped) return undefined;
		return await new Promise((resolve) => {
			const leave = () => {
				this.waiters.splice(this.waiters.indexOf(waiter), 1);
				forget();
				this.wake?.abort();
				resolve(undefined);
			};
			const forget = lane.onStop(leave);
			const start = (started: Start) => {
				forget();
				resolve(started);
			};
			const waiter: Waiter = { lane, rate, start };
			this.waiters.push(waiter);
			void this.run();
		});
	}

	/** Is told of each answer but a 429, which comes before any work is done and so is no measure. */
	answered(start: Start): void {
		if (start.at > this.lastLimitHit) this.limitHits = 0;
		start.took = this.clock.now() - start.at;
		start.lane.quickest = Math.min(start.lane.quickest, start.took);
	}

	/**
	 * Slows everyone down after a 429: a pause, then half of the rate at which it came, so that the rate settles at whatever
	 * share of the limit others leave. `retryAfterMs` is what the service asked for, if it did.
	 */
	limitHit(start: Start, retryAfterMs?: number): void {
		const now = this.clock.now();
		// Requests that were under way together report the same limit together: one step back, not many.
		if (start.at > this.lastLimitHit) {
			this.limitHits += 1;
			this.rateAfterHit = this.rate(now) / 2;
			this.lastLimitHit = now;
		}
		const pause = Math.min(LONGEST_PAUSE_MS, retryAfterMs ?? backOff(this.limitHits));
		this.pausedUntil = Math.max(this.pausedUntil, now + pause);
	}

	private async run(): Promise<void> {
		if (this.running) return;
		this.running = true;
		let free = this.clock.now();
		for (let waiter = this.next(); waiter !== undefined; waiter = this.next()) {
			const now = this.clock.now();
			const rate = this.rate(now);
			const earliest = this.earliest(rate, this.patience);
			const delay = earliest - now;
			if (delay > 0) {
				for (const start of this.starts) start.unwatched ??= delay;
				this.wake = new AbortController();
				await this.clock.wait(delay, this.wake.signal);
				this.heldUp += Math.max(0, this.clock.now() - now - delay);
				continue;
			}
			// What nothing but patience has made it wait since the one before.
			this.spendPatience(now, earliest - Math.max(free, this.earliest(rate, 0)));
			free = now;
			this.waiters.splice(this.waiters.indexOf(waiter), 1);
			this.lastLane = waiter.lane;
			const started: Start = { lane: waiter.lane, at: now, heldUp: this.heldUp };
			this.starts = [...this.starts, started].slice(-SERVICE_RATE);
			const spacing = 1000 / rate;
			// A timer that fired late by less than one place is made up for; the window below still holds.
			this.due = (now - this.due > spacing ? now : this.due) + spacing;
			waiter.start(started);
		}
		this.running = false;
	}

	/** Adds what has come since the latest start, and takes off what has just been waited. */
	private spendPatience(now: number, waited: number): void {
		const grown = this.patience + PATIENCE.share * (now - (this.starts.at(-1)?.at ?? now));
		this.patience = Math.max(0, Math.min(PATIENCE.mostMs, grown) - Math.max(0, waited));
	}

	/** The first waiter of the lane whose turn it is: a large batch never starves a single request. */
	private next(): Waiter | undefined {
		const lanes = [...new Set(this.waiters.map((waiter) => waiter.lane))];
		const last = this.lastLane ? lanes.indexOf(this.lastLane) : -1;
		const lane = lanes[(last + 1) % lanes.length];
		return this.waiters.find((waiter) => waiter.lane === lane);
	}

	/** Requests per second at the moment: the slowest setting among those who wait, less after a 429. */
	private rate(now: number): number {
		const asked = Math.min(SERVICE_RATE, ...this.waiters.map((waiter) => waiter.rate));
		return Math.min(asked, recovering(this.rateAfterHit, now - this.pausedUntil));
	}

	/** When the next request may start: evenly spread, and never too many within one second of the service. */
	private earliest(rate: number, patience: number): number {
		const few = Math.max(1, Math.floor(rate));
		const late = (start: Start) => this.lateness(start, rate, patience);
		const own = endOf(this.starts.slice(-few), few, (few / rate) * 1000, late);
		// A rate that changes, as after a 429, must not let its windows add up to more than the service takes.
		const service = endOf(this.starts, SERVICE_RATE, 1000, late);
		return Math.max(this.pausedUntil, this.due, own, service);
	}

	/**
	 * By how much a request may have arrived late, and with it the end of the service's second: at most as much as its
	 * answer was slower than the quickest of its lane, and at most as long as the process was held up since it started, and
	 * as there is patience.
	 */
	private lateness(
		{ at, heldUp, unwatched, took, lane }: Start,
		rate: number,
		patience: number,
	): number {
		if (lane.quickest === Infinity) return 0;
		const slower = (took ?? this.clock.now() - at) - lane.quickest;
		// Below the full rate the sleeps are longer, and a single late arrival exceeds nothing.
		const unnoticed = Math.max(1000 / SERVICE_RATE, rate < SERVICE_RATE ? 0 : (unwatched ?? 0));
		return Math.max(0, Math.min(slower, this.heldUp - heldUp + unnoticed + patience));
	}
}

/** When the first of so many starts is far enough in the past for another one. */
function endOf(
	starts: Start[],
	count: number,
	ms: number,
	lateness: (start: Start) => number,
): number {
	const [first] = starts;
	if (!first || starts.length < count) return -Infinity;
	return first.at + ms + Math.max(MARGIN_MS, lateness(first) + UNSEEN_MS);
}
