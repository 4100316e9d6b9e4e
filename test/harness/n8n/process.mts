import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';

import { listen } from '../../simulator/listen.mts';
import type { Host } from './host.mts';

/** Running process of n8n: main, worker or webhook process. */
export type N8nProcess = Awaited<ReturnType<typeof startProcess>>;

interface ProcessOptions {
	/** n8n's data folder; each process needs its own. */
	userFolder: string;
	/** Default: any free port. */
	port?: number;
	env?: Record<string, string>;
}

/** Settings that keep n8n off the internet and let all its processes read the data. */
const QUIET: Record<string, string> = {
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	// Base of the URLs that n8n returns. The default `localhost` may resolve to another address.
	N8N_HOST: '127.0.0.1',
	N8N_ENCRYPTION_KEY: 'demo-only-encryption-key',
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
	N8N_SECURE_COOKIE: 'false',
	...Object.fromEntries(
		[
			'DIAGNOSTICS',
			'VERSION_NOTIFICATIONS',
			'TEMPLATES',
			'PERSONALIZATION',
			'VERIFIED_PACKAGES',
			'DYNAMIC_BANNERS',
			'LICENSE_AUTO_RENEW',
		].map((name) => [`N8N_${name}_ENABLED`, 'false']),
	),
};

/**
 * Starts `n8n <args>` and waits until it is ready.
 * @throws Error with the end of its log if it does not get ready
 */
export async function startProcess(host: Host, args: string[], options: ProcessOptions) {
	const { child, port, log } = await spawnN8n(host, args, options);
	const url = `http://127.0.0.1:${port}`;
	try {
		await ready(url, child, log);
	} catch (error) {
		await end(child);
		throw error;
	}
	return {
		/** Base URL of a main or webhook process; health check of a worker. */
		url,
		/** Process ID of the operating system. */
		pid: child.pid!,
		log,
		running: () => runs(child),
		/** Ends the process; SIGKILL acts like a power cut. Does nothing after the end. */
		end: async (signal?: 'SIGTERM' | 'SIGKILL', withinMs?: number) =>
			await end(child, signal, withinMs),
	};
}

async function spawnN8n(host: Host, args: string[], options: ProcessOptions) {
	const [free, broker] = await freePorts(2);
	const port = options.port ?? free!;
	let log = '';
	const child = host.spawn(args, {
		HOME: options.userFolder,
		N8N_USER_FOLDER: options.userFolder,
		N8N_PORT: String(port),
		N8N_RUNNERS_BROKER_PORT: String(broker),
		...QUIET,
		...withoutRegistry(host),
		...options.env,
	});
	child.stdout?.on('data', (chunk) => (log += String(chunk)));
	child.stderr?.on('data', (chunk) => (log += String(chunk)));
	return { child, port, log: () => log };
}

/** Disables the module that requests a list of servers from the internet. */
function withoutRegistry(host: Host): Record<string, string> {
	const module = 'mcp-registry';
	return host.hasModule(module) ? { N8N_DISABLED_MODULES: module } : {};
}

async function ready(url: string, child: ChildProcess, log: () => string): Promise<void> {
	const until = Date.now() + 300_000;
	while (Date.now() < until) {
		if (!runs(child)) break;
		const answer = await fetch(`${url}/healthz/readiness`).catch(() => undefined);
		if (answer?.ok) return;
		await new Promise((resolve) => setTimeout(resolve, 300));
	}
	throw new Error(`n8n did not start:\n${log().slice(-3000)}`);
}

/** Part of util-linux, which every Debian has. */
const SETPRIV = '/usr/bin/setpriv';

/**
 * Starts a program and captures its output. On Linux it gets `signal` when its parent is gone, even if the parent was
 * killed.
 */
export function spawnBound(
	command: string,
	args: string[],
	options: SpawnOptions,
	signal: 'KILL' | 'TERM' = 'TERM',
): ChildProcess {
	const bound = existsSync(SETPRIV)
		? [SETPRIV, '--pdeathsig', signal, command, ...args]
		: [command, ...args];
	return spawn(bound[0]!, bound.slice(1), { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
}

export const runs = ({ exitCode, signalCode }: ChildProcess) =>
	exitCode === null && signalCode === null;

/** Ends a process and waits until it is gone. After `withinMs` it is killed. */
export async function end(
	child: ChildProcess,
	signal: NodeJS.Signals = 'SIGTERM',
	withinMs = 10_000,
): Promise<void> {
	if (!runs(child)) return;
	const closed = new Promise((resolve) => child.once('close', resolve));
	child.kill(signal);
	const force = setTimeout(() => child.kill('SIGKILL'), withinMs);
	await closed;
	clearTimeout(force);
}

/** Returns different free ports. */
export async function freePorts(count: number): Promise<number[]> {
	const all = await Promise.all(Array.from({ length: count }, () => listen(createServer())));
	await Promise.all(all.map(async ({ close }) => await close()));
	return all.map(({ port }) => port);
}
