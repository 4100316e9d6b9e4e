import { authorization } from './bench/authorization.mts';
import { beside } from './bench/beside.mts';
import { ENGINES } from './bench/instance.mts';
import { printMeasured, type Table } from './measured.mts';
import { photograph } from './screenshots/screenshots.mts';

/** Benchmarks by name; each part takes a few minutes. */
const BENCHMARKS: Record<string, (engine: string) => Promise<Table[]>> = { authorization, beside };

const COMMAND = 'npm run by-hand --';
const USAGE = `${COMMAND} bench <name> <part>
  Measures a benchmark. Update docs/measured.md with the figures by hand.
    ${Object.keys(BENCHMARKS).join(', ')}: ${ENGINES.join(', ')}

${COMMAND} screenshots [part of a name …]
  Recreates the pictures of docs/images, by default all.`;

/** Runs a command that takes long, or whose result needs judgment. */
async function main([command, ...args]: string[]): Promise<void> {
	if (command === 'screenshots') return await photograph(args);
	const [name = '', part = ''] = args;
	const measure = BENCHMARKS[name];
	if (command === 'bench' && measure && (ENGINES as readonly string[]).includes(part))
		return await printMeasured(`${COMMAND} bench ${name} ${part}`, async () => await measure(part));
	console.log(USAGE);
	process.exitCode = 1;
}

await main(process.argv.slice(2));
