import type { Clock } from '../../nodes/CardTreasury/request/clock.ts';

interface Timer {
	at: number;
	ring: () => void;
}

const BEGINNING = Date.parse('2026-11-02T09:00:00Z');

/** Time that stands still until it is told to go on: a week passes in no time, and each history is the same each time. */
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

	/** Lets time pass, timer by timer, until the work is over. */
	async until(work: Promise<unknown>): Promise<void> {
		let over = false;
		void work.finally(() => (over = true));
		for (;;) {
			// Everything that can go on without time passing has done so after this.
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

	/** The clock of one process: one that was killed waits for ever. */
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
 * Runs the work without chance and without real timers: what waits for real time here waits for ever, since the service of
 * the model always answers, or times out in virtual time.
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
	// Nobody reads the stacks of the refusals, and they cost more than what is measured.
	Error.stackTraceLimit = 0;
	try {
		return await work();
	} finally {
		AbortSignal.timeout = timeout;
		Math.random = chance;
		Error.stackTraceLimit = stackTraceLimit;
	}
}
