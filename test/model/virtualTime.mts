import type { Clock } from '../../nodes/shared/clock.ts';

interface Timer {
	at: number;
	ring: () => void;
}

const BEGINNING = Date.parse('2026-11-02T09:00:00Z');

/** Virtual time, which advances only on demand. A week takes no time, and a history always gives the same result. */
export class VirtualTime {
	private passed = 0;
	private timers: Timer[] = [];

	now(): number {
		return this.passed;
	}

	date(): number {
		return BEGINNING + this.passed;
	}

	pass(ms: number): void {
		this.passed += ms;
	}

	after(ms: number, ring: () => void): () => void {
		const timer = { at: this.passed + Math.max(0, ms), ring };
		this.timers.push(timer);
		return () => {
			this.timers = this.timers.filter((other) => other !== timer);
		};
	}

	/** Advances the time from timer to timer until the work has ended. */
	async until(work: Promise<unknown>): Promise<void> {
		let over = false;
		void work.finally(() => (over = true));
		for (;;) {
			// After this, everything that needs no time has run.
			await new Promise<void>((resolve) => setImmediate(resolve));
			if (over) break;
			let next: Timer | undefined;
			for (const timer of this.timers) if (next === undefined || timer.at < next.at) next = timer;
			if (next === undefined) throw new Error('Nothing happens any more, and the work is not over');
			this.timers.splice(this.timers.indexOf(next), 1);
			this.passed = Math.max(this.passed, next.at);
			next.ring();
		}
	}

	/** Clock of a process. After a kill, its waits never end. */
	clockOf(process: { alive: boolean }): Clock {
		return {
			now: () => this.now(),
			date: () => this.date(),
			wait: async (ms, signal) => {
				if (signal?.aborted) return;
				await new Promise<void>((resolve) => {
					const end = () => {
						if (process.alive) resolve();
					};
					const cancel = this.after(ms, end);
					signal?.addEventListener('abort', () => (cancel(), end()), { once: true });
				});
			},
		};
	}
}

/**
 * Runs the work with the given random numbers and without real timers. Real timeouts never fire, because the model's
 * service always answers or times out in virtual time.
 */
export async function withoutChance<Result>(
	random: () => number,
	work: () => Promise<Result>,
): Promise<Result> {
	const { timeout } = AbortSignal;
	const { random: chance } = Math;
	const { stackTraceLimit } = Error;
	const never = new AbortController().signal;
	never.addEventListener = () => {};
	AbortSignal.timeout = () => never;
	Math.random = random;
	// Stack traces of refusals are not needed, and take most of the time.
	Error.stackTraceLimit = 0;
	try {
		return await work();
	} finally {
		AbortSignal.timeout = timeout;
		Math.random = chance;
		Error.stackTraceLimit = stackTraceLimit;
	}
}
