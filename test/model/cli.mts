import { parseArgs } from 'node:util';

import { explain } from './explain.mts';
import { search, shrink, violationsOf, type Found } from './search.mts';
import type { World } from './world.mts';

const USAGE = `npm run test:model -- [--histories N] [--seed S] [--all] [--explain]
  --histories  how many to try (10000)
  --seed       of the first one; each history has its own, so that one is repeated by its seed and --histories 1
  --all        go on after a violation, and count the histories that it took to find each hole
  --explain    show histories in plain words, beside the data for histories.test.mts`;

const { values } = parseArgs({
	options: {
		histories: { type: 'string', default: '10000' },
		seed: { type: 'string', default: String(Date.now() % 1_000_000) },
		all: { type: 'boolean', default: false },
		explain: { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});
const say = (line: string) => process.stdout.write(`${line}\n`);

async function show({ seed, history }: Found, hole: string): Promise<void> {
	const shortest = await shrink(history, hole);
	const violations = await violationsOf(shortest);
	say(`\n${hole} · seed ${seed}, shortened:`);
	for (const line of explain(shortest)) say(`  ${line}`);
	for (const { what } of violations) say(`  → ${what}`);
	if (values.explain) say(`  ${JSON.stringify(shortest)}`);
}

/** What the histories were made of: a search that tries nothing finds nothing. */
class Tally {
	private readonly counts = new Map<string, number>();

	readonly look = ({ executions, ledger, checks: { evidence } }: World): void => {
		this.add('payments and changes', ledger.executed.length);
		this.add('requests', evidence.requests.length);
		this.add('retries that had to go well', evidence.continued);
		for (const { status, parent } of executions) {
			this.add(`${parent ? 'retries' : 'executions'} ${status}`, 1);
		}
	};

	get text(): string {
		return [...this.counts].map(([name, count]) => `${count} ${name}`).join(', ');
	}

	private add(name: string, count: number): void {
		this.counts.set(name, (this.counts.get(name) ?? 0) + count);
	}
}

async function main(): Promise<number> {
	if (values.help) {
		say(USAGE);
		return 0;
	}
	const histories = Number(values.histories);
	const first = Number(values.seed);
	const found = new Map<string, { first: Found; times: number }>();
	const began = performance.now();
	const used = process.cpuUsage();
	const tally = new Tally();
	let tried = histories;
	for await (const one of search(first, histories, { look: tally.look })) {
		for (const hole of new Set(one.violations.map(({ hole }) => hole))) {
			const known = found.get(hole) ?? { first: one, times: 0 };
			found.set(hole, { ...known, times: known.times + 1 });
		}
		tried = one.seed - first + 1;
		if (!values.all) break;
		tried = histories;
	}
	const seconds = (performance.now() - began) / 1_000;
	const { user, system } = process.cpuUsage(used);
	const busy = (user + system) / 1_000_000;
	say(
		`${tried} histories from seed ${first}: ${seconds.toFixed(1)} s, ${busy.toFixed(1)} s of processor time, ${Math.round(tried / busy)} per second of it`,
	);
	say(tally.text);
	for (const [hole, { first: one, times }] of [...found].sort()) {
		say(`${hole}: first after ${one.seed - first + 1} histories, in ${times} of ${tried}`);
	}
	for (const [hole, { first: one }] of [...found].sort()) await show(one, hole);
	if (found.size === 0) say('No violation.');
	return found.size === 0 ? 0 : 1;
}

process.exitCode = await main();
