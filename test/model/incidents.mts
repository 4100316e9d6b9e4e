import { setMaxListeners } from 'node:events';

import type { DatabaseFault, Fault, Happenings } from './history.mts';
import type { VirtualTime } from './virtualTime.mts';

/** n8n process. After a kill, its calls never return. */
export class Process {
	alive = true;
	private tell: () => void = () => {};
	readonly died = new Promise<void>((resolve) => (this.tell = resolve));

	kill(): void {
		this.alive = false;
		this.tell();
	}
}

/**
 * Failure that the history asks for. Distinguishes it from a defect of the model, which the node would treat the same.
 */
export class Deliberate extends Error {}

/** Virtual duration of a call in milliseconds. Random, so that concurrent runs mix in any order. */
export const latency = () => 20 + Math.floor(Math.random() * 200);

/** Counts the node's calls during one command, and causes the failures that the generated history plans for it. */
export class Incidents {
	private calls = 0;
	private requests = 0;
	private notes = 0;
	readonly stop = new AbortController();
	/** First error of the model itself. */
	defect: unknown;

	constructor(
		readonly given: Happenings,
		/** n8n process of the command. */
		readonly process: Process,
		private readonly time: VirtualTime,
		private readonly edit: (target: number) => void,
	) {
		// Each request adds a listener, so a warning would mean nothing.
		setMaxListeners(0, this.stop.signal);
	}

	/** Makes a call of the node. `effect` runs at once. */
	async call<Result>(effect: () => Result | Promise<Result>, isQuick = false): Promise<Result> {
		const number = this.calls++;
		const { crash, stop, edited } = this.given;
		if (edited && (edited.at ?? 0) === number) this.edit(edited.target ?? 0);
		if (crash && (crash.at ?? 0) === number && crash.after !== true) this.process.kill();
		if (!this.process.alive) return await never();
		const isStopped = stop !== undefined && (stop.at ?? 0) === number;
		if (isStopped && stop.after !== true) this.stop.abort();
		const result = await effect();
		if (crash && (crash.at ?? 0) === number) this.process.kill();
		if (!this.process.alive) return await never();
		if (isStopped) this.stop.abort();
		if (!isQuick) await this.sleep(latency());
		return result;
	}

	/** Records a defect of the model. */
	async watch<Result>(work: () => Promise<Result>): Promise<Result> {
		return await work().catch(async (thrown: unknown) => {
			if (!(thrown instanceof Deliberate)) this.defect ??= thrown;
			return await Promise.reject(thrown);
		});
	}

	/** Waits. Never returns after a kill. */
	async sleep(ms: number): Promise<void> {
		await new Promise<void>((resolve) => this.time.after(ms, resolve));
		if (!this.process.alive) await never();
	}

	/** Failure of the next request, if any. */
	nextFault(): Fault | undefined {
		const number = this.requests++;
		return this.given.faults?.find(({ at = 0, times = 1 }) => at <= number && number < at + times);
	}

	/** Failure of the next call to n8n's database, if any. */
	nextNote(): DatabaseFault | undefined {
		const number = this.notes++;
		return this.given.notes?.find(({ at = 0, times = 1 }) => at <= number && number < at + times);
	}

	/** True if n8n, the credential or users interfere. */
	get isDisturbed(): boolean {
		const { notes = [], edited, noCredential, crash, stop } = this.given;
		return notes.length > 0 || [edited, noCredential, crash, stop].some(Boolean);
	}
}

/** Never returns, like a call of a killed process. */
export const never = async (): Promise<never> => await new Promise(() => {});
