import type { Clock } from '../../../../nodes/CardTreasury/request/clock.ts';

interface Timer {
	at: number;
	ring: () => void;
}

/** A clock that stands still until it is told to go on: hours pass in no time, and every run is the same. */
export class FakeClock implements Clock {
	private time = 0;
	private timers: Timer[] = [];

	now(): number {
		return this.time;
	}

	date(): number {
		return Date.parse('2026-11-21T10:00:00Z') + this.time;
	}

	async wait(ms: number, signal?: AbortSignal): Promise<void> {
		if (signal?.aborted) return;
		await new Promise<void>((resolve) => {
			const timer = { at: this.time + Math.max(0, ms), ring: resolve };
			this.timers.push(timer);
			signal?.addEventListener('abort', () => this.ring(timer), { once: true });
		});
	}

	/** Lets time pass, timer by timer, until `end` or until nobody waits any more. */
	async runUntil(end = Infinity): Promise<void> {
		for (;;) {
			await settled();
			const [next] = this.timers.sort((left, right) => left.at - right.at);
			if (next === undefined || next.at > end) break;
			this.time = Math.max(this.time, next.at);
			this.ring(next);
		}
		if (end !== Infinity) this.time = Math.max(this.time, end);
	}

	/** Keeps the only thread busy: time passes, and every timer rings late. */
	block(ms: number): void {
		this.time += ms;
	}

	private ring(timer: Timer): void {
		this.timers = this.timers.filter((other) => other !== timer);
		timer.ring();
	}
}

/** Everything that can go on without time passing has done so. */
async function settled(): Promise<void> {
	await new Promise<void>((resolve) => setImmediate(resolve));
}
