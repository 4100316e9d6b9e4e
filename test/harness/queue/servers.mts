import { execFile, execFileSync } from 'node:child_process';
import {
	chownSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { findOrInstall, onPath } from '../findOrInstall.mts';
import { freePorts, programOf, spawnBound } from '../program.mts';

/** Server on the loopback interface. It keeps its folder and port when restarted. */
export type Server = Awaited<ReturnType<typeof startServer>>;

/** Debian keeps the server programs of each PostgreSQL version in a folder outside the path. */
const POSTGRES = '/usr/lib/postgresql';

/** Finds a server program, or installs its package. */
async function programIn(debianPackage: string, program = debianPackage): Promise<string> {
	const find = () => {
		const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES) : [];
		const newest = versions.sort((left, right) => Number(right) - Number(left))[0] ?? '';
		return onPath([program], ['/usr/sbin', '/usr/local/sbin', join(POSTGRES, newest, 'bin')]);
	};
	return await findOrInstall(find, [debianPackage]);
}

interface Recipe {
	name: string;
	command: string;
	args(folder: string, port: number): string[];
	user?: { uid: number; gid: number };
	prepare?(folder: string, port: number): Promise<void>;
}

async function startServer({ name, command, args, user, prepare }: Recipe) {
	const folder = mkdtempSync(join(tmpdir(), `card-treasury-${name}-`));
	if (user) chownSync(folder, user.uid, user.gid);
	const [port] = (await freePorts(1)) as [number];
	const program = programOf({
		name,
		spawn: () => spawnBound(command, args(folder, port), { cwd: folder, ...user }),
		isReady: async () => await accepts(port),
		startsWithinMs: 20_000,
	});
	const server = Object.assign(program, {
		port,
		async close(): Promise<void> {
			await program.end();
			rmSync(folder, { recursive: true, force: true });
		},
	});
	try {
		await prepare?.(folder, port);
		await server.start();
		return server;
	} catch (error) {
		await server.close();
		throw error;
	}
}

async function accepts(port: number): Promise<boolean> {
	return await new Promise<boolean>((resolve) => {
		const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () =>
			resolve(false),
		);
		socket.once('connect', () => socket.destroy());
	});
}

export async function startPostgres(): Promise<Server> {
	const initdb = await programIn('postgresql', 'initdb');
	const user = databaseUser();
	return await startServer({
		name: 'postgres',
		command: await programIn('postgresql', 'postgres'),
		user,
		// TCP connections only, because the package's socket folder belongs to another user.
		args: (folder, port) => [
			...['-D', join(folder, 'data'), '-p', String(port), '-h', '127.0.0.1'],
			...['-c', 'unix_socket_directories='],
		],
		prepare: async (folder) => {
			const args = ['-A', 'trust', '-U', 'n8n', '--no-sync', '-E', 'UTF8'];
			await promisify(execFile)(initdb, ['-D', join(folder, 'data'), ...args], {
				cwd: folder,
				...user,
			});
		},
	});
}

/** PostgreSQL refuses to run as root, so it runs as the user of its package. */
function databaseUser(): { uid: number; gid: number } | undefined {
	if (process.getuid?.() !== 0) return undefined;
	const idOf = (flag: string) =>
		Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
	return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Starts Redis with an append-only file, so that n8n's queue survives a crash. */
export async function startRedis(): Promise<Server> {
	return await startServer({
		name: 'redis',
		command: await programIn('redis-server'),
		args: (folder, port) => [
			...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder],
			...['--save', '', '--appendonly', 'yes'],
		],
	});
}

export async function runningInQueue(redis: Server): Promise<number> {
	return Number(await ask(redis, 'LLEN', 'bull:jobs:active'));
}

/** Empties Redis, as if its files were lost. */
export async function emptyRedis(redis: Server): Promise<void> {
	await ask(redis, 'FLUSHALL');
}

async function ask({ port }: Server, ...command: string[]): Promise<string> {
	const { stdout } = await promisify(execFile)('redis-cli', ['-p', String(port), ...command]);
	return stdout;
}

/** Starts HAProxy in front of one n8n, with the configuration that the docs recommend. */
export async function startHaproxy(n8nUrl: string): Promise<Server> {
	return await startServer({
		name: 'haproxy',
		command: await programIn('haproxy'),
		args: (folder) => ['-db', '-f', join(folder, 'haproxy.cfg')],
		prepare: async (folder, port) =>
			writeFileSync(
				join(folder, 'haproxy.cfg'),
				recommended('haproxy.cfg', {
					'bind :8080': `bind 127.0.0.1:${port}`,
					'server n8n 127.0.0.1:5678': `server n8n ${new URL(n8nUrl).host}`,
				}),
			),
	});
}

/**
 * Starts nginx in front of n8n, with the configuration that the docs recommend, which assigns each webhook URL to one
 * webhook process.
 */
export async function startNginx(mainAndWebhooks: Array<{ url: string }>): Promise<Server> {
	const servers = mainAndWebhooks.map(({ url }, at) => [
		`server 10.0.0.1${at}:5678`,
		`server ${new URL(url).host}`,
	]);
	return await startServer({
		name: 'nginx',
		command: await programIn('nginx-light', 'nginx'),
		args: (folder) => ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'],
		prepare: async (folder, port) => {
			const site = recommended('nginx.conf', {
				'listen 8080': `listen 127.0.0.1:${port}`,
				...Object.fromEntries(servers),
			});
			const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
				(kind) => `${kind}_temp_path ${join(folder, kind)};`,
			);
			writeFileSync(
				join(folder, 'nginx.conf'),
				`${process.getuid?.() === 0 ? 'user root;' : ''}
				daemon off;
				worker_processes 1;
				pid ${join(folder, 'nginx.pid')};
				events { worker_connections 1024; }
				http {
					access_log off;
					${temporary.join('\n')}
					${site}
				}`,
			);
		},
	});
}

/** Configuration of the docs, with other addresses. @throws if it lacks one */
function recommended(file: string, addresses: Record<string, string>): string {
	const path = join(import.meta.dirname, '..', '..', '..', 'docs', file);
	return Object.entries(addresses).reduce(
		(text, [from, to]) => {
			if (!text.includes(from)) throw new Error(`${file} has no "${from}"`);
			return text.replace(from, to);
		},
		readFileSync(path, 'utf8'),
	);
}
