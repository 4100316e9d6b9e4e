import type { Clock } from './transport';

/**
 * The requests of one run of a node. Groups take turns at the rate limiter, and are stopped as a whole. A group listens
 * to the execution's signal once, however many items wait: Node warns above ten listeners.
 */
export class RequestGroup {
	private readonly waits = new Set<() => void>();
	private halted = false;
	/** When its next request may start at its own rate; set by the rate limiter. */
	dueAt = -Infinity;

	/** @param signal aborts when the execution is stopped */
	constructor(private readonly signal?: AbortSignal) {
		signal?.addEventListener('abort', this.halt, { once: true });
	}

	get stopped(): boolean {
		return this.halted || this.signal?.aborted === true;
	}

	/** Lets nothing more of this group start: an item has failed, or the user has pressed Stop. */
	readonly halt = (): void => {
		this.halted = true;
		for (const end of [...this.waits]) end();
	};

	/** Calls `end` when the group is stopped. @returns a function that unsubscribes */
	onStop(end: () => void): () => void {
		this.waits.add(end);
		return () => {
			this.waits.delete(end);
		};
	}

	/** Waits so many milliseconds, or until the group is stopped. */
	async wait(clock: Clock, ms: number): Promise<void> {
		if (this.stopped) return;
		const stopped = new AbortController();
		const forget = this.onStop(() => stopped.abort());
		await clock.wait(ms, stopped.signal);
		forget();
	}

	/** Leaves the execution's signal, which outlives the node's run. */
	close(): void {
		this.signal?.removeEventListener('abort', this.halt);
	}
}
