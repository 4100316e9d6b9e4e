import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { run } from './n8n/command.mts';

/** Time limits, so that a mirror or another apt-get that hangs does not block a test run. */
const APT = ['Acquire::http::Timeout=30', 'Acquire::Retries=3', 'DPkg::Lock::Timeout=120'].flatMap(
	(option) => ['-o', option],
);
const INSTALL_MS = 10 * 60_000;

const say = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * Finds programs, or installs their Debian packages as root.
 * @param advice another fix
 * @throws Error that names the fix
 */
export async function findOrInstall<Found>(
	find: () => Found | undefined,
	packages: string[],
	advice = '',
): Promise<Found> {
	const found = find();
	if (found !== undefined) return found;
	const names = packages.join(' ');
	const fix = `Install it; on Debian or Ubuntu, as root: apt-get install ${names}. ${advice}`;
	if (process.getuid?.() !== 0) throw new Error(`Not found: ${names}. ${fix}`);
	say(`Installing ${names} with apt-get …`);
	const env = { DEBIAN_FRONTEND: 'noninteractive' };
	const settings = { env, timeoutMs: INSTALL_MS, onProgress: say };
	try {
		await run('apt-get', [...APT, 'update'], '/', settings);
		const install = ['install', '-y', '--no-install-recommends', ...packages];
		await run('apt-get', [...APT, ...install], '/', settings);
	} catch (error) {
		throw new Error(`${names} could not be installed. ${fix}\n${(error as Error).message}`);
	}
	const now = find();
	if (now === undefined) throw new Error(`apt-get installed no ${names} that is found. ${fix}`);
	return now;
}

/** First program of these names on the path. @param more further folders */
export function onPath(names: string[], more: string[] = []): string | undefined {
	const folders = [...(process.env.PATH ?? '').split(delimiter), ...more];
	const files = folders.flatMap((folder) => names.map((name) => join(folder, name)));
	return files.find((file) => existsSync(file));
}
