import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { NPM_ARGUMENTS, run } from './command.mts';
import type { Host } from './host.mts';
import { startProcess, type N8nProcess } from './process.mts';

const PROJECT = join(import.meta.dirname, '..', '..', '..');

/** Where jest's global setup has left what every test file needs; undefined outside of jest. */
const prepared = () => process.env.CARD_TREASURY_PREPARED;
const TARBALL = 'pack.tgz';
const USER_FOLDER = 'user-folder';

/**
 * Builds and packs the pack, and has an n8n set itself up with it, once for all test files: each of their own takes less
 * than half as long to start.
 */
export async function prepare(host: Host): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'card-treasury-prepared-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	const tarball = await packPack(folder);
	const userFolder = await newUserFolder(tarball);
	await (await startN8n(host, tarball, { userFolder })).end();
	renameSync(tarball, join(folder, TARBALL));
	renameSync(userFolder, join(folder, USER_FOLDER));
	process.env.CARD_TREASURY_PREPARED = folder;
}

/** Builds the pack and packs it as npm would publish it, unless that has been prepared. Returns the tarball's path. */
export async function packPack(folder: string): Promise<string> {
	const ready = prepared();
	if (ready !== undefined) return join(ready, TARBALL);
	await run('npm', ['run', 'build'], PROJECT);
	await run('npm', ['pack', '--pack-destination', folder], PROJECT);
	const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'));
	if (tarball === undefined) throw new Error('npm pack wrote no tarball');
	return join(folder, tarball);
}

/** What is needed to set up workflows in n8n and to deliver to them. */
export interface N8nAccess {
	url: string;
	rest: (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;
}

export type RunningN8n = Awaited<ReturnType<typeof startN8n>>;

export interface StartOptions {
	/** A folder that an earlier n8n has left, with the pack and an owner in it. Kept; the one who gives it removes it. */
	userFolder?: string;
	/** Default: any free port. */
	port?: number;
	env?: Record<string, string>;
}

export const OWNER = {
	email: 'demo@example.com',
	firstName: 'Demo',
	lastName: 'Owner',
	password: 'Demo-only-1234',
};

/** Starts n8n on SQLite in a user folder of its own, with the pack installed as users install it, and an owner set up. */
export async function startN8n(host: Host, tarball: string, options: StartOptions = {}) {
	const userFolder = options.userFolder ?? (await newUserFolder(tarball));
	let started: N8nProcess | undefined;
	const stop = async () => {
		await started?.end();
		if (options.userFolder === undefined) rmSync(userFolder, { recursive: true, force: true });
	};
	try {
		started = await startProcess(host, ['start'], { ...options, userFolder });
		return {
			...started,
			rest: await signIn(started.url),
			/** Holds n8n's database; a second n8n can be started on it once this one has ended. */
			userFolder,
			/** Ends n8n and removes the user folder, unless it is one that was given. */
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

/** A user folder with the pack installed as users install it. */
export async function newUserFolder(tarball: string): Promise<string> {
	const userFolder = mkdtempSync(join(tmpdir(), 'card-treasury-n8n-'));
	const ready = prepared();
	if (ready !== undefined) {
		cpSync(join(ready, USER_FOLDER), userFolder, { recursive: true });
		return userFolder;
	}
	const nodes = join(userFolder, '.n8n', 'nodes');
	mkdirSync(nodes, { recursive: true });
	writeFileSync(join(nodes, 'package.json'), '{"name":"installed-nodes","private":true}');
	await run('npm', ['install', tarball, '--ignore-scripts', ...NPM_ARGUMENTS], nodes);
	return userFolder;
}

/** Signs in as the owner, who is set up when there is none yet. */
export async function signIn(url: string): Promise<N8nAccess['rest']> {
	let cookie = '';
	const rest: N8nAccess['rest'] = async (method, path, body) => {
		const answer = await fetch(url + path, {
			method,
			headers: { 'content-type': 'application/json', cookie, 'browser-id': 'demo' },
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		const text = await answer.text();
		if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
		cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
		// What one of n8n's own Agents says comes as a stream of events.
		if (answer.headers.get('content-type')?.startsWith('text/event-stream')) return { text };
		const parsed = JSON.parse(text) as { data: Record<string, unknown> };
		// The list of node types comes without the wrapper.
		return Array.isArray(parsed) ? (parsed as unknown as Record<string, unknown>) : parsed.data;
	};
	// n8n reports ready a moment before its REST routes are there, and not only a moment on a busy machine.
	for (let tries = 1; ; tries++) {
		try {
			await rest('POST', '/rest/owner/setup', OWNER).catch(async (error: unknown) => {
				// An owner who is there already signs in; any other failure shows when that fails too.
				await rest('POST', '/rest/login', {
					emailOrLdapLoginId: OWNER.email,
					password: OWNER.password,
				}).catch(() => {
					throw error;
				});
			});
			return rest;
		} catch (error) {
			if (tries >= 120) throw error;
			await new Promise((resolve) => setTimeout(resolve, 500));
		}
	}
}
