import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { packPack } from '../harness/n8n/n8n.mts';
import { itemsOf, outcomesOf, pay, publishPayments } from '../harness/n8n/payments.mts';
import { n8n, scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { asVersion, installedVersion } from '../harness/n8n/versions.mts';
import { listen } from '../simulator/listen.mts';

/** n8n installs one unverified package by its version and checksum, from a registry on the loopback interface. */

const NAME = 'n8n-nodes-card-treasury';
const COUNT = 30;
const folder = mkdtempSync(join(tmpdir(), 'card-treasury-checksum-'));
/** Environment of n8n, read at every start. */
const env: Record<string, string> = {
	...{ N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true', N8N_UNVERIFIED_PACKAGES_ENABLED: 'false' },
	// Nothing else is reached: n8n asks its own server whether the package is banned.
	...{ HTTPS_PROXY: 'http://127.0.0.1:1', NO_PROXY: '127.0.0.1' },
	PATH: [folder, process.env.PATH].join(delimiter),
};
const tarballs = new Map<string, Buffer>();
const sumOf = (version: string) =>
	`sha512-${createHash('sha512').update(tarballs.get(version)!).digest('base64')}`;

/** Registry with the metadata that npm asks for. */
const registry = createServer(({ url = '', headers }, answer) => {
	const [version] = [...tarballs.keys()].filter((each) => url.includes(each));
	if (url.endsWith('.tgz')) return void answer.end(tarballs.get(version!));
	const versions = Object.fromEntries(
		[...tarballs.keys()].map((each) => {
			const tarball = `http://${headers.host}/${each}.tgz`;
			return [each, { name: NAME, version: each, dist: { tarball, integrity: sumOf(each) } }];
		}),
	);
	const whole = { name: NAME, versions, 'dist-tags': { latest: [...tarballs.keys()].at(-1) } };
	answer.end(JSON.stringify(version === undefined ? whole : versions[version]));
});

let close: () => Promise<unknown>;
beforeAll(async () => {
	const listening = await listen(registry);
	close = listening.close;
	// Another registry needs a license, so that a stand-in for npm puts its address into n8n's calls.
	const npm = `PATH='${process.env.PATH}' exec npm "\${@/https:\\/\\/registry.npmjs.org/http://127.0.0.1:${listening.port}}"`;
	writeFileSync(join(folder, 'npm'), `#!/usr/bin/env bash\n${npm}\n`, { mode: 0o755 });
	const packed = await packPack(folder);
	for (const version of ['7.0.0', '7.0.1'])
		tarballs.set(version, readFileSync(await asVersion(packed, version, folder)));
}, 300_000);
afterAll(async () => {
	await close?.();
	rmSync(folder, { recursive: true, force: true });
});
useN8n(() => env);

/** Starts n8n with this version as the only package. @returns true if it has the nodes */
async function start(version: string, checksum: string): Promise<boolean> {
	env.N8N_COMMUNITY_PACKAGES = JSON.stringify([{ name: NAME, version, checksum }]);
	await scenario.restart();
	const types = await n8n.rest('GET', '/types/nodes.json');
	return JSON.stringify(types).includes(`${NAME}.cardTreasury`);
}

it(`installs and updates by checksum alone, and ${COUNT} payments stay remembered`, async () => {
	const nodes = join(n8n.userFolder, '.n8n', 'nodes');
	rmSync(nodes, { recursive: true });
	expect(await start('7.0.0', sumOf('7.0.1'))).toBe(false);
	expect(n8n.log()).toContain('Failed to verify package checksum');
	expect(await start('7.0.0', sumOf('7.0.0'))).toBe(true);

	const chain = await publishPayments();
	const others = (outcome: string) => Array<string>(COUNT).fill(outcome);
	expect(outcomesOf(await pay(chain, itemsOf(COUNT)))).toEqual(others('done'));
	expect(await start('7.0.1', sumOf('7.0.0'))).toBe(true);
	expect(installedVersion(n8n.userFolder)).toBe('7.0.0');
	expect(await start('7.0.1', sumOf('7.0.1'))).toBe(true);
	expect(installedVersion(n8n.userFolder)).toBe('7.0.1');
	expect(outcomesOf(await pay(chain, itemsOf(COUNT), 2))).toEqual(others('already_sent'));
}, 600_000);
