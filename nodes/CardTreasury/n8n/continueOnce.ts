import type { IExecuteFunctions } from 'n8n-workflow';

import type { RecordedKeys, RecordKeys } from '../../n8n/recordKeys';
import type { Beginning, Plan } from '../batch/batch';
import { InvalidFieldError } from '../../fields/invalidField';

/** Per node: two for each round that writes, so three hours at one execution a second, a week at one a minute. */
const MAX_NOTES = 20_000;

/** A database that does not answer must not hold up payments for longer; two attempts fit in. */
const NOTE_MS = 4_000;

const OPTIONS = { maxEntries: MAX_NOTES, withinMs: NOTE_MS };

/** What the execution's data keeps of a node's latest run that began to write. */
export interface Begun {
	/** Its execution. */
	run: string;
	/** Which state it continued: 0 is that of an execution's start. */
	state: number;
	/** Set where another run had continued that state, with the same plan. */
	shared?: true;
}

export interface Note {
	/** Moment in which the execution was first started: its retries keep it, also after a crash. */
	start: number | undefined;
	/** By name of the node; written to. */
	begun: Record<string, Begun>;
	/** Epoch milliseconds. */
	now(): number;
}

export type ContinueOnce = (n8n: IExecuteFunctions, note: Note, plan: Plan) => Promise<Beginning>;

/**
 * A state of an execution is continued once. Notes in n8n's database, before a node's first write in an execution, which
 * state it continues, so that the next one to continue the same state knows that what was sent since is not known to it:
 * the retry of an execution that crashed, a second retry, a second click. A note refuses retries only: executions that
 * start in the same millisecond share their first state.
 *
 * One that sends nothing but the same requests under the same keys may go on: the service's memory keeps it safe.
 */
export function createContinueOnce(recordKeys: RecordKeys): ContinueOnce {
	// An agent may call several times at once, and each of its calls has to find what the one before has noted.
	const turns = new WeakMap<Note['begun'], Promise<unknown>>();
	return async (n8n, note, plan) => {
		const turn = (turns.get(note.begun) ?? Promise.resolve()).then(
			async () => await begin(n8n, note, plan, recordKeys),
		);
		turns.set(note.begun, turn);
		return await turn;
	};
}

/** Never throws. */
async function begin(
	n8n: IExecuteFunctions,
	{ begun, start = 0, now }: Note,
	plan: Plan,
	recordKeys: RecordKeys,
): Promise<Beginning> {
	const run = n8n.getExecutionId();
	// Without an execution there is nothing that could be continued; n8n stores no notes for a workflow that is not saved.
	if (run === undefined || !n8n.getWorkflow().id) return { kind: 'first' };
	const record: WriteNotes = async (...notes) => await recordKeys(n8n, notes, OPTIONS);
	const { name } = n8n.getNode();
	const latest = begun[name];
	const isBegun = latest?.run === run;
	// What a run that shares its state with another one knows is not all that was sent since.
	const state = latest ? latest.state + (isBegun || latest.shared ? 0 : 1) : 0;
	const stateNote = (number: number) => `state ${start} ${number}`;
	const noteOfPlan = (hour: number, nth: number) =>
		`plan ${start} ${state} ${plan.fingerprint} ${plan.windowMs} ${hour} ${nth}`;
	const hourMs = plan.windowMs / HOURS;
	const hour = Math.floor(now() / hourMs);
	const isRetry = n8n.getMode() === 'retry';
	const noted = isBegun ? undefined : await record(stateNote(state));
	if (noted === 'unknown') return { kind: isRetry ? 'refused' : 'not noted', why: notNoted() };
	if (isBegun ? !latest.shared : !isRetry || noted?.fresh.length === 1) {
		// Only now: a plan that was noted and not begun would let another run take it for its own.
		if (plan.allKeyed) await record(noteOfPlan(hour, 1));
		begun[name] = { run, state };
		return { kind: 'first' };
	}
	// A note that is older than the service's memory does not count.
	const hours = Array.from({ length: plan.allKeyed ? HOURS : 0 }, (_, ago) => hour - ago);
	const found = await findRun(record, noteOfPlan, hours);
	// Who has gone on from the first run may have sent the rest under other keys; from now on nobody can.
	const isClosed = found?.nth === 1 && !isBegun && !isNew(await record(stateNote(state + 1)));
	if (!found || isClosed) return { kind: 'refused', why: continued(plan) };
	await record(noteOfPlan(found.hour, found.nth + 1));
	begun[name] = { run, state, shared: true };
	return { kind: 'same', since: found.hour * hourMs };
}

/** In so many parts of the window a note says when its plan was sent; of a day, in hours. */
const HOURS = 24;

type WriteNotes = (...notes: string[]) => Promise<RecordedKeys | 'unknown'>;

const isNew = (found: RecordedKeys | 'unknown') => found !== 'unknown' && found.fresh.length > 0;

/** How many runs of one plan are looked through. */
const MAX_RUNS = 50;

/**
 * The latest run with this plan, counted from 1, and when the first was. n8n offers no reading alone: what is asked for is
 * there afterwards. So each run leaves its note, each is asked for together with a mark that says so, and one that was
 * there without its mark is a run's.
 */
async function findRun(
	record: WriteNotes,
	note: (hour: number, nth: number) => string,
	hours: number[],
): Promise<{ hour: number; nth: number } | undefined> {
	let left = hours;
	for (let nth = 1; nth <= MAX_RUNS && left.length > 0; nth++) {
		const asked = (hour: number) => `${note(hour, nth)}?`;
		const found = await record(...left.flatMap((hour) => [note(hour, nth), asked(hour)]));
		if (found === 'unknown') return undefined;
		left = left.filter((hour) => !found.fresh.includes(note(hour, nth)));
		const hour = left.find((then) => found.fresh.includes(asked(then)));
		if (hour !== undefined) return { hour, nth };
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
