import { parseArgs } from 'node:util';

import type { RunOptions } from './benchmark.mts';
import { writePage } from './page.mts';
import { BENCHMARKS } from './registry.mts';
import { keepResult, measured } from './results.mts';
import { asText } from './table.mts';

const USAGE = `npm run bench -- [name] [part] [--seconds n] [--rates 20,40]
  Measures all benchmarks, one, or one part of it; keeps the results and writes docs/evidence/benchmarks.md from them.
  With --seconds or --rates the figures are only printed.
npm run bench -- --page
  Writes docs/evidence/benchmarks.md from the kept results.

${BENCHMARKS.map(({ name, parts }) => `  ${name.padEnd(16)}${parts.join(', ')}`).join('\n')}
`;

const say = (line: string) => process.stdout.write(`${line}\n`);

/** @returns the exit code */
async function main(): Promise<number> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			seconds: { type: 'string' },
			rates: { type: 'string' },
			page: { type: 'boolean' },
			help: { type: 'boolean' },
		},
	});
	const [name, part] = positionals;
	const chosen = BENCHMARKS.filter((benchmark) => name === undefined || benchmark.name === name);
	const parts = chosen.flatMap((benchmark) =>
		benchmark.parts
			.filter((known) => part === undefined || known === part)
			.map((known) => ({ benchmark, part: known })),
	);
	const options: RunOptions = {
		say,
		...(values.seconds !== undefined && { seconds: Number(values.seconds) }),
		...(values.rates !== undefined && { rates: values.rates.split(',').map(Number) }),
	};
	const wrong = [options.seconds ?? 1, ...(options.rates ?? [])].some((value) => !(value > 0));
	if (values.help || parts.length === 0 || wrong) {
		say(USAGE);
		return values.help ? 0 : 1;
	}
	if (!values.page) {
		for (const { benchmark, part } of parts) {
			say(`\n${benchmark.title} (${part})\n`);
			const result = await measured(
				`npm run bench -- ${benchmark.name} ${part}`,
				async () => await benchmark.measure(part, options),
			);
			for (const table of benchmark.present({ [part]: result.measured }).tables)
				say(`${asText(table)}\n`);
			if (options.seconds === undefined && options.rates === undefined)
				keepResult(benchmark.name, part, result);
		}
	}
	writePage();
	return 0;
}

process.exitCode = await main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
	return 1;
});
