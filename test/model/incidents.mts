import { setMaxListeners } from 'node:events';

import type { DatabaseFault, Fault, Happenings } from './history.mts';
import type { VirtualTime } from './virtualTime.mts';

/** One n8n process. What it has called never answers once it was killed. */
export class Process {
	alive = true;
	private tell: () => void = () => {};
	readonly died = new Promise<void>((resolve) => (this.tell = resolve));

	kill(): void {
		this.alive = false;
		this.tell();
	}
}

/** What the history lets happen, as opposed to a defect of the model, which the node would take for the same. */
export class Deliberate extends Error {}

/** Virtual milliseconds that a call of n8n or of the service takes, so that runs at the same time meet in any order. */
const latency = () => 20 + Math.floor(Math.random() * 200);

/** Counts what the node calls during one command, and lets happen to it what the history says. */
export class Incidents {
	private calls = 0;
	private requests = 0;
	private notes = 0;
	readonly stop = new AbortController();
	/** Something in the model itself that went wrong. */
	defect: unknown;

	constructor(
		private readonly given: Happenings,
		private readonly process: Process,
		private readonly time: VirtualTime,
		private readonly edit: (target: number) => void,
	) {
		// Each request listens; what the node does is not counted here.
		setMaxListeners(0, this.stop.signal);
	}

	/** A call that the node makes to the outside: `effect` is what it does there, at once. */
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
		if (!isQuick) await this.pause();
		if (!this.process.alive) return await never();
		return result;
	}

	/** Remembers what is a defect of the model. */
	async watch<Result>(work: () => Promise<Result>): Promise<Result> {
		return await work().catch(async (thrown: unknown) => {
			if (!(thrown instanceof Deliberate)) this.defect ??= thrown;
			return await Promise.reject(thrown);
		});
	}

	async pause(): Promise<void> {
		await new Promise<void>((resolve) => this.time.after(latency(), resolve));
	}

	/** A wait that a process which was killed does not survive. */
	async sleep(ms: number): Promise<void> {
		await new Promise<void>((resolve) => this.time.after(ms, resolve));
		if (!this.process.alive) await never();
	}

	/** What the next request meets. */
	nextFault(): Fault | undefined {
		const number = this.requests++;
		return this.given.faults?.find(({ at = 0, times = 1 }) => at <= number && number < at + times);
	}

	/** How n8n's database fails at the next call. */
	nextNote(): DatabaseFault | undefined {
		const number = this.notes++;
		return this.given.notes?.find(({ at = 0, times = 1 }) => at <= number && number < at + times);
	}

	/** Whether n8n, the credential or people interfere. */
	get isDisturbed(): boolean {
		const { notes = [], edited, noCredential, crash, stop } = this.given;
		return notes.length > 0 || [edited, noCredential, crash, stop].some(Boolean);
	}

	get credentialFails(): boolean {
		return this.given.noCredential === true;
	}
}

/** What was killed waits for ever. */
export const never = async (): Promise<never> => await new Promise(() => {});
