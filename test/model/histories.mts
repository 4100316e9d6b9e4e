import type { Code } from './code.mts';
import { startAny } from './executions.mts';
import { checkLedger } from './promises.mts';
import { checkQuiet } from './quiet.mts';
import { fulfil } from './service.mts';
import { step } from './steps.mts';
import { World, type Settings } from './world.mts';

/** Lets the node go on until it waits for a call. */
const settled = async () => await new Promise((resolve) => setImmediate(resolve));

/** Plays the history of a seed. */
export async function play(codes: Code[], seed: number, settings: Settings = {}): Promise<World> {
	const world = new World(seed, codes, settings);
	const { options, executions, is } = world;
	for (let left = 2 + world.below(7); left > 0 || world.calls.length > 0; await settled()) {
		const running = executions.filter(({ status }) => status === 'running').length;
		if (running > 0 && world.calls.length === 0) world.error ??= new Error('It waits for nothing');
		if (world.error) break;
		if (left > 0 && (running === 0 || (running < options.runningAtOnce && is(0.08)))) {
			left--;
			startAny(world);
		} else step(world);
	}
	if (world.error) throw new Error(`Seed ${seed} cannot be played`, { cause: world.error });
	for (const request of world.late.splice(0)) fulfil(world, request, 'done');
	checkLedger(world);
	if (![...world.violations].some(isPromised) && options.processes === 1) await checkQuiet(world);
	return world;
}

/** True if the violation breaks what is promised. */
export const isPromised = (violation: string) => !violation.startsWith('apart');

/** Violation in several histories, with the shortest one: its seed, and the step of the kill. */
type Found = { count: number; lines: number; seed: number; cutAt: number | undefined };

/** Histories, with random kills or with one at each of their steps. */
type Range = { first: number; histories: number; isCut?: boolean };

/** Plays many histories. */
export async function search(codes: Code[], range: Range, settings: Settings = {}) {
	const { first, histories, isCut = false } = range;
	const counts: Record<string, number> = {};
	const found = new Map<string, Found>();
	const one = async (seed: number, cutAt?: number) => {
		const world = await play(codes, seed, cutAt === undefined ? settings : { ...settings, cutAt });
		const { lines, steps, violations } = world;
		for (const [name, count] of Object.entries({ ...world.counts, steps }))
			counts[name] = (counts[name] ?? 0) + count;
		for (const what of violations) {
			const before = found.get(what);
			const shortest = before && before.lines <= lines ? before : { lines, seed, cutAt };
			found.set(what, { ...shortest, count: (before?.count ?? 0) + 1 });
		}
		return steps;
	};
	for (let seed = first; seed < first + histories; seed++) {
		const steps = await one(seed, isCut ? -1 : undefined);
		for (let cutAt = 0; isCut && cutAt < steps; cutAt++) await one(seed, cutAt);
	}
	return { counts, found: new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1))) };
}
