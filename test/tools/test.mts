import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { join } from 'node:path';
import atMost from 'p-limit';

const PROJECT = join(import.meta.dirname, '..', '..');
const RUN = join(import.meta.dirname, 'run.mjs');
const CACHE = join('node_modules', '.cache');
/** Checks before the tests, longest first, because they share the processors. */
const CHECKS: Record<string, string[]> = {
	types: [
		'typescript',
		...['-p', 'test/tsconfig.json', '--incremental'],
		...['--tsBuildInfoFile', join(CACHE, 'test.tsbuildinfo')],
	],
	build: ['@n8n/node-cli', 'build'],
	lint: ['@n8n/node-cli', 'lint'],
	// Rules that need types, and so read the whole program.
	promises: ['eslint', '-c', 'test/eslint.config.mjs', 'nodes', 'credentials', 'test'],
	format: [
		'prettier',
		...['--check', '--log-level=warn', 'nodes/**/*.ts', 'credentials', 'test'],
		...['--cache', '--cache-location', join(CACHE, 'prettier.json')],
	],
};

const seconds = (since: number) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

async function check(name: string): Promise<boolean> {
	const began = Date.now();
	const child = spawn(process.execPath, [RUN, ...CHECKS[name]!], {
		cwd: PROJECT,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr])
		stream.on('data', (chunk) => (output += String(chunk)));
	const [code] = (await once(child, 'close')) as [number | null];
	console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(8)} ${seconds(began)}`);
	if (code !== 0) console.log(output);
	return code === 0;
}

/** Runs the checks in parallel, one per processor, then jest, which uses all processors. The arguments go to jest. */
async function main(args: string[]): Promise<number> {
	const atOnce = atMost(cpus().length);
	const passed = Object.keys(CHECKS).map(async (name) => await atOnce(check, name));
	if ((await Promise.all(passed)).includes(false)) return 1;
	const jest = [RUN, 'jest', '-c', 'test/jest.config.json', ...args];
	return spawnSync(process.execPath, jest, { cwd: PROJECT, stdio: 'inherit' }).status ?? 1;
}

process.exitCode = await main(process.argv.slice(2));
