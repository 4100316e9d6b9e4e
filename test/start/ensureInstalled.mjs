// Plain JavaScript without dependencies: it runs before there are any.
// Installs the development packages when they are missing or older than the lock file.
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';

const changedAt = (file) => statSync(new URL(`../../${file}`, import.meta.url), { throwIfNoEntry: false })?.mtimeMs ?? 0;

const installedAt = changedAt('node_modules/.package-lock.json');
if (installedAt === 0 || installedAt < changedAt('package.json')) {
	console.log('Installing development packages (about two minutes the first time) …');
	// npm itself decides what is missing; on Windows npm is a script and needs a shell.
	execFileSync('npm', ['install', '--no-audit', '--no-fund'], {
		cwd: new URL('../..', import.meta.url),
		stdio: 'inherit',
		shell: process.platform === 'win32',
	});
}
