// `node test/tools/run.mjs <package> …` starts the command of a development package, and installs these first when they are missing.
// Plain JavaScript without dependencies: it runs before there are any.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

const project = new URL('../../', import.meta.url);
const json = (path) => JSON.parse(readFileSync(new URL(path, project), 'utf8'));

/** npm writes down in node_modules what it has installed, at the end: compared with that, no clock can mislead. */
function isInstalled() {
	let found;
	try {
		found = json('node_modules/.package-lock.json').packages;
	} catch {
		return false;
	}
	const { '': root, ...locked } = json('package-lock.json').packages;
	// When package.json asks for something else than the lock file, `npm ci` says so.
	if (!isDeepStrictEqual(root.devDependencies, json('package.json').devDependencies)) return false;
	// Optional packages may be missing: those of other platforms are.
	return Object.entries(locked).every(([path, { version, optional }]) =>
		found[path] ? found[path].version === version : optional,
	);
}

function install() {
	console.log('Installing development packages (about two minutes the first time) …');
	try {
		// Warnings are left out: one asks for a newer Node, which only the n8n that is tested has to have.
		// On Windows npm is a script and needs a shell.
		execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
			cwd: project,
			stdio: 'inherit',
			shell: process.platform === 'win32',
		});
	} catch {
		console.error(
			'The development packages could not be installed; npm says above why. Check the network and the registry (npm config get registry), then try again.',
		);
		process.exit(1);
	}
}

if (!isInstalled()) install();
const [name, ...args] = process.argv.slice(2);
const { bin } = json(`node_modules/${name}/package.json`);
const script = typeof bin === 'string' ? bin : Object.values(bin)[0];
// With this Node and not by node_modules/.bin: there Windows has scripts, and they need a shell.
const child = spawn(
	process.execPath,
	[fileURLToPath(new URL(`node_modules/${name}/${script}`, project)), ...args],
	{ stdio: 'inherit' },
);
// Ctrl-C reaches both; this one waits until the other has cleaned up.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill());
child.on('exit', (code, signal) => {
	process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143);
});
