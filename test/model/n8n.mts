import type { Payment, PaymentRun } from '../../nodes/CardTreasury/run/batch.ts';
import { REFUSALS } from '../../nodes/CardTreasury/run/refusals.ts';
import type { Result } from '../../nodes/CardTreasury/run/result.ts';
import { Problem, type Outcome } from '../../nodes/shared/problem.ts';
import { checkNote, checkTold, isAccepted } from './promises.mts';
import type { Call, Execution, Item, Sent, Told, World } from './world.mts';

/** What the node waits for. */
export interface Outside extends Pick<PaymentRun, 'turn' | 'notes'> {
	send(sent: Sent): Promise<Outcome>;
}

/** Copy of what n8n stores as JSON. */
export const stored = <Value,>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

const PROBLEM = new Problem('', '');
const NAME = 'the payment';
/** Reasons of refusals by their messages. */
const REASONS = new Map(
	Object.entries(REFUSALS).flatMap(([why, of]) =>
		[of(NAME), of()].map(({ message }) => [message, why] as const),
	),
);

/** Runs the node for the items of one run. */
export async function runNode(world: World, execution: Execution, items: Item[], io: Outside) {
	const { host, settings, options } = world;
	const { id, startedAt, round: runIndex, from, continueOnFail, journals } = execution;
	const { code } = options;
	const { isOnce = false, isBlind = false, hasOneJournal = false } = settings;
	const journal = (journals[hasOneJournal ? 0 : runIndex] ??= { execution: id, sent: {} });
	const placeOf = (index: number) => code.placeOf(String(journal.execution), runIndex, index);
	const named = items.map((item, at) => (isOnce ? { ...item, reference: placeOf(at) } : item));
	const all = named.map((item): Sent => ({ key: world.keyOf(item, host), host, item }));
	/** Ends in the order of leaving: u for unknown ones. */
	const ends: string[] = [];
	execution.isSilent = false;
	const payments = all.map((sent): Payment => {
		const { reference, values } = sent.item;
		const send = async () => {
			if (execution.isDry) world.violated('8 sends in a dry run', sent.key);
			if (execution.isSilent)
				world.violated('8 sends although the service does not answer', sent.key);
			const at = ends.push('?') - 1;
			const outcome = await io.send(sent);
			if (outcome === 'unknown') ends[at] = 'u';
			execution.isSilent ||= ends.join('').includes('u'.repeat(code.mostUnknown));
			const problem = isAccepted(outcome) ? undefined : PROBLEM;
			return { outcome, items: [], problem } as Result;
		};
		const names = code.namesOf(host, reference, isBlind ? '' : values);
		const dryRun = execution.isDry && (() => ({ outcome: 'dry_run' as const, items: [] }));
		const own = {
			reference: isOnce ? undefined : NAME,
			what: () => '',
			send,
			alreadySent: () => ({}),
		};
		return { ...names, ...own, ...(dryRun && { dryRun }) };
	});
	const [began, settled] = [world.requests.length, new Set(world.settled)];
	const results = await code.pay(payments, {
		...{ runNote: code.runNoteOf(startedAt, runIndex), continueOnFail, journal, ...io },
		isRetry: from !== undefined,
		isStopped: () => execution.isStopped === true,
	});
	const ended = world.requests.length;
	return all.map((sent, at): Told => {
		const { outcome, problem } = results[at] ?? { outcome: 'not_reached', problem: PROBLEM };
		const why = REASONS.get(problem?.message ?? '') ?? '';
		const isSettled = settled.has(sent.key);
		return { ...sent, execution, outcome, why, isProblem: !!problem, began, ended, isSettled };
	});
}

/** Executes a workflow until its end. In a killed one, a call never returns. */
export async function execute(world: World, execution: Execution): Promise<void> {
	const outside = outsideOf(world, execution);
	for (; execution.round < execution.rounds.length; execution.round++) {
		for (let tries = execution.tries; tries > 0; tries--) {
			execution.hasFailed = false;
			const { rounds, round, isBroken } = execution;
			if (isBroken) return end(world, execution, 'failed');
			const told = await runNode(world, execution, rounds[round]!, outside);
			checkTold(world, told);
			checkNote(world, execution);
			execution.held.clear();
			execution.hasFailed = told.some(({ isProblem }) => isProblem);
			if (execution.isStopped) return end(world, execution, 'canceled');
			// Under Continue On Fail, n8n looks at the first item.
			if (execution.continueOnFail ? !told[0]!.isProblem : !execution.hasFailed) break;
		}
		if (isOver(execution)) return end(world, execution, 'failed');
		const { journals, round } = execution;
		if (execution.saves) execution.saved = { journals: stored(journals), round: round + 1 };
		await outside.turn(); // another node
	}
	end(world, execution, 'success');
}

const isOver = ({ isStopped, hasFailed, continueOnFail }: Execution) =>
	isStopped || (hasFailed && !continueOnFail);

function end(world: World, execution: Execution, status: Execution['status']): void {
	execution.status = status;
	world.log(() => `   #${execution.id} ${status}`);
	if (status === 'success' && execution.from) execution.from.isDone = true;
}

/** Calls that wait in the world until the history goes on with them. */
function outsideOf(world: World, execution: Execution): Outside {
	const call = async <Value,>(what: Partial<Call>) =>
		await new Promise<Value>((resolve, reject) =>
			world.calls.push({ ...what, execution, resolve: resolve as Call['resolve'], reject }),
		);
	const check = (what: string, keys: string[]) => {
		if (isOver(execution) && keys.length > 0) world.violated(`8 ${what} after its end`, keys[0]!);
	};
	const record = async (names: string[]) => {
		const opened = world.keysOf(names, true);
		check('records a part', opened);
		for (const key of opened) execution.held.add(key);
		return await call<Set<string>>({ names, isRecord: true });
	};
	const remove = async (names: string[]) => await call<void>({ names });
	const send = async (sent: Sent) => {
		check('sends', [sent.key]);
		return await call<Outcome>({ sent });
	};
	const inTurn: Outside['notes']['inTurn'] = async (work) =>
		await world.turnOf(execution.process)(async () => await work({ record, remove }));
	return { notes: { inTurn }, turn: async () => await call({}), send };
}
