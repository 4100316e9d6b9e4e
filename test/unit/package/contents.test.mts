import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { NEWEST_N8N } from '../../harness/n8n/install.mts';

const PROJECT = join(import.meta.dirname, '..', '..', '..');
const manifest = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as Record<
	string,
	any
>;

/** Modules that a verified node may import and that every supported n8n provides. */
const ALLOWED = ['n8n-workflow', 'zod', 'luxon', 'p-limit', 'node:crypto'];

/**
 * Dependencies of the newest n8n. Only its direct dependencies are certain to be found by a community node;
 * `test:compat` loads the package in the other versions.
 */
function dependenciesOfN8n(): string[] {
	const lock = JSON.parse(
		readFileSync(join(PROJECT, 'test/harness/n8n/hosts', NEWEST_N8N, 'package-lock.json'), 'utf8'),
	) as Record<string, any>;
	return Object.keys(lock.packages['node_modules/n8n'].dependencies as object);
}

interface Packed {
	/** Size of the tarball in bytes. */
	size: number;
	/** Paths in the package. */
	files: string[];
}

/** Packs the package as npm would publish it. Needs a build, which `npm test` makes first. */
function pack(): Packed {
	const printed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
		cwd: PROJECT,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
		// On Windows npm is a script, which needs a shell.
		shell: process.platform === 'win32',
	});
	const [{ size, files }] = JSON.parse(printed) as [
		{ size: number; files: Array<{ path: string }> },
	];
	return { size, files: files.map(({ path }) => path) };
}

const { size, files } = pack();

it('the package holds nodes, credentials, README, LICENSE and package.json, and every file named for n8n', () => {
	expect(files.filter((path) => !/^dist\/(nodes|credentials)\//.test(path)).sort()).toEqual([
		'LICENSE',
		'README.md',
		'package.json',
	]);
	expect(files).toEqual(
		expect.arrayContaining([...manifest.n8n.nodes, ...manifest.n8n.credentials]),
	);
	expect(
		files.filter((path) => /(?:^|\/)test\/|\.test\.|simulator|\.mts|\.tsbuildinfo/.test(path)),
	).toEqual([]);
});

it('the package weighs less than 90 KB', () => {
	expect(size).toBeGreaterThan(10_000);
	expect(size).toBeLessThan(90_000);
});

it('the package has no dependencies and imports only what n8n allows', () => {
	expect(manifest.dependencies).toBeUndefined();
	expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	const imported = files
		.filter((path) => path.endsWith('.js'))
		.flatMap((path) =>
			[...readFileSync(join(PROJECT, path), 'utf8').matchAll(/\brequire\("([^"]+)"\)/g)].map(
				([, name]) => name!,
			),
		)
		.filter((name) => !name.startsWith('.'));
	expect(imported).toContain('n8n-workflow');
	expect(imported.filter((name) => !ALLOWED.includes(name))).toEqual([]);
	const packages = imported.filter((name) => !name.startsWith('node:'));
	expect(packages.filter((name) => !dependenciesOfN8n().includes(name))).toEqual([]);
});
