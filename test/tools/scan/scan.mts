import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { NPM_ARGUMENTS, run } from '../../harness/n8n/command.mts';
import { cacheFolder, installOnce } from '../../harness/n8n/install.mts';
import { packPack } from '../../harness/n8n/n8n.mts';

const PROJECT = join(import.meta.dirname, '..', '..', '..');
const PINS = join(import.meta.dirname, 'scanner');
const PINNED = '0.32.0';
/** Versions that n8n's reviewers may use: the published one and the next. */
const TAGS = ['latest', 'beta'];
/** Scans a folder with the source, read in place, and a folder with the unpacked tarball, as the scanner does. */
const SCRIPT = `
	import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';
	const [source, unpacked] = process.argv.slice(1);
	const messages = ({ passed, message, details }) => (passed && !message ? '' : String(details ?? message));
	process.stdout.write(JSON.stringify({
		source: messages(await analyzePackage(source, SOURCE_FILE_PATTERNS)),
		tarball: messages(await analyzePackage(unpacked, ['**/*.js', 'package.json'])),
	}));`;
/** Violation that the scanner finds although it is switched off inline. */
const HIDDEN = '\n/* eslint-disable */\nconsole.log(process.env);\n';

/** Runs the lint part of n8n's scanner for community packages, of each version. @throws if it finds anything */
async function main(folder: string): Promise<void> {
	const source = join(folder, 'source');
	for (const part of ['package.json', 'nodes', 'credentials'])
		cpSync(join(PROJECT, part), join(source, part), { recursive: true });
	await run('tar', ['-xzf', await packPack(folder), '-C', folder], folder);
	const unpacked = join(folder, 'package');
	const scan = async (version: string) => {
		const script = ['--input-type=module', '-e', SCRIPT, source, unpacked];
		const printed = await run(process.execPath, script, await installScanner(version));
		const findings = JSON.parse(printed.slice(printed.indexOf('{"source"'))) as object;
		return Object.entries(findings) as Array<[part: string, messages: string]>;
	};
	const found: string[] = [];
	for (const version of await scannerVersions())
		for (const [part, messages] of await scan(version)) {
			console.log(`scanner ${version}, ${part}: ${messages || '0 errors'}`);
			if (messages) found.push(part);
		}
	appendFileSync(join(source, 'nodes/CardTreasury/operations/operation.ts'), HIDDEN);
	appendFileSync(join(unpacked, 'dist/nodes/CardTreasury/operations/operation.js'), HIDDEN);
	for (const [part, messages] of await scan(PINNED))
		if (!messages.includes('no-console')) throw new Error(`The scanner is blind to the ${part}`);
	if (found.length > 0) throw new Error(`The scanner refuses: ${found.join(', ')}`);
}

/** The pinned scanner and those that the registry has under the tags, each once. */
async function scannerVersions(): Promise<string[]> {
	const view = ['view', '@n8n/scan-community-package', 'dist-tags', '--json', '--loglevel=error'];
	const printed = await run('npm', view, PINS);
	const tags = JSON.parse(printed.slice(printed.indexOf('{'))) as Record<string, string>;
	return [...new Set([PINNED, ...TAGS.flatMap((tag) => tags[tag] ?? [])])];
}

async function installScanner(version: string): Promise<string> {
	const folder = join(cacheFolder(), `scanner-${version}`);
	await installOnce(folder, async () => {
		console.log(`Installing n8n's scanner ${version} into ${folder} (about a minute, only once) …`);
		const pins = readFileSync(join(PINS, 'package.json'), 'utf8');
		writeFileSync(join(folder, 'package.json'), pins.replace(`"${PINNED}"`, `"${version}"`));
		const isPinned = version === PINNED;
		const lock = 'package-lock.json';
		if (isPinned) cpSync(join(PINS, lock), join(folder, lock));
		const install = [isPinned ? 'ci' : 'install', '--ignore-scripts', ...NPM_ARGUMENTS];
		await run('npm', install, folder, { onProgress: console.log });
	});
	return folder;
}

const folder = mkdtempSync(join(tmpdir(), 'card-treasury-scan-'));
try {
	await main(folder);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
