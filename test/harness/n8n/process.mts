import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';

import { listen } from '../../simulator/listen.mts';
import type { Host } from './host.mts';

/** One running process of n8n: the main one, a worker or a webhook process. */
export type N8nProcess = Awaited<ReturnType<typeof startProcess>>;

export interface ProcessOptions {
	/** Where n8n keeps what is its own; each process needs one of its own. */
	userFolder: string;
	/** Default: any free port. */
	port?: number;
	env?: Record<string, string>;
}

/** Settings with which n8n runs without asking anything of the internet, and of which the data can be read by all its processes. */
const QUIET: Record<string, string> = {
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	// What the URLs that n8n gives out begin with: `localhost`, the default, may be another address.
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
 * @throws Error with the end of its log when it does not get ready
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
		/** Of the main and of webhook processes; of a worker, its health check. */
		url,
		/** Of the operating system. */
		pid: child.pid!,
		log,
		running: () => runs(child),
		/** Ends it; SIGKILL ends it as a power cut would. Does nothing when it has ended. */
		end: async (signal?: 'SIGTERM' | 'SIGKILL') => await end(child, signal),
	};
}

/** Runs `n8n <args>`, a command that ends by itself, to its end. */
export async function runCommand(
	host: Host,
	args: string[],
	options: ProcessOptions,
): Promise<{ code: number | null; log: string }> {
	const { child, log } = await spawnN8n(host, args, options);
	const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
	return { code, log: log() };
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

/** The module that asks the internet for a list of servers. */
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

/** Util-linux's; part of every Debian. */
const SETPRIV = '/usr/bin/setpriv';

/**
 * Starts a program whose output is read. Where Linux offers it, the program ends by `signal` when the one that started it
 * is gone, even when that was killed and could not tidy up.
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

/** Ends a process and waits until it is gone; one that does not heed the signal is killed after ten seconds. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
	if (!runs(child)) return;
	const closed = new Promise((resolve) => child.once('close', resolve));
	child.kill(signal);
	const force = setTimeout(() => child.kill('SIGKILL'), 10_000);
	await closed;
	clearTimeout(force);
}

/** So many different ports on which nobody listens at the moment. */
export async function freePorts(count: number): Promise<number[]> {
	const all = await Promise.all(Array.from({ length: count }, () => listen(createServer())));
	await Promise.all(all.map(async ({ close }) => await close()));
	return all.map(({ port }) => port);
}
