// Plain JavaScript without dependencies: it runs before there are any.
// Installs the development packages unless what is installed is what the lock file says.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

const project = new URL('../../../', import.meta.url);

/** npm writes down in node_modules what it has installed, at the end: compared with that, no clock can mislead. */
function isInstalled() {
	let wanted, found, manifest;
	try {
		[wanted, found, manifest] = [
			'package-lock.json',
			'node_modules/.package-lock.json',
			'package.json',
		].map((file) => JSON.parse(readFileSync(new URL(file, project), 'utf8')));
	} catch {
		return false;
	}
	const locked = isDeepStrictEqual(wanted.packages[''].devDependencies, manifest.devDependencies);
	// Optional and peer packages may be left out, as those of other platforms are.
	return (
		locked &&
		Object.entries(wanted.packages).every(
			([path, { version, optional, peer, devOptional }]) =>
				path === '' ||
				found.packages[path]?.version === version ||
				(!found.packages[path] && (optional || peer || devOptional)),
		)
	);
}

if (!isInstalled()) {
	console.log('Installing development packages (about two minutes the first time) …');
	try {
		// Warnings are left out: one asks for a newer Node, which only the n8n that is tested has to have.
		// Not `npm ci`: it refuses a lock file without the optional packages of other platforms. On Windows npm is a script and needs a shell.
		execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
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
