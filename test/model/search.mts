import type { Violation } from './checks.mts';
import type { Action } from './engine.mts';
import { chanceOf, generate } from './generate.mts';
import type { History } from './history.mts';
import { withoutChance } from './virtualTime.mts';
import { World } from './world.mts';

/** Plays a history up to its first violation. */
export async function play({ world, commands }: History, action?: Action): Promise<World> {
	return await withoutChance(chanceOf(1), async () => {
		const played = new World(world, action);
		for (const command of commands) {
			await played.carryOut(command);
			if (played.checks.violations.length > 0) break;
		}
		return played;
	});
}

export const violationsOf = async (history: History, action?: Action): Promise<Violation[]> =>
	(await play(history, action)).checks.violations;

export interface Found {
	/** Seed that makes the history again. */
	seed: number;
	/** History before it is shortened. */
	history: History;
	violations: Violation[];
}

/** Plays one history per seed, and yields those with violations. `look` is called with each world. */
export async function* search(
	firstSeed: number,
	histories: number,
	{ look, action }: { look?: (played: World) => void; action?: Action } = {},
): AsyncGenerator<Found> {
	for (let seed = firstSeed; seed < firstSeed + histories; seed++) {
		const history = generate(chanceOf(seed));
		const played = await play(history, action);
		look?.(played);
		const { violations } = played.checks;
		if (violations.length > 0) yield { seed, history, violations };
	}
}

/** Shortens a history by deleting one part after the other, as long as it finds the same hole. */
export async function shrink(history: History, hole: string, action?: Action): Promise<History> {
	for (const smaller of smallerThan(history) as Generator<History>) {
		const found = await violationsOf(smaller, action).catch(() => []);
		if (found.some((violation) => violation.hole === hole))
			return await shrink(smaller, hole, action);
	}
	return history;
}

/** Yields smaller variants of a value: one entry or field less, or a smaller number. */
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
			// Zero makes no sense here.
			if (/Hours$|^maximum|^parts?[SI]|^amount$|^bound$/.test(name)) continue;
			for (const smaller of smallerThan(entry)) yield { ...value, [name]: smaller };
		}
	}
}
