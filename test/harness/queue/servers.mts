import { execFile, type ChildProcess } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

import { end, freePorts, runs, spawnBound } from '../n8n/process.mts';
import { databaseUser, type Programs } from './programs.mts';

/** Server on the loopback interface. It keeps its folder and port when restarted. */
export type Server = Awaited<ReturnType<typeof startServer>>;

interface Recipe {
	name: string;
	command: string;
	args(folder: string, port: number): string[];
	/** User to run as, if not the current one. */
	user?: { uid: number; gid: number };
	/** Runs once, in the new folder. */
	prepare?(folder: string, port: number): Promise<void>;
}

export async function startPostgres({ initdb, postgres }: Programs): Promise<Server> {
	const user = databaseUser();
	return await startServer({
		name: 'postgres',
		command: postgres,
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

/** Starts Redis with an append-only file, so that n8n's queue survives a crash. */
export async function startRedis({ redis }: Programs): Promise<Server> {
	return await startServer({
		name: 'redis',
		command: redis,
		args: (folder, port) => [
			...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder],
			...['--save', '', '--appendonly', 'yes'],
		],
	});
}

/** Number of executions that n8n's queue holds as running. */
export async function runningInQueue(redis: Server): Promise<number> {
	return Number((await ask(redis, 'LLEN bull:jobs:active')).match(/^:(\d+)/)?.[1]);
}

/** Empties Redis, as if its files were lost. */
export async function emptyRedis(redis: Server): Promise<void> {
	await ask(redis, 'FLUSHALL');
}

async function ask({ port }: Server, command: string): Promise<string> {
	return await new Promise<string>((resolve, reject) => {
		const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\r\n`)).on(
			'error',
			reject,
		);
		socket.once('data', (data) => {
			socket.destroy();
			resolve(String(data));
		});
	});
}

const HAPROXY = join(import.meta.dirname, '..', '..', '..', 'docs', 'haproxy.cfg');

const NGINX = join(import.meta.dirname, '..', '..', '..', 'docs', 'nginx.conf');

function replaced(text: string, from: string, to: string): string {
	if (!text.includes(from)) throw new Error(`The configuration has no "${from}"`);
	return text.replace(from, to);
}

/** Starts HAProxy in front of one n8n, with the configuration that the docs recommend. */
export async function startHaproxy(haproxy: string, n8nUrl: string): Promise<Server> {
	return await startServer({
		name: 'haproxy',
		command: haproxy,
		args: (folder) => ['-db', '-f', join(folder, 'haproxy.cfg')],
		prepare: async (folder, port) => {
			const bound = replaced(readFileSync(HAPROXY, 'utf8'), 'bind :8080', `bind 127.0.0.1:${port}`);
			const { host } = new URL(n8nUrl);
			writeFileSync(
				join(folder, 'haproxy.cfg'),
				replaced(bound, 'server n8n 127.0.0.1:5678', `server n8n ${host}`),
			);
		},
	});
}

/**
 * Starts nginx in front of n8n, with the configuration that the docs recommend: `port` assigns each webhook URL to one
 * webhook process. `spreadPort` alternates requests between them.
 */
export async function startNginx(
	{ nginx }: Programs,
	mainPort: number,
	webhookPorts: readonly [number, number],
): Promise<Server & { spreadPort: number }> {
	const [spreadPort] = (await freePorts(1)) as [number];
	const server = await startServer({
		name: 'nginx',
		command: nginx,
		args: (folder) => ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'],
		prepare: async (folder, port) => {
			mkdirSync(join(folder, 'temporary'));
			writeFileSync(join(folder, 'n8n.conf'), recommended(port, mainPort, webhookPorts));
			writeFileSync(join(folder, 'nginx.conf'), configuration(folder, spreadPort));
		},
	});
	return { ...server, spreadPort };
}

/** The configuration of the docs, with these ports of the loopback interface. */
function recommended(port: number, main: number, webhooks: readonly [number, number]): string {
	const addresses = [
		['listen 8080', `listen 127.0.0.1:${port}`],
		['server 10.0.0.10:5678', `server 127.0.0.1:${main}`],
		['server 10.0.0.11:5678', `server 127.0.0.1:${webhooks[0]}`],
		['server 10.0.0.12:5678', `server 127.0.0.1:${webhooks[1]}`],
	] as const;
	return addresses.reduce(
		(text, [from, to]) => replaced(text, from, to),
		readFileSync(NGINX, 'utf8'),
	);
}

function configuration(folder: string, spreadPort: number): string {
	const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
		(kind) => `${kind}_temp_path ${join(folder, 'temporary')};`,
	);
	const text = readFileSync(join(folder, 'n8n.conf'), 'utf8');
	const servers = [...text.matchAll(/server 127.*max_fails.*/g)].map(([line]) => line).join(' ');
	return `
	${process.getuid?.() === 0 ? 'user root;' : ''}
	daemon off;
	worker_processes 1;
	pid ${join(folder, 'nginx.pid')};
	events { worker_connections 1024; }
	http {
		access_log off;
		${temporary.join('\n\t\t')}
		include ${join(folder, 'n8n.conf')};
		upstream any_process { ${servers} keepalive 32; keepalive_timeout 4s; }
		server {
			listen 127.0.0.1:${spreadPort};
			location / {
				proxy_pass http://any_process;
				proxy_http_version 1.1;
				proxy_set_header Connection "";
				proxy_read_timeout 60s;
			}
		}
	}`;
}

async function startServer({ name, command, args, user, prepare }: Recipe) {
	const folder = mkdtempSync(join(tmpdir(), `card-treasury-${name}-`));
	if (user) chownSync(folder, user.uid, user.gid);
	const [port] = (await freePorts(1)) as [number];
	let child: ChildProcess | undefined;
	let log = '';
	const server = {
		port,
		log: () => log,
		async kill(): Promise<void> {
			if (child) await end(child, 'SIGKILL');
		},
		/** Restarts it on its folder; does nothing while it runs. */
		async start(): Promise<void> {
			if (child && runs(child)) return;
			for (let tries = 1; ; tries++) {
				const starting = spawnBound(command, args(folder, port), { cwd: folder, ...user });
				child = starting;
				starting.on('error', (error) => (log += String(error)));
				starting.stdout?.on('data', (chunk) => (log += String(chunk)));
				starting.stderr?.on('data', (chunk) => (log += String(chunk)));
				if (await listens(port, starting)) return;
				await end(starting);
				// A killed server's lock or children can remain for a moment.
				if (tries >= 5) throw new Error(`${name} did not start:\n${log.slice(-2_000)}`);
				await wait(500);
			}
		},
		async close(): Promise<void> {
			if (child) await end(child);
			rmSync(folder, { recursive: true, force: true });
		},
	};
	try {
		await prepare?.(folder, port);
		await server.start();
		return server;
	} catch (error) {
		await server.close();
		throw error;
	}
}

/** Waits until the port accepts connections; false if the process ended or took too long. */
async function listens(port: number, child: ChildProcess): Promise<boolean> {
	const until = Date.now() + 20_000;
	while (Date.now() < until && runs(child)) {
		const open = await new Promise<boolean>((resolve) => {
			const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () =>
				resolve(false),
			);
			socket.once('connect', () => socket.destroy());
		});
		if (open) return true;
		await wait(50);
	}
	return false;
}
