import type { Clock } from './pacer';

/**
 * The requests of one execution of one node. Lanes take turns at the pacer, and Stop ends the waits of a whole lane.
 * It listens to n8n's signal once, however many items wait: Node warns in the log of more than ten listeners.
 */
export class Lane {
	private readonly waits = new Set<() => void>();
	private halted = false;
	/** Milliseconds of its quickest answer so far; its requests are alike, so a slower one may have arrived late. */
	quickest = Infinity;

	/** @param signal aborts when the execution is stopped */
	constructor(private readonly signal?: AbortSignal) {
		signal?.addEventListener('abort', this.halt, { once: true });
	}

	get stopped(): boolean {
		return this.halted || this.signal?.aborted === true;
	}

	/** Lets nothing more of this lane start: an item has failed, or the user has pressed Stop. */
	readonly halt = (): void => {
		this.halted = true;
		for (const end of [...this.waits]) end();
	};

	/** Calls `end` when the lane is stopped; what it returns takes that back. */
	onStop(end: () => void): () => void {
		this.waits.add(end);
		return () => {
			this.waits.delete(end);
		};
	}

	/** Waits so many milliseconds, or until the lane is stopped. */
	async wait(clock: Clock, ms: number): Promise<void> {
		if (this.stopped) return;
		const stopped = new AbortController();
		const forget = this.onStop(() => stopped.abort());
		await clock.wait(ms, stopped.signal);
		forget();
	}

	/** Leaves n8n's signal, which outlives the node's run. */
	close(): void {
		this.signal?.removeEventListener('abort', this.halt);
	}
}
