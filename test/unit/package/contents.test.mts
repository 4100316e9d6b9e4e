import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { NEWEST_N8N } from '../../harness/n8n/install.mts';

const PROJECT = join(import.meta.dirname, '..', '..', '..');
const read = (path: string): Record<string, any> =>
	JSON.parse(readFileSync(join(PROJECT, path), 'utf8'));
const manifest = read('package.json');

/** Modules that a verified node may import and that every supported n8n provides. */
const ALLOWED = ['n8n-workflow', 'zod', 'luxon', 'p-limit', 'node:crypto'];

/**
 * Dependencies of the newest n8n. Only its direct dependencies are certain to be found by a community node;
 * `test:compat` loads the package in the other versions.
 */
const lock = read(`test/harness/n8n/hosts/${NEWEST_N8N}/package-lock.json`);
const OF_N8N = Object.keys(lock.packages['node_modules/n8n'].dependencies);

/** The package as npm would publish it. Needs a build, which `npm test` makes first. */
const printed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
	cwd: PROJECT,
	encoding: 'utf8',
	stdio: ['ignore', 'pipe', 'ignore'],
	// On Windows npm is a script, which needs a shell.
	shell: process.platform === 'win32',
});
type Packed = { size: number; files: Array<{ path: string }> };
const [{ size, files: packed }] = JSON.parse(printed) as [Packed];
const files = packed.map(({ path }) => path);

it('the package holds nodes, credentials, README, LICENSE and package.json, and every file named for n8n', () => {
	const others = files.filter((path) => !/^dist\/(nodes|credentials)\//.test(path));
	expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
	const named = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
	expect(files).toEqual(expect.arrayContaining(named));
	const ofTests = /(?:^|\/)test\/|\.test\.|simulator|\.mts|\.tsbuildinfo/;
	expect(files.filter((path) => ofTests.test(path))).toEqual([]);
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
		.map((path) => readFileSync(join(PROJECT, path), 'utf8'))
		.flatMap((code) => [...code.matchAll(/\brequire\("([^".][^"]*)"\)/g)])
		.map(([, name]) => name!);
	expect(imported).toContain('n8n-workflow');
	expect(imported.filter((name) => !ALLOWED.includes(name))).toEqual([]);
	const packages = imported.filter((name) => !name.startsWith('node:'));
	expect(packages.filter((name) => !OF_N8N.includes(name))).toEqual([]);
});
