import type { IExecuteFunctions } from 'n8n-workflow';

import { InvalidFieldError } from '../../shared/fields/invalidField';
import type { RecordedKeys, RecordKeys } from '../../shared/recordKeys';
import type { Beginning, Plan } from '../batch/batch';

const OPTIONS = {
	/** Per node: two for each round that writes, so three hours at one execution a second, a week at one a minute. */
	maxEntries: 20_000,
	/** A database that does not answer must not hold up payments for longer; two attempts fit in. */
	withinMs: 4_000,
};

/** What the execution's data keeps of a node's latest run that began to write. */
export interface Begun {
	/** Its execution. */
	run: string;
	/** Which state it continued: 0 is that of an execution's start. */
	state: number;
	/** How often it has begun before: rounds of a loop, an agent's calls, Retry On Fail. */
	round: number;
	/** Set where another run had continued that state, with the same plan. */
	shared?: true;
	/** Notes that may not have been stored, of rounds in which nothing was sent for that reason: they go with the next. */
	unnoted?: string[];
}

export interface Note {
	/** Tell the execution from others: its retries have the first of them, or, where a crash has lost that, the last. */
	origins: string[];
	/** When it was first started; unknown where a crash forgets it. */
	start?: number;
	/** Tells it from all others, where what was sent is known. */
	root: string;
	/** By name of the node; written to. */
	begun: Record<string, Begun>;
	/** Epoch milliseconds. */
	now(): number;
}

export type ContinueOnce = (n8n: IExecuteFunctions, note: Note, plan: Plan) => Promise<Beginning>;

/**
 * A state of an execution is continued once. Notes in n8n's database, before a node's first write in an execution, which
 * state it continues, so that the next one to continue the same state knows that what was sent since is not known to it:
 * the retry of an execution that crashed, a second retry, a second click. Each later round has a note too: what n8n had
 * stored before a crash (at a Wait, or by Save Execution Progress) may be older than the last round.
 * A note refuses retries only: executions that start in the same millisecond share their first state.
 *
 * One that sends nothing but the same requests under the same keys may go on: the service's memory keeps it safe.
 */
export function createContinueOnce(recordKeys: RecordKeys): ContinueOnce {
	// An agent may call several times at once, and each of its calls has to find what the one before has noted.
	const runs = new WeakMap<Note['begun'], { turn: Promise<unknown>; refused: Set<string> }>();
	return async (n8n, note, plan) => {
		const run = runs.get(note.begun) ?? { turn: Promise.resolve(), refused: new Set() };
		runs.set(note.begun, run);
		const turn = run.turn.then(async () => await begin(n8n, note, plan, recordKeys, run.refused));
		run.turn = turn;
		return await turn;
	};
}

/** Never throws. */
async function begin(
	n8n: IExecuteFunctions,
	{ begun, origins, root, start, now }: Note,
	plan: Plan,
	recordKeys: RecordKeys,
	refused: Set<string>,
): Promise<Beginning> {
	const run = n8n.getExecutionId();
	// Without an execution there is nothing that could be continued; n8n stores no notes for a workflow that is not saved.
	if (run === undefined || !n8n.getWorkflow().id) return { kind: 'first' };
	const { name } = n8n.getNode();
	const inThisRun = `${run} ${name}`;
	// A node behind an error output, or an agent's other tool, would send in its place what another one may not send again.
	const isInItsPlace = refused.has(run) && !(plan.allKeyed && plan.allOwn);
	// Asking leaves notes, and the oldest go: a loop that is refused does not ask again in each round.
	if (isInItsPlace || refused.has(inThisRun)) return { kind: 'refused', why: continued(plan) };
	const record: WriteNotes = async (...notes) => await recordKeys(n8n, notes, OPTIONS);
	const isRetry = n8n.getMode() === 'retry';
	// A node may be called `constructor`.
	const latest = Object.hasOwn(begun, name) ? begun[name] : undefined;
	const isOwn = latest?.run === run;
	// What a run that shares its state with another one knows is not all that was sent since.
	const goesOn = latest !== undefined && !isOwn && !latest.shared;
	const state = (latest?.state ?? 0) + (goesOn ? 1 : 0);
	const round = isOwn ? latest.round + 1 : 0;
	// Who asks for more than the very first round has the record of it, and so the root.
	const notesOf = (at: number, nth: number) =>
		(at === 0 && nth === 0 ? origins : [root]).map((of) => `round ${of} ${at} ${nth}`);
	const own = notesOf(state, round);
	const unnoted = (isOwn && latest.unnoted) || [];
	// Of the run before: whether it has begun once more than it knows of itself.
	const next = goesOn ? notesOf(latest.state, latest.round + 1) : [];
	// In one write: who is killed between the question and the claim would have asked in vain.
	const noted = isOwn && latest.shared ? undefined : await record(...unnoted, ...next, ...own);
	if (noted === 'unknown') {
		if (isRetry && !isOwn) return { kind: 'refused', why: notNoted() };
		begun[name] = { run, state, round, unnoted: [...unnoted, ...own] };
		return { kind: 'not noted', why: notNoted() };
	}
	const fresh: Array<string | undefined> = noted?.fresh ?? [];
	const isFirst = fresh.includes(own[0]);
	// By now nobody else has asked for the next one: who does leaves its own note too.
	const wasCutOff = goesOn && isFirst && !fresh.includes(next[0]);
	const at = wasCutOff ? state - 1 : state;
	const plansOf = (time: number, nth: number) =>
		(at === 0 ? origins : [root]).map(
			(of) => `plan ${of} ${at} ${plan.fingerprint} ${plan.windowMs} ${time} ${nth}`,
		);
	const partMs = plan.windowMs / PARTS;
	const time = Math.floor(now() / partMs);
	if (isOwn ? !latest.shared : !isRetry || (isFirst && !wasCutOff)) {
		// Only now: a plan that was noted and not begun would let another run take it for its own.
		if (plan.allKeyed) await record(...plansOf(time, 1));
		begun[name] = { run, state, round };
		return { kind: 'first' };
	}
	// A note that is older than the service's memory does not count, and none is older than the execution.
	const oldest = Math.max(time - PARTS + 1, Math.floor((start ?? 0) / partMs));
	const length = plan.allKeyed ? Math.max(1, time - oldest + 1) : 0;
	const times = Array.from({ length }, (_, ago) => time - ago);
	const close = async () => isOwn || wasCutOff || isNew(await record(...notesOf(at + 1, 0)));
	const planOf = (then: number, nth: number) => plansOf(then, nth)[0]!;
	const then = await share(record, planOf, times, close);
	if (then === 'unknown') return { kind: 'refused', why: notNoted() };
	if (then === undefined) {
		if (!isOwn) refused.add(inThisRun).add(run);
		return { kind: 'refused', why: continued(plan) };
	}
	begun[name] = { run, state: at, round, shared: true };
	return { kind: 'same', since: then * partMs };
}

/** In so many parts of the window a note says when its plan was sent; of a day, three hours each. */
const PARTS = 8;

type WriteNotes = (...notes: string[]) => Promise<RecordedKeys | 'unknown'>;

const isNew = (found: RecordedKeys | 'unknown') => found !== 'unknown' && found.fresh.length > 0;

/** How many runs of one plan are looked through. */
const MAX_RUNS = 50;

/**
 * Adds a run to those with the same plan. n8n offers no reading alone: what is asked for is there afterwards. So each run
 * leaves its note, each is asked for together with a mark that says so, and one that was there without its mark is a run's.
 * @param close after the first run: whoever has gone on from it may have sent the rest under other keys, and from now on
 * nobody can. False where somebody has
 * @returns when the first run began, if there was one
 */
async function share(
	record: WriteNotes,
	note: (time: number, nth: number) => string,
	times: number[],
	close: () => Promise<boolean>,
): Promise<number | 'unknown' | undefined> {
	let left = times;
	for (let nth = 1; nth <= MAX_RUNS && left.length > 0; nth++) {
		const asked = (time: number) => `${note(time, nth)}?`;
		const found = await record(...left.flatMap((time) => [note(time, nth), asked(time)]));
		if (found === 'unknown') return found;
		left = left.filter((time) => !found.fresh.includes(note(time, nth)));
		const time = left.find((then) => found.fresh.includes(asked(then)));
		if (time === undefined) continue;
		if (nth === 1 && !(await close())) return undefined;
		await record(note(time, nth + 1));
		return time;
	}
	return undefined;
}

const notNoted = () =>
	new InvalidFieldError(
		'This execution',
		"was not begun, because n8n's database could not note that it begins to write: without the note, another retry could send everything again",
		'Retry when the database works.',
	);

function continued({ allOwn }: Plan): InvalidFieldError {
	const keys = allOwn
		? 'A new execution is safe only with the same Idempotency Keys as then, as long as the service remembers them.'
		: 'With keys of your own from the start, such as an order number, a retry is safe as long as the service remembers them.';
	return new InvalidFieldError(
		'This retry',
		'continues an execution that was continued before, or that seems to have been cut off while it was sending',
		`If the execution was retried before, retry its latest retry instead. Otherwise find out what was executed (wait for the events, or ask the provider), and start a new execution for the rest. ${keys}`,
	);
}
