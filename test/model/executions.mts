import lodash from 'lodash';

import { execute, stored } from './n8n.mts';
import { fulfil } from './service.mts';
import type { Execution, Item, Start, World } from './world.mts';

/** Starts an execution: what a person or a schedule does. */
export function startAny(world: World): void {
	const { is, pick, options, late, executions } = world;
	if (is(0.1)) {
		world.host = is(0.7) ? 'A' : 'B';
		world.log(() => `host ${world.host}`);
	}
	if (is(0.1) && late.length > 0) fulfil(world, late.shift()!, 'done');
	const ended = options.hasZombies ? ['failed', 'crashed', 'running'] : ['failed', 'crashed'];
	const old = executions.filter(({ isDone, status }) => !isDone && ended.includes(status));
	const from = old.length > 0 && is(0.6) ? pick(old) : undefined;
	const start = from ? retry(world, from) : newExecution(world);
	const { journals, round } = start;
	const execution: Execution = {
		...start,
		...{ id: executions.length, status: 'running', held: new Set() },
		...{ continueOnFail: is(0.4), tries: is(0.2) ? 2 : 1, saves: is(0.3), isBroken: is(0.05) },
		...{ isDry: is(0.1), isSilent: false },
		process: options.processes > 1 && is(0.5) ? 1 : 0,
		began: stored({ journals, round }),
	};
	execution.isStored ||= execution.saves;
	executions.push(execution);
	world.log(() => headline(execution));
	execute(world, execution).catch((error: unknown) => (world.error = error));
}

export const textOf = (items: Item[]) =>
	items.map(({ reference, values }) => `${reference} ${values}`).join(', ');

function headline(execution: Execution): string {
	const { id, from, rounds } = execution;
	const what = from ? `retry of #${from.id} (${from.status})` : 'new';
	const marks = lodash.pick(execution, ['root', 'continueOnFail', 'tries', 'isStored', 'isDry']);
	return `${what} => #${id} ${JSON.stringify(marks)} ${rounds.map(textOf).join(' || ')}`;
}

const newReference = (world: World) => `x${world.serial++}`;

function newExecution(world: World): Start {
	const { is, pick, below, options, executions } = world;
	const before = is(0.45) ? pick(executions) : undefined;
	const again = before && stored(before.rounds);
	for (const item of again?.flat() ?? []) {
		Object.assign(item, { id: world.serial++, made: item.origin });
		if (item.origin === 'anew') item.reference = newReference(world);
		if (is(0.1)) item.values = 'v2';
	}
	const [length, first] = [1 + below(options.items), below(options.references)];
	const newItem = (_: unknown, at: number): Item => {
		const known = `r${1 + ((first + at) % options.references)}`;
		const origin = options.origin === 'mix' ? pick(['data', 'anew'] as const) : options.origin;
		const id = world.serial++;
		const reference = origin === 'anew' ? newReference(world) : known;
		return { id, origin, made: origin, reference, values: is(0.9) ? 'v1' : 'v2' };
	};
	const newRound = () => Array.from({ length }, newItem);
	const rounds = again ?? Array.from({ length: is(0.15) ? 2 : 1 }, newRound);
	// Two may start in one millisecond.
	const startedAt = options.hasEqualStarts && is(0.5) ? 0 : world.serial++;
	return { root: executions.length, startedAt, rounds, round: 0, journals: {}, isStored: false };
}

/** Retry of an execution, as n8n has stored it. */
export function retry(world: World, from: Execution): Start {
	const { is, pick, options } = world;
	const isKilled = from.status !== 'failed';
	from.isZombie ||= from.status === 'running';
	const { round, journals } = isKilled ? (from.saved ?? from.began) : from;
	const { root, startedAt, isZombie } = from;
	const isStored = !isKilled || from.isStored;
	let rounds = stored(from.rounds);
	// Otherwise it begins with the trigger: every node runs again.
	if (!isStored) {
		for (const item of rounds.flat().filter(({ origin }) => origin === 'anew')) {
			item.reference = newReference(world);
			if (is(0.2)) item.values = pick(['v1', 'v2']);
		}
		if (options.isShifted && is(0.6)) rounds = rounds.map((items) => shifted(world, items));
	}
	if (options.isEdited && !is(0.6)) edit(world, rounds.flat(), root);
	return { root, startedAt, rounds, round, journals: stored(journals), isStored, isZombie, from };
}

function edit(world: World, items: Item[], root: number): void {
	const { is, pick, settings } = world;
	const isAll = is(0.3) && !settings.isOnce;
	const rename = (item: Item, reference: string) =>
		Object.assign(item, { reference, made: 'edited' });
	for (const item of items) {
		if (isAll) rename(item, `${item.reference}e${root}`);
		else if (is(0.2)) item.values = pick(['v1', 'v2', 'v3']);
		else if (is(0.1) && !settings.isOnce) rename(item, `e${world.serial++}`);
	}
}

/** Items in another order after a crash, without those that are paid, or after a new one. */
function shifted(world: World, items: Item[]): Item[] {
	const isPaid = ({ id }: Item) => world.ledger.some(({ entry }) => entry.endsWith(` ${id}`));
	const left = items.filter((item) => !isPaid(item));
	const added = { ...items[0]!, id: world.serial++, reference: `n${world.serial++}` };
	return world.pick([items.toReversed(), left.length > 0 ? left : items, [added, ...items]]);
}
