import type { Violation } from './checks.mts';
import type { Action } from './engine.mts';
import { chanceOf, generate } from './generate.mts';
import type { History } from './history.mts';
import { withoutChance } from './virtualTime.mts';
import { World } from './world.mts';

/** Carries out a history, up to the first command that does something that may not be. */
export async function play({ world, commands }: History, action?: Action): Promise<World> {
	return await withoutChance(chanceOf(1), async () => {
		const played = new World(world, action);
		for (const command of commands) {
			await played.carryOut(command);
			if (violationsIn(played).length > 0) break;
		}
		return played;
	});
}

export const violationsIn = (played: World): Violation[] => played.checks.violations;

export const violationsOf = async (history: History, action?: Action) =>
	violationsIn(await play(history, action));

export interface Found {
	/** By which the history is made again. */
	seed: number;
	/** As it was made. */
	history: History;
	violations: Violation[];
}

/** Tries one history for each seed from the first on. `look`: is shown each of them. */
export async function* search(
	firstSeed: number,
	histories: number,
	{ look, action }: { look?: (played: World) => void; action?: Action } = {},
): AsyncGenerator<Found> {
	for (let seed = firstSeed; seed < firstSeed + histories; seed++) {
		const history = generate(chanceOf(seed));
		const played = await play(history, action);
		look?.(played);
		const violations = violationsIn(played);
		if (violations.length > 0) yield { seed, history, violations };
	}
}

/** The shortest history that can be reached by deleting, one thing after the other, and still finds the same hole. */
export async function shrink(history: History, hole: string, action?: Action): Promise<History> {
	let current = history;
	for (;;) {
		const smaller = await firstThatFinds(current, hole, action);
		if (smaller === undefined) return current;
		current = smaller;
	}
}

async function firstThatFinds(
	history: History,
	hole: string,
	action?: Action,
): Promise<History | undefined> {
	for (const candidate of smallerThan(history)) {
		const found = await violationsOf(candidate as History, action).catch(() => []);
		if (found.some((violation) => violation.hole === hole)) return candidate as History;
	}
	return undefined;
}

/** The value with one thing less: an entry, a field, a part of a number. */
function* smallerThan(value: unknown): Generator<unknown> {
	if (typeof value === 'number') {
		if (value > 0) yield 0;
		if (value > 1) yield Math.floor(value / 2);
		if (value > 2) yield value - 1;
	} else if (Array.isArray(value)) {
		for (let at = value.length - 1; at >= 0; at--) yield value.filter((_, index) => index !== at);
		for (const [at, entry] of value.entries()) {
			for (const smaller of smallerThan(entry)) yield value.with(at, smaller);
		}
	} else if (typeof value === 'object' && value !== null) {
		const entries = Object.entries(value);
		for (const [name] of entries) {
			if (['do', 'world', 'commands', 'runs', 'change'].includes(name)) continue;
			yield Object.fromEntries(entries.filter(([other]) => other !== name));
		}
		for (const [name, entry] of entries) {
			// A service that remembers nothing, or a limit of nothing, makes no sense.
			if (/Hours$|^maximum|^amount$|^bound$/.test(name)) continue;
			for (const smaller of smallerThan(entry)) yield { ...value, [name]: smaller };
		}
	}
}
