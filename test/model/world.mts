import atMost from 'p-limit';

import type { Journal } from '../../nodes/CardTreasury/run/result.ts';
import type { Outcome } from '../../nodes/shared/problem.ts';
import type { Code } from './code.mts';

export interface Settings {
	/** Processes of n8n, which overwrite each other's notes. */
	processes?: number;
	isEvicting?: boolean;
	hasOneJournal?: boolean;
	/** Runs send requests, which are named by their places, instead of payments. */
	isOnce?: boolean;
	/** Requests of one place have one fingerprint. */
	isBlind?: boolean;
	/** Step at which n8n is killed, instead of random ones. None if negative. */
	cutAt?: number;
	/** Factor of the payments in a run. */
	scale?: number;
	isTraced?: boolean;
}

/** Payment of a run. */
export interface Item {
	id: number;
	/** Origin of the reference: the user's data, or the workflow, which makes it anew. */
	origin: 'data' | 'anew';
	made: 'data' | 'anew' | 'edited';
	reference: string;
	/** Account, wallet, recipient, token and amount. Of a request, all that it sends. */
	values: string;
}

/** Journal, and the execution that ran first. */
type Stored = Journal & { execution: number | string };

/** Runs of the node that have ended, and its journals. */
type Progress = { round: number; journals: Record<number, Stored> };

/** Execution as it starts, or starts again from another one. */
export interface Start extends Progress {
	/** First execution of its retries. */
	root: number;
	startedAt: number;
	/** Items of each run of the node. */
	rounds: Item[][];
	from?: Execution;
	/** True if n8n has stored what the nodes before gave. */
	isStored: boolean;
	/** True if it was retried while it ran. */
	isZombie?: boolean;
}

export interface Execution extends Start {
	id: number | string;
	status: 'running' | 'success' | 'failed' | 'canceled' | 'crashed';
	process: number;
	continueOnFail: boolean;
	/** Attempts of the node (Retry On Fail). */
	tries: number;
	began: Progress;
	saves: boolean;
	/** Progress that n8n has saved. */
	saved?: Progress;
	isStopped?: boolean;
	/** True if the node fails before it looks anything up: its credential is missing. */
	isBroken?: boolean;
	hasFailed?: boolean;
	/** True for a dry run. */
	isDry?: boolean;
	/** True if its service does not answer: many requests in a row ended unknown. */
	isSilent: boolean;
	/** True if its retry has ended well. */
	isDone?: boolean;
	/** Keys of the payments that are recorded and not settled. */
	held: Set<string>;
}

/** Payment as it is sent. The `key` stands for its reference and host. */
export type Sent = { key: string; host: string; item: Item };

/** Request, numbered. Its `entry` is the execution and the item that it pays. */
export type Request = Sent & { execution: Execution; entry: string; at: number; end?: Outcome };

export type Reply = { outcome: Outcome; request?: Request };

/** What the node has shown of an item, with the numbers of requests before its run and its end. */
export type Told = Sent & { execution: Execution; began: number; ended: number } & {
	outcome: Outcome | 'not_reached';
	/** Reason of a refusal. */
	why: string;
	isProblem: boolean;
	/** True if it was accepted or came back FAILED, and settled, before this run. */
	isSettled: boolean;
};

/** Call of the node that waits: a change of notes, a request, or a turn in the rate. */
export interface Call {
	execution: Execution;
	resolve(value?: unknown): void;
	reject(error: Error): void;
	names?: string[];
	isRecord?: boolean;
	/** Notes that the process has read, and will write back. */
	read?: string[];
	sent?: Sent;
	reply?: Reply;
}

/** Seeded chance (mulberry32). */
function chanceOf(seed: number): () => number {
	return () => {
		seed = (seed + 0x6d2b79f5) | 0;
		let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
	};
}

/** State of n8n, the service and the history. */
export class World {
	readonly random;
	readonly chooseKill;
	readonly options;
	readonly settings;
	/** Notes of the node in n8n's database, oldest first. */
	notes: string[] = [];
	isEvicted = false;
	host = 'A';
	executions: Execution[] = [];
	calls: Call[] = [];
	steps = 0;
	serial = 1;
	requests: Request[] = [];
	late: Request[] = [];
	served = new Map<string, Outcome>();
	/** What was executed, and after how much was told. */
	ledger: Array<Request & { after: number }> = [];
	told: Told[] = [];
	/** Keys of the payments with uncertain notes: the database failed, or n8n was killed. */
	taint = new Set<string>();
	/** Keys of the payments that were accepted or came back FAILED, and whose `open` has gone. */
	settled = new Set<string>();
	/** First executions of those that have added a note. */
	readonly adders = new Map<string, Set<number>>();
	/** Turns of the notes, by process. */
	readonly turns = new Map<number, ReturnType<typeof atMost>>();
	violations = new Set<string>();
	trace: string[] = [];
	lines = 0;
	counts: Record<string, number> = { histories: 1, kills: 0 };
	error: unknown;
	private readonly meanings = new Map<string, { key: string; label: string; isOpen: boolean }>();

	constructor(seed: number, codes: Code[], settings: Settings) {
		this.settings = settings;
		const { scale = 1, isEvicting = false, processes = 1, isOnce = false } = settings;
		this.random = chanceOf(seed);
		this.chooseKill = chanceOf(seed + 77);
		const { pick, is } = this;
		this.options = {
			processes,
			code: pick(codes),
			notesKept: isEvicting ? 6 + this.below(16) : Infinity,
			runningAtOnce: pick([1, 3]),
			items: scale * pick([1, 2, 3, 5, 7]),
			references: scale * pick([7, 8, 12]),
			origin: pick(['data', 'data', 'mix', 'anew', 'anew'] as const),
			killed: pick([0, 0.01, 0.03, 0.06]) / scale,
			stopped: 0.005 / scale,
			databaseFails: is(0.3) ? 0.06 : 0,
			hasKeys: is(0.5) && !isOnce,
			isEdited: is(0.5),
			hasZombies: is(0.1),
			isShifted: is(0.2),
			hasEqualStarts: is(0.1),
		};
	}

	readonly below = (count: number) => Math.floor(this.random() * count);
	readonly pick = <Value,>(list: readonly Value[]) => list[this.below(list.length)]!;
	readonly is = (share: number) => this.random() < share;

	log(line: () => string): void {
		this.lines++;
		if (this.settings.isTraced) this.trace.push(line());
	}

	/** @param apart reason why it is not promised */
	violated(what: string, key: string, apart = ''): void {
		if (this.options.processes > 1) apart ||= 'two processes';
		if (this.isEvicted && !what.startsWith('3')) apart ||= 'evicted';
		const violation = apart ? `apart, ${apart}: ${what}` : what;
		this.violations.add(violation);
		this.log(() => `!! ${violation}: ${this.show([key])}`);
	}

	turnOf(process: number) {
		const turn = this.turns.get(process) ?? atMost(1);
		this.turns.set(process, turn);
		return turn;
	}

	/** Key of a payment, which is the name of its note `ref`. */
	keyOf({ reference, values }: Item, host: string): string {
		const { ref, paid, open, failed } = this.options.code.namesOf(host, reference, values);
		for (const [kind, name] of Object.entries({ ref, paid, open, failed })) {
			const label = `${kind} ${host} ${reference}${kind === 'paid' ? ` ${values}` : ''}`;
			this.meanings.set(name, { key: ref, label, isOpen: kind === 'open' });
		}
		return ref;
	}
	/** Keys of the payments with these notes. */
	keysOf(notes: string[], isOpen = false): string[] {
		const meanings = notes.flatMap((note) => this.meanings.get(note) ?? []);
		return meanings.filter((each) => each.isOpen || !isOpen).map(({ key }) => key);
	}
	show(notes: Iterable<string>): string {
		return [...notes].map((note) => this.meanings.get(note)?.label ?? 'run').join('; ');
	}

	/** Changes notes as n8n does. Returns those that were there. */
	write(notes: string[], names: string[], isRecord = false): Set<string> {
		const there = new Set(names.filter((name) => notes.includes(name)));
		if (isRecord) notes.push(...names.filter((name) => !there.has(name)));
		else for (const name of there) notes.splice(notes.indexOf(name), 1);
		for (; notes.length > this.options.notesKept; this.isEvicted = true) notes.shift();
		return there;
	}
}
