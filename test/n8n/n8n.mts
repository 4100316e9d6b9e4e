import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { NPM_ARGUMENTS, run } from './command.mts';
import type { Installation } from './install.mts';

const PROJECT = join(import.meta.dirname, '..', '..');

/** Builds the pack and packs it as npm would publish it. Returns the tarball's path. */
export async function packPack(folder: string): Promise<string> {
	await run('npm', ['run', 'build'], PROJECT);
	await run('npm', ['pack', '--pack-destination', folder], PROJECT);
	const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'));
	if (tarball === undefined) throw new Error('npm pack wrote no tarball');
	return join(folder, tarball);
}

export interface RunningN8n {
	url: string;
	rest: (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;
	log: () => string;
	/** Holds n8n's database; a second n8n can be started on it once this one has ended. */
	userFolder: string;
	/** Ends n8n and removes the user folder, unless it is one that was given. */
	stop: () => Promise<void>;
	/** Ends n8n and keeps the user folder; SIGKILL ends it as a power cut would. */
	end: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<void>;
}

export interface StartOptions {
	/** A folder that an earlier n8n has left, with the pack and an owner in it. Kept; the one who gives it removes it. */
	userFolder?: string;
	env?: Record<string, string>;
}

export const OWNER = { email: 'demo@example.com', firstName: 'Demo', lastName: 'Owner', password: 'Demo-only-1234' };

/** Starts n8n on SQLite in a user folder of its own, with the pack installed as users install it, and an owner set up. */
export async function startN8n(
	installation: Installation,
	tarball: string,
	options: StartOptions = {},
): Promise<RunningN8n> {
	const userFolder = options.userFolder ?? (await newUserFolder(tarball));
	const [port, broker] = await freePorts();
	const url = `http://127.0.0.1:${port}`;
	let log = '';
	const child = spawn(installation.node, [installation.n8n, 'start'], {
		env: {
			PATH: installation.path,
			HOME: userFolder,
			N8N_USER_FOLDER: userFolder,
			N8N_PORT: String(port),
			N8N_RUNNERS_BROKER_PORT: String(broker),
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_ENCRYPTION_KEY: 'demo-only-encryption-key',
			N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
			N8N_SECURE_COOKIE: 'false',
			N8N_DISABLED_MODULES: 'mcp-registry',
			...Object.fromEntries(
				['DIAGNOSTICS', 'VERSION_NOTIFICATIONS', 'TEMPLATES', 'PERSONALIZATION', 'VERIFIED_PACKAGES', 'DYNAMIC_BANNERS', 'LICENSE_AUTO_RENEW'].map(
					(name) => [`N8N_${name}_ENABLED`, 'false'],
				),
			),
			...options.env,
		},
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	child.stdout.on('data', (chunk) => (log += String(chunk)));
	child.stderr.on('data', (chunk) => (log += String(chunk)));
	const stop = async () => {
		await end(child);
		if (options.userFolder === undefined) rmSync(userFolder, { recursive: true, force: true });
	};
	try {
		await ready(url, child, () => log);
		return { url, rest: await signIn(url), log: () => log, userFolder, stop, end: async (signal) => await end(child, signal) };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** A user folder with the pack installed as users install it. */
async function newUserFolder(tarball: string): Promise<string> {
	const userFolder = mkdtempSync(join(tmpdir(), 'card-treasury-n8n-'));
	const nodes = join(userFolder, '.n8n', 'nodes');
	mkdirSync(nodes, { recursive: true });
	writeFileSync(join(nodes, 'package.json'), '{"name":"installed-nodes","private":true}');
	await run('npm', ['install', tarball, '--ignore-scripts', ...NPM_ARGUMENTS], nodes);
	return userFolder;
}

async function ready(url: string, child: ChildProcess, log: () => string): Promise<void> {
	const until = Date.now() + 180_000;
	while (Date.now() < until) {
		if (child.exitCode !== null) break;
		const answer = await fetch(`${url}/healthz/readiness`).catch(() => undefined);
		if (answer?.ok) return;
		await new Promise((resolve) => setTimeout(resolve, 300));
	}
	throw new Error(`n8n did not start:\n${log().slice(-3000)}`);
}

async function signIn(url: string): Promise<RunningN8n['rest']> {
	let cookie = '';
	const rest: RunningN8n['rest'] = async (method, path, body) => {
		const answer = await fetch(url + path, {
			method,
			headers: { 'content-type': 'application/json', cookie, 'browser-id': 'demo' },
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		const text = await answer.text();
		if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
		cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
		return (JSON.parse(text) as { data: Record<string, unknown> }).data;
	};
	// n8n reports ready a moment before its REST routes are there.
	for (let tries = 1; ; tries++) {
		try {
			await rest('POST', '/rest/owner/setup', OWNER).catch(async (error: unknown) => {
				// An owner who is there already signs in; any other failure shows when that fails too.
				await rest('POST', '/rest/login', { emailOrLdapLoginId: OWNER.email, password: OWNER.password }).catch(() => {
					throw error;
				});
			});
			return rest;
		} catch (error) {
			if (tries >= 30) throw error;
			await new Promise((resolve) => setTimeout(resolve, 500));
		}
	}
}

async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const closed = new Promise((resolve) => child.once('close', resolve));
	child.kill(signal);
	const force = setTimeout(() => child.kill('SIGKILL'), 10_000);
	await closed;
	clearTimeout(force);
}

async function freePorts(): Promise<[number, number]> {
	const servers = [createServer(), createServer()];
	const ports = await Promise.all(
		servers.map(
			(server) =>
				new Promise<number>((resolve) =>
					server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
				),
		),
	);
	await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
	return [ports[0]!, ports[1]!];
}
