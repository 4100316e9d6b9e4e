// `node test/tools/run.mjs <package> …` starts the command of a development package, after installing the packages if they
// are missing. Plain JavaScript without dependencies, because it runs before they are installed.
import { execFileSync, spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

const project = new URL('../../', import.meta.url);
const json = (path) => JSON.parse(readFileSync(new URL(path, project), 'utf8'));

/** Compares package-lock.json with npm's record in node_modules, because timestamps can mislead. */
function isInstalled() {
	let found;
	try {
		found = json('node_modules/.package-lock.json').packages;
	} catch {
		return false;
	}
	const { '': root, ...locked } = json('package-lock.json').packages;
	// If package.json and the lock file differ, `npm ci` reports it.
	if (!isDeepStrictEqual(root.devDependencies, json('package.json').devDependencies)) return false;
	// Optional packages for other platforms may be missing.
	return Object.entries(locked).every(([path, { version, optional }]) =>
		found[path] ? found[path].version === version : optional,
	);
}

function install() {
	const log = join(tmpdir(), 'card-treasury-npm-ci.log');
	console.log('Installing development packages (about two minutes the first time) …');
	const out = openSync(log, 'w');
	try {
		// On Windows npm is a script, which needs a shell.
		execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
			cwd: project,
			stdio: ['ignore', out, out],
			shell: process.platform === 'win32',
		});
	} catch {
		console.error(
			`The development packages could not be installed; ${log} says why. Check the network and the registry (npm config get registry), then try again.`,
		);
		process.exit(1);
	}
}

if (!isInstalled()) install();
const [name, ...args] = process.argv.slice(2);
const { bin } = json(`node_modules/${name}/package.json`);
const script = typeof bin === 'string' ? bin : Object.values(bin)[0];
// Starts it with this Node, because on Windows node_modules/.bin holds scripts, which need a shell.
const child = spawn(
	process.execPath,
	[fileURLToPath(new URL(`node_modules/${name}/${script}`, project)), ...args],
	{ stdio: 'inherit' },
);
// Ctrl-C reaches both processes; this one waits for the other to clean up.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill());
child.on('exit', (code, signal) => {
	process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143);
});
