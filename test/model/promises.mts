import lodash from 'lodash';

import type { Execution, Request, Told, World } from './world.mts';

export const isAccepted = (outcome: string) =>
	['done', 'pending', 'already_sent'].includes(outcome);
const isNegative = (outcome: string) =>
	['not_sent', 'rejected', 'failed', 'dry_run'].includes(outcome);
export const isUnknown = ({ end }: Request) => end === 'unknown';

/** FAILED is told of a reference, whatever the values are now. */
const isSame = (told: Told, { key, item }: Request) =>
	key === told.key && (told.outcome === 'failed' || item.values === told.item.values);

/** True unless another run sent it after this run: that makes nothing wrong that this one has told. */
const isBefore = ({ execution, began, ended }: Told, request: Request) =>
	request.at < began || (request.execution === execution && request.at < ended);

/** Compares what a run has told with what was executed. */
export function checkTruth(world: World, all: Told[]): void {
	for (const told of all) {
		const { execution, key, item, outcome, why } = told;
		const payment = `${world.show([key])} ${item.values}`;
		world.log(() => `   told #${execution.id} ${payment}: ${outcome} ${why}`);
		const executed = world.ledger.filter((request) => isSame(told, request));
		if (isAccepted(outcome) && executed.length === 0)
			world.violated('3 shown as accepted, not executed', key);
		if (isNegative(outcome) && executed.some((request) => isBefore(told, request)))
			world.violated(`4 told ${outcome}, executed`, key);
	}
}

/** Checks what a run has told, and keeps it. */
export function checkTold(world: World, all: Told[]): void {
	const { counts, options, requests, taint } = world;
	checkTruth(world, all);
	for (const told of all) {
		const { execution, key, outcome, why, isProblem, isSettled } = told;
		const isOpen = (request: Request) => request.key === key && isUnknown(request);
		const mayBeSent = options.runningAtOnce > 1 && !isSettled;
		const mayBeOpen = mayBeSent || taint.has(key) || requests.some(isOpen);
		if (why === 'open' && !mayBeOpen) world.violated('6 told open, nothing is open', key);
		if (why === 'changed' && execution.from === undefined && execution.tries === 1)
			world.violated('6 told changed, not in a retry', key);
		if (why === 'no answer' && !execution.isSilent)
			world.violated('6 told that there is no answer, and there is', key);
		const hasFailed = requests.some((request) => request.key === key && request.end === 'failed');
		if (outcome === 'failed' && !hasFailed) world.violated('6 told FAILED, and it is not', key);
		if (outcome === 'failed' && !isProblem) world.violated('6 FAILED, and not a failed item', key);
		const name = `told ${outcome}${why && `, ${why}`}`;
		counts[name] = (counts[name] ?? 0) + 1;
		world.told.push(told);
	}
}

/** True if nothing of an execution and its retries was executed, or may have been. */
export const isUnsent = (world: World, root: number) =>
	!world.requests.some(({ execution, end }) => execution.root === root && end !== 'rejected');

/** True if nothing but what an execution and its retries have sent can leave the note of their run. */
export function isNoteSure({ options, executions }: World, one: Execution): boolean {
	const isOther = (other: Execution) => other !== one && other.root === one.root;
	const isLeft = ({ status }: Execution) => status === 'crashed' || status === 'running';
	const isCut = executions.some((other) => isOther(other) && isLeft(other));
	return !isCut && options.databaseFails === 0 && !options.hasEqualStarts;
}

/** Looks for the note of a run that has sent nothing: others would be evicted for it. */
export function checkNote(world: World, execution: Execution): void {
	const { options, notes } = world;
	const { startedAt, round, root } = execution;
	const note = options.code.runNoteOf(startedAt, round);
	if (isUnsent(world, root) && isNoteSure(world, execution) && notes.includes(note))
		world.violated('9 a run that sent nothing leaves its note', note);
}

/** Looks for payments that were executed twice, or after they were told not to be. */
export function checkLedger(world: World): void {
	for (const [key, same] of Object.entries(lodash.groupBy(world.ledger, 'key')))
		if (same.length > 1) world.violated('1 reference executed twice', key);
	for (const same of Object.values(lodash.groupBy(world.ledger, 'entry')))
		if (same.some(({ key }) => key !== same[0]!.key)) checkEntry(world, same);
	for (const [at, told] of world.told.entries()) {
		const isLate = (request: World['ledger'][number]) =>
			isSame(told, request) && isBefore(told, request) && request.after > at;
		if (isNegative(told.outcome) && world.ledger.some(isLate))
			world.violated(`4 told ${told.outcome}, executed late`, told.key);
	}
}

/** Judges an item that was paid under several references or at several hosts. */
function checkEntry(world: World, same: Request[]): void {
	const [{ key, host, execution }] = same as [Request];
	const all = new Set([...world.executions, ...same.map((each) => each.execution)]);
	const family = [...all].filter(({ root }) => root === execution.root);
	const isElsewhere = same.some((each) => each.host !== host);
	const isEdited = isElsewhere || same.some(({ item }) => item.made === 'edited');
	const hasTwin = (one: Execution) =>
		family.some((other) => one !== other && one.from && one.from === other.from);
	const isLost = family.some((one) => one.status === 'crashed' || hasTwin(one));
	const { startedAt, rounds, root } = execution;
	const notes = rounds.map((_, round) => world.options.code.runNoteOf(startedAt, round));
	const hasTwinStart = notes.some((note) =>
		[...(world.adders.get(note) ?? [])].some((by) => by !== root),
	);
	let apart = '';
	const isMixed = world.options.origin === 'mix' && !world.settings.isOnce;
	if (isMixed) apart = 'references partly made anew';
	else if (family.some(({ isZombie }) => isZombie)) apart = 'retried while it ran';
	else if (isLost && hasTwinStart) apart = 'started in one millisecond';
	else if (isEdited && isLost) apart = 'edited after a kill or another retry';
	const how = isEdited ? 'references edited' : 'references made anew';
	world.violated(`2 row paid again, ${isElsewhere ? 'at another target' : how}`, key, apart);
}
