import type { Clock } from '../../../../nodes/shared/clock.ts';

interface Timer {
	at: number;
	ring: () => void;
}

/** Clock that advances only on demand, so that hours pass instantly and every run is the same. */
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

	/** Advances timer by timer until `end`, or until no timer is left. */
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

	/** Simulates a busy thread: time passes, and every timer fires late. */
	block(ms: number): void {
		this.time += ms;
	}

	private ring(timer: Timer): void {
		this.timers = this.timers.filter((other) => other !== timer);
		timer.ring();
	}
}

/** Lets everything finish that needs no time to pass. */
async function settled(): Promise<void> {
	await new Promise<void>((resolve) => setImmediate(resolve));
}
