import { parseArgs } from 'node:util';

import { FAULTS, faultyAction, historyOf } from './faults.mts';
import { play, search, shrink, violationsOf, type Found } from './search.mts';
import type { World } from './world.mts';

const USAGE = `npm run test:model -- [--histories N] [--seed S] [--all] [--fault NAME]
  --histories  how many to try (10000)
  --seed       of the first one; each history has its own, so that one is repeated by its seed and --histories 1
  --all        go on after a violation, and count the histories that it took to find each hole
  --fault      put a fault into a copy of the node first: ${Object.keys(FAULTS).join(', ')}
  --faults     put in each fault, and play the history that finds it`;

const { values } = parseArgs({
	options: {
		histories: { type: 'string', default: '10000' },
		seed: { type: 'string', default: String(Date.now() % 1_000_000) },
		all: { type: 'boolean', default: false },
		fault: { type: 'string' },
		faults: { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});
const say = (line: string) => process.stdout.write(`${line}\n`);

/** Contents of the tried histories. A search that tries nothing finds nothing. */
const counts = new Map<string, number>();

function look({ executions, ledger, checks }: World): void {
	const count = (name: string, more: number) => counts.set(name, (counts.get(name) ?? 0) + more);
	count('payments', ledger.executed.length);
	count('requests', checks.sent.length);
	count('items that had to be sent or known', checks.expected);
	for (const { status, parent } of executions)
		count(`${parent ? 'retries' : 'executions'} ${status}`, 1);
}

/** Plays the history of each fault, with the fault and without it. */
async function findFaults(): Promise<number> {
	let missed = 0;
	for (const name of Object.keys(FAULTS)) {
		const history = historyOf(name);
		const found = await violationsOf(history, await faultyAction(name));
		const isFound = found.length > 0 && (await violationsOf(history)).length === 0;
		if (!isFound) missed += 1;
		say(`${name}: ${isFound ? found[0]!.hole : 'NOT FOUND'}`);
	}
	return missed === 0 ? 0 : 1;
}

async function main(): Promise<number> {
	if (values.help) {
		say(USAGE);
		return 0;
	}
	if (values.faults) return await findFaults();
	const histories = Number(values.histories);
	const first = Number(values.seed);
	const action = values.fault === undefined ? undefined : await faultyAction(values.fault);
	const found = new Map<string, { first: Found; times: number }>();
	const began = performance.now();
	let tried = histories;
	for await (const one of search(first, histories, { look, action })) {
		for (const hole of new Set(one.violations.map(({ hole }) => hole))) {
			const known = found.get(hole) ?? { first: one, times: 0 };
			found.set(hole, { ...known, times: known.times + 1 });
		}
		tried = one.seed - first + 1;
		if (!values.all) break;
		tried = histories;
	}
	const seconds = (performance.now() - began) / 1_000;
	const { user, system } = process.cpuUsage();
	const busy = (user + system) / 1_000_000;
	say(
		`${tried} histories from seed ${first}: ${seconds.toFixed(1)} s, ${busy.toFixed(1)} s of processor time`,
	);
	say([...counts].map(([name, count]) => `${count} ${name}`).join(', '));
	for (const [hole, { first: one, times }] of [...found].sort()) {
		say(`\n${hole}: in ${times} of ${tried}, first with seed ${one.seed}, shortened:`);
		const shortest = await shrink(one.history, hole, action);
		const { checks } = await play(shortest, action);
		for (const line of checks.lines) say(`  ${line}`);
		say(`  ${JSON.stringify(shortest)}`);
	}
	if (found.size === 0) say('No violation.');
	return found.size === 0 ? 0 : 1;
}

process.exitCode = await main();
