import { parseArgs } from 'node:util';

import { keepResult, measured } from '../bench/results.mts';
import { soakActions } from './actions.mts';
import { measureCopies } from './copies.mts';
import { soakDeliveries, type SoakOptions } from './deliveries.mts';
import { MODES, RESULTS, RESULTS_FOLDER, writePage, type Mode, type Section } from './page.mts';
import { startQueue } from './queue.mts';
import { startRegular } from './regular.mts';
import type { Verdict } from './verdict.mts';

const USAGE = `npm run test:soak -- [regular|queue] [--deliveries 10000] [--rate 15] [--rounds 2] [--keep]
  Sends deliveries to the real n8n, and has it write to the simulated service, while parts are killed with SIGKILL and
  started again: n8n itself five times; in queue mode each worker, each webhook process, PostgreSQL and Redis once.
  Then compares what the sender and the service know with what n8n has stored. 10,000 deliveries at 15 per second take
  about 15 minutes. --rounds is the number of rounds of writes that are cut off.
  A full run keeps its result, and writes docs/evidence/soak.md; others only print it, unless told to --keep.
npm run test:soak -- --page
  Writes docs/evidence/soak.md from the kept results.
`;

const say = (line: string) => process.stdout.write(`${line}\n`);

interface Settings extends SoakOptions {
	rounds: number;
}

const soaks: Record<Mode, (settings: Settings) => Promise<Section[]>> = {
	async regular(settings) {
		const target = await startRegular(say);
		try {
			return [
				section('Deliveries', await soakDeliveries(target, settings)),
				section('Writes', await soakActions(target, settings.rounds, say)),
			];
		} finally {
			await target.close();
		}
	},
	async queue(settings) {
		const target = await startQueue();
		try {
			return [
				section('Deliveries', await soakDeliveries(target, settings)),
				section('Writes', await soakActions(target, settings.rounds, say)),
				section(
					'Copies that come to two webhook processes',
					await measureCopies(target.queue, say),
				),
			];
		} finally {
			await target.close();
		}
	},
};

/** Prints a verdict. */
function section(title: string, { facts, faults }: Verdict): Section {
	const width = Math.max(...facts.map(([what]) => what.length));
	say(`\n${title}\n`);
	for (const [what, value] of facts) say(`  ${what.padEnd(width)}  ${value}`);
	say(
		faults.length === 0
			? '\n  Nothing that should not have happened.\n'
			: `\n  FAULTS\n  - ${faults.join('\n  - ')}\n`,
	);
	return { title, facts, faults };
}

/** @returns the exit code */
async function main(): Promise<number> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			deliveries: { type: 'string' },
			rate: { type: 'string' },
			rounds: { type: 'string' },
			keep: { type: 'boolean' },
			page: { type: 'boolean' },
			help: { type: 'boolean' },
		},
	});
	const mode = MODES.find((name) => name === (positionals[0] ?? 'regular'));
	const [deliveries, ratePerSecond, rounds] = [
		values.deliveries ?? 10_000,
		values.rate ?? 15,
		values.rounds ?? 2,
	].map(Number) as [number, number, number];
	if (values.help || mode === undefined || !(deliveries > 0 && ratePerSecond > 0 && rounds >= 0)) {
		say(USAGE);
		return values.help ? 0 : 1;
	}
	let faults = 0;
	if (!values.page) {
		const sizes = (['deliveries', 'rate', 'rounds'] as const).flatMap((name) =>
			values[name] === undefined ? [] : [`--${name} ${values[name]}`],
		);
		const result = await measured(
			['npm run test:soak --', mode, ...sizes].join(' '),
			async () => await soaks[mode]({ deliveries, ratePerSecond, rounds, say }),
		);
		faults = (result.measured as Section[]).flatMap((part) => part.faults).length;
		if (values.keep || sizes.length === 0) keepResult(RESULTS, mode, result, RESULTS_FOLDER);
	}
	writePage();
	return faults === 0 ? 0 : 1;
}

process.exitCode = await main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
	return 1;
});
