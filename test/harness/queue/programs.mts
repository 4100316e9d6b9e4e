import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { run, type Progress } from '../n8n/command.mts';

/** Programs that queue mode needs besides n8n. */
export interface Programs {
	initdb: string;
	postgres: string;
	redis: string;
	nginx: string;
}

/** Finds PostgreSQL, Redis and nginx, or installs them. */
export async function findPrograms(onProgress: Progress): Promise<Programs> {
	return await findOrInstall(find, ['postgresql', 'redis-server', 'nginx-light'], onProgress);
}

/** Finds HAProxy, or installs it. */
export async function findHaproxy(onProgress: Progress): Promise<string> {
	return await findOrInstall(() => onPath('haproxy'), ['haproxy'], onProgress);
}

/**
 * Installs missing Debian packages if it may.
 * @throws Error that names the packages to install
 */
async function findOrInstall<Found>(
	find: () => Found | undefined,
	packages: string[],
	onProgress: Progress,
): Promise<Found> {
	const found = find();
	if (found) return found;
	const command = `apt-get install -y --no-install-recommends ${packages.join(' ')}`;
	if (process.getuid?.() !== 0 || !onPath('apt-get')) {
		throw new Error(
			`These tests need ${packages.join(', ')}. Install them; on Debian or Ubuntu, as root: ${command}`,
		);
	}
	onProgress(`Installing ${packages.join(', ')} …`);
	const options = { env: { DEBIAN_FRONTEND: 'noninteractive' }, onProgress };
	await run('apt-get', ['update'], '/', options);
	await run('apt-get', command.split(' ').slice(1), '/', options);
	const installed = find();
	if (!installed) throw new Error(`"${command}" has run, but a program is still not there.`);
	return installed;
}

/** PostgreSQL refuses to run as root, so it runs as the user of its package. */
export function databaseUser(): { uid: number; gid: number } | undefined {
	if (process.getuid?.() !== 0) return undefined;
	const idOf = (flag: string) =>
		Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
	return { uid: idOf('-u'), gid: idOf('-g') };
}

function find(): Programs | undefined {
	const [initdb, postgres] = [database('initdb'), database('postgres')];
	const [redis, nginx] = [onPath('redis-server'), onPath('nginx')];
	return initdb && postgres && redis && nginx ? { initdb, postgres, redis, nginx } : undefined;
}

/** Debian keeps the server programs of each version in a folder outside the path. */
function database(program: string): string | undefined {
	const versions = '/usr/lib/postgresql';
	const newest = existsSync(versions)
		? readdirSync(versions).sort((left, right) => Number(right) - Number(left))[0]
		: undefined;
	const own = newest && join(versions, newest, 'bin', program);
	return own && existsSync(own) ? own : onPath(program);
}

function onPath(program: string): string | undefined {
	const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
	return folders.map((folder) => join(folder, program)).find((file) => existsSync(file));
}
