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

/** Folder prepared by jest's global setup; undefined outside of jest. */
const prepared = () => process.env.CARD_TREASURY_PREPARED;
const TARBALL = 'pack.tgz';
const USER_FOLDER = 'user-folder';

/**
 * Builds and packs the package, and sets up an n8n with it once for all test files, which more than halves their start
 * time.
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

/** Builds and packs the package as npm would publish it, unless already prepared. @returns the path of the tarball */
export async function packPack(folder: string): Promise<string> {
	const ready = prepared();
	if (ready !== undefined) return join(ready, TARBALL);
	await run('npm', ['run', 'build'], PROJECT);
	await run('npm', ['pack', '--pack-destination', folder], PROJECT);
	const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'));
	if (tarball === undefined) throw new Error('npm pack wrote no tarball');
	return join(folder, tarball);
}

/** Access for setting up workflows and delivering to them. */
export interface N8nAccess {
	url: string;
	rest: (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;
}

export type RunningN8n = Awaited<ReturnType<typeof startN8n>>;

interface StartOptions {
	/** User folder of an earlier n8n, with the package and an owner. The caller removes it. */
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

/** Starts n8n on SQLite in its own user folder, with the package installed as users install it and an owner set up. */
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
			/** Folder with n8n's database. A second n8n can start on it after this one has ended. */
			userFolder,
			/** Ends n8n and removes the user folder, unless the caller provided it. */
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

/**
 * Creates a user folder with the package installed as users install it.
 * @param given an existing folder, in which only the package is replaced
 */
export async function newUserFolder(tarball: string, given?: string): Promise<string> {
	const userFolder = given ?? mkdtempSync(join(tmpdir(), 'card-treasury-n8n-'));
	const ready = prepared();
	if (ready !== undefined && given === undefined) {
		cpSync(join(ready, USER_FOLDER), userFolder, { recursive: true });
		if (tarball !== join(ready, TARBALL)) await installPack(userFolder, tarball);
		return userFolder;
	}
	const nodes = join(userFolder, '.n8n', 'nodes');
	mkdirSync(nodes, { recursive: true });
	writeFileSync(join(nodes, 'package.json'), '{"name":"installed-nodes","private":true}');
	await installPack(userFolder, tarball);
	return userFolder;
}

/** Installs the package into a user folder, instead of the version that it has. n8n must not run. */
export async function installPack(userFolder: string, tarball: string): Promise<void> {
	const nodes = join(userFolder, '.n8n', 'nodes');
	await run('npm', ['install', tarball, '--ignore-scripts', ...NPM_ARGUMENTS], nodes);
}

/** Signs in as the owner; sets up the owner first if needed. */
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
		// n8n's own Agents answer with a stream of events.
		if (answer.headers.get('content-type')?.startsWith('text/event-stream')) return { text };
		const parsed = JSON.parse(text) as { data: Record<string, unknown> };
		// The list of node types has no wrapper.
		return Array.isArray(parsed) ? (parsed as unknown as Record<string, unknown>) : parsed.data;
	};
	// n8n reports ready some time before its REST routes exist, longer on a busy machine.
	for (let tries = 1; ; tries++) {
		try {
			await rest('POST', '/rest/owner/setup', OWNER).catch(async (error: unknown) => {
				// Works if the owner exists; any other failure makes it fail as well.
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
