import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { NPM_ARGUMENTS, run } from './command.mts';

/** Kept tarball of an earlier version. A node that it has set up must work on with every later version. */
const KEPT = join(import.meta.dirname, '..', '..', 'compat', 'kept');

export function keptVersion(): string | undefined {
	const [file] = existsSync(KEPT) ? readdirSync(KEPT) : [];
	return file === undefined ? undefined : join(KEPT, file);
}

/** Packs the content of a tarball under another version number. @returns the path of the new tarball */
export async function asVersion(tarball: string, version: string, folder: string): Promise<string> {
	const content = join(folder, version);
	mkdirSync(content);
	await run('tar', ['-xzf', tarball, '-C', content], folder);
	const manifest = join(content, 'package', 'package.json');
	const { name, ...more } = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, unknown>;
	writeFileSync(manifest, JSON.stringify({ name, ...more, version }));
	const pack = ['pack', '--ignore-scripts', '--pack-destination', folder, ...NPM_ARGUMENTS];
	await run('npm', pack, join(content, 'package'));
	return join(folder, `${String(name)}-${version}.tgz`);
}

export function installedVersion(userFolder: string): string {
	const path = ['.n8n', 'nodes', 'node_modules', 'n8n-nodes-card-treasury', 'package.json'];
	return JSON.parse(readFileSync(join(userFolder, ...path), 'utf8')).version;
}
