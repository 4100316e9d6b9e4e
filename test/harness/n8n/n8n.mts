import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { NPM_ARGUMENTS, run } from './command.mts';
import { eventually } from './executions.mts';
import type { Host } from './install.mts';
import { startProcess } from './process.mts';

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
	const userFolder = join(folder, USER_FOLDER);
	await newUserFolder(userFolder, tarball);
	await (await startN8n(host, { userFolder })).end();
	cpSync(tarball, join(folder, TARBALL));
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

export async function newUserFolder(userFolder: string, tarball: string): Promise<void> {
	const ready = prepared();
	if (ready !== undefined) cpSync(join(ready, USER_FOLDER), userFolder, { recursive: true });
	if (ready === undefined || tarball !== join(ready, TARBALL))
		await installPack(userFolder, tarball);
}

/** Installs the package into a user folder as users install it, instead of the version that it has. n8n must not run. */
export async function installPack(userFolder: string, tarball: string): Promise<void> {
	const nodes = join(userFolder, '.n8n', 'nodes');
	mkdirSync(nodes, { recursive: true });
	writeFileSync(join(nodes, 'package.json'), '{"name":"installed-nodes","private":true}');
	await run('npm', ['install', tarball, '--ignore-scripts', ...NPM_ARGUMENTS], nodes);
}

/** Access for setting up workflows and delivering to them. */
export interface N8nAccess {
	url: string;
	/** Returns `data` of the answer, if it has such a wrapper. */
	rest: (method: string, path: string, body?: unknown) => Promise<any>;
}

export type RunningN8n = Awaited<ReturnType<typeof startN8n>>;

export const OWNER = {
	email: 'demo@example.com',
	firstName: 'Demo',
	lastName: 'Owner',
	password: 'Demo-only-1234',
};

/** Starts n8n on SQLite, with an owner set up. */
export async function startN8n(
	host: Host,
	options: { userFolder: string; port?: number; env?: Record<string, string> },
) {
	const main = await startProcess(host, ['start'], options);
	const rest = restOf(main.url);
	const { start } = main;
	const n8n = Object.assign(main, {
		rest,
		userFolder: options.userFolder,
		async start(): Promise<void> {
			await start();
			await signIn(rest);
		},
	});
	try {
		await signIn(rest);
		return n8n;
	} catch (error) {
		await n8n.end();
		throw error;
	}
}

/** Returns n8n's REST interface. It keeps the cookie of the user who has signed in. */
export function restOf(url: string): N8nAccess['rest'] {
	let cookie = '';
	return async (method, path, body) => {
		const answer = await fetch(url + path, {
			method,
			headers: {
				...{ 'content-type': 'application/json', cookie, 'browser-id': 'demo' },
				// n8n ends idle connections, and one that has ended cannot be told apart in time.
				connection: 'close',
			},
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		const text = await answer.text();
		if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
		cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
		// n8n's own Agents answer with a stream of events.
		if (answer.headers.get('content-type')?.startsWith('text/event-stream')) return { text };
		const parsed = JSON.parse(text);
		// The list of node types has no wrapper.
		return Array.isArray(parsed) ? parsed : parsed.data;
	};
}

/** Signs in as the owner; sets up the owner first if needed. n8n reports ready some time before its REST routes exist. */
export async function signIn(rest: N8nAccess['rest']): Promise<void> {
	const { email: emailOrLdapLoginId, password } = OWNER;
	const login = async () => await rest('POST', '/rest/login', { emailOrLdapLoginId, password });
	await eventually(
		async () =>
			await login()
				.catch(async () => await rest('POST', '/rest/owner/setup', OWNER))
				.catch(() => undefined),
	);
}
