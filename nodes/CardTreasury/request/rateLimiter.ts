import type { Clock } from '../../shared/clock';
import { SERVICE_RATE } from '../../shared/serviceRate';

/** Window of the service's limit: a second (§8) plus a margin for network delays. */
const WINDOW_MS = 1_024;

/** Factor by which a 429 reduces the rate of this process. Several processes thus find their shares of the limit. */
const REDUCTION = 0.85;

/** Growth of the rate in the first second after a 429, relative to the rate. */
const GROWTH = 0.01;

/**
 * Seconds without a 429 after which the growth has tripled. The full rate is back 9 s after a single 429, and within a
 * minute from the lowest rate.
 */
const HASTE_SECONDS = 10;

/** Lowest rate in requests per second. Not 0, so that a recovery of the service is noticed. */
const LOWEST_RATE = 0.5;

/** Shortest pause of all groups after a 429. Needed because the service may count rejected requests in its window. */
const SHORTEST_PAUSE_MS = 200;

/** Longest pause after a 429. Limited, so that a Retry-After of hours does not block every execution. */
const LONGEST_PAUSE_MS = 60_000;

/**
 * Requests of one run of a node. The rate limiter serves groups in turn, and Stop ends a whole group. A group adds only
 * one listener to the execution's signal, because Node warns above ten.
 */
export class RequestGroup {
	private readonly waits = new Set<() => void>();
	private halted = false;
	/** Earliest start of the group's next request, at the group's own rate. Set by the rate limiter. */
	dueAt = -Infinity;

	/** @param signal aborts when the execution is stopped */
	constructor(private readonly signal?: AbortSignal) {
		signal?.addEventListener('abort', this.halt);
	}

	get stopped(): boolean {
		return this.halted || this.signal?.aborted === true;
	}

	/** Stops the group: no further request starts. */
	readonly halt = (): void => {
		this.halted = true;
		for (const end of [...this.waits]) end();
	};

	/**
	 * Calls `end` when the group is stopped.
	 * @returns a function that unsubscribes
	 */
	onStop(end: () => void): () => void {
		this.waits.add(end);
		return () => {
			this.waits.delete(end);
		};
	}

	/** Waits for `ms`, or until the group is stopped. */
	async wait(clock: Clock, ms: number): Promise<void> {
		if (this.stopped) return;
		const stopped = new AbortController();
		const forget = this.onStop(() => stopped.abort());
		await clock.wait(ms, stopped.signal);
		forget();
	}

	/** Removes the listener from the execution's signal, because the signal outlives the run of the node. */
	close(): void {
		this.signal?.removeEventListener('abort', this.halt);
	}
}

/** Permission to start a request. */
export interface Start {
	/** Start time on the limiter's clock, in milliseconds. */
	at: number;
}

interface Waiter {
	/** Requests per second of the group. */
	rate: number;
	resolve: (start: Start | undefined) => void;
}

interface Queue {
	/** Repeated requests, served first because their total time is limited. */
	repeated: Waiter[];
	fresh: Waiter[];
	/** Stops listening to the group. */
	forget: () => void;
}

/**
 * Starts requests to one host within the service's limit (§8). Requests are evenly spaced, and groups take turns. Each
 * group also keeps to its own rate.
 */
export class RateLimiter {
	/** Queue of each group. The first group in the map is next. */
	private readonly queues = new Map<RequestGroup, Queue>();
	/** Start times of the latest requests, oldest first. Holds as many as one window allows. */
	private starts: number[] = [];
	/** Earliest start of the next request by the current rate. */
	private dueAt = -Infinity;
	private pausedUntil = -Infinity;
	private reduced = { rate: SERVICE_RATE, at: -Infinity };
	private running = false;
	private sleep: { until: number; end: AbortController } | undefined;

	constructor(private readonly clock: Clock) {}

	/**
	 * Waits until a request of `group` may start.
	 * @param rate requests per second of the group
	 * @returns undefined if the group was stopped first
	 */
	async acquire(group: RequestGroup, rate: number, repeated = false): Promise<Start | undefined> {
		if (group.stopped) return undefined;
		return await new Promise((resolve) => {
			const queue = this.queues.get(group) ?? this.open(group);
			queue[repeated ? 'repeated' : 'fresh'].push({ rate, resolve });
			if (this.sleep && Math.max(group.dueAt, this.earliest()) < this.sleep.until) {
				this.sleep.end.abort();
			}
			void this.run();
		});
	}

	/**
	 * Reduces the rate after a 429, and pauses all groups. Only a request that started after the last reduction reduces
	 * the rate again, because requests in flight together report the same overload.
	 */
	onRateLimited(start: Start, retryAfterMs = 0): void {
		const now = this.clock.now();
		if (start.at > this.reduced.at) {
			this.reduced = { rate: Math.max(LOWEST_RATE, this.rate(now) * REDUCTION), at: now };
		}
		const pause = Math.min(Math.max(retryAfterMs, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
		this.pausedUntil = Math.max(this.pausedUntil, now + pause);
	}

	private open(group: RequestGroup): Queue {
		const forget = group.onStop(() => {
			this.queues.delete(group);
			forget();
			for (const { resolve } of [...queue.repeated, ...queue.fresh]) resolve(undefined);
			this.sleep?.end.abort();
		});
		const queue: Queue = { repeated: [], fresh: [], forget };
		this.queues.set(group, queue);
		return queue;
	}

	private async run(): Promise<void> {
		if (this.running) return;
		this.running = true;
		while (this.queues.size > 0) {
			const now = this.clock.now();
			const queues = [...this.queues];
			const until = Math.max(this.earliest(), Math.min(...queues.map(([{ dueAt }]) => dueAt)));
			if (until > now) {
				this.sleep = { until, end: new AbortController() };
				await this.clock.wait(until - now, this.sleep.end.signal);
				this.sleep = undefined;
				continue;
			}
			const next = queues.find(([{ dueAt }]) => dueAt <= now);
			if (next) this.startOne(...next, now);
		}
		this.running = false;
	}

	private startOne(group: RequestGroup, queue: Queue, now: number): void {
		const waiter = queue.repeated.shift() ?? queue.fresh.shift();
		if (!waiter) return;
		// The group moves to the end of the map, so that a large batch never starves a single request.
		this.queues.delete(group);
		if (queue.repeated.length + queue.fresh.length > 0) this.queues.set(group, queue);
		else queue.forget();
		group.dueAt = nextStart(group.dueAt, now, waiter.rate);
		this.dueAt = nextStart(this.dueAt, now, this.rate(now));
		this.starts = [...this.starts, now].slice(-SERVICE_RATE);
		waiter.resolve({ at: now });
	}

	/** Current rate of this process, in requests per second. */
	private rate(now: number): number {
		const { rate, at } = this.reduced;
		const quiet = (now - at) / 1_000;
		return Math.min(SERVICE_RATE, rate * (1 + GROWTH) ** (quiet * (1 + quiet / HASTE_SECONDS)));
	}

	/** Earliest start of the next request of any group. */
	private earliest(): number {
		const [oldest = -Infinity] = this.starts.length < SERVICE_RATE ? [] : this.starts;
		return Math.max(this.pausedUntil, this.dueAt, oldest + WINDOW_MS);
	}
}

/**
 * Returns the next start at an even pace. A start that is late by less than one interval does not delay the next one.
 */
function nextStart(dueAt: number, now: number, rate: number): number {
	const spacing = 1_000 / rate;
	return (now - dueAt > spacing ? now : dueAt) + spacing;
}

/** Returns the limiter of a host. */
export type RateLimiters = (host: string) => RateLimiter;

/**
 * Creates one limiter per host for all executions of the process, because the service counts per IP address and company
 * (§8).
 */
export function createRateLimiters(clock: Clock): RateLimiters {
	const limiters = new Map<string, RateLimiter>();
	return (host) => {
		const limiter = limiters.get(host) ?? new RateLimiter(clock);
		limiters.set(host, limiter);
		return limiter;
	};
}
