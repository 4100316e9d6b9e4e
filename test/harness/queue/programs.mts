import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { findOrInstall, onPath } from '../findOrInstall.mts';
import type { Progress } from '../n8n/command.mts';

/** Programs that queue mode needs besides n8n. */
export interface Programs {
	initdb: string;
	postgres: string;
	redis: string;
	nginx: string;
}

/** Finds PostgreSQL, Redis and nginx, or installs them. */
export async function findPrograms(onProgress: Progress): Promise<Programs> {
	return await findOrInstall(find, ['postgresql', 'redis-server', 'nginx-light'], { onProgress });
}

/** Finds HAProxy, or installs it. */
export async function findHaproxy(onProgress: Progress): Promise<string> {
	return await findOrInstall(() => server('haproxy'), ['haproxy'], { onProgress });
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
	const [redis, nginx] = [server('redis-server'), server('nginx')];
	return initdb && postgres && redis && nginx ? { initdb, postgres, redis, nginx } : undefined;
}

/** Debian keeps the server programs of each version in a folder outside the path. */
function database(program: string): string | undefined {
	const versions = '/usr/lib/postgresql';
	const newest = existsSync(versions)
		? readdirSync(versions).sort((left, right) => Number(right) - Number(left))[0]
		: undefined;
	const own = newest && join(versions, newest, 'bin', program);
	return own && existsSync(own) ? own : server(program);
}

const server = (program: string) => onPath([program], ['/usr/sbin', '/usr/local/sbin']);
