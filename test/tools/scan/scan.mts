import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { NPM_ARGUMENTS, run, type Progress } from '../../harness/n8n/command.mts';
import { cacheFolder, installOnce } from '../../harness/n8n/install.mts';

const PROJECT = join(import.meta.dirname, '..', '..', '..');
const PINS = join(import.meta.dirname, 'scanner');
/** Version pinned in `scanner/`. */
const PINNED = '0.32.0';
/** Versions that n8n's reviewers may use: the published one and the next. */
const TAGS = ['latest', 'beta'];

/** Lint messages by scanned part; empty if the scanner accepts it. */
interface Findings {
	source: string;
	tarball: string;
}

/**
 * Runs the lint part of n8n's scanner for community packages as the scanner does: inline disables are ignored, the
 * source is read in place, the tarball as npm unpacks it.
 * @param source folder with `package.json`, `nodes/` and `credentials/`
 * @param unpacked folder with the unpacked tarball
 * @param version version of the scanner
 */
export async function scan(
	{ source, unpacked }: { source: string; unpacked: string },
	onProgress: Progress,
	version = PINNED,
): Promise<Findings> {
	const scanner = await installScanner(version, onProgress);
	// Separate process, because the scanner's ES modules come from another folder.
	const script = `
		import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';
		const [source, unpacked] = process.argv.slice(1);
		const messages = ({ passed, message, details }) => (passed && !message ? '' : String(details ?? message));
		process.stdout.write(JSON.stringify({
			source: messages(await analyzePackage(source, SOURCE_FILE_PATTERNS)),
			tarball: messages(await analyzePackage(unpacked, ['**/*.js', 'package.json'])),
		}));`;
	const printed = await run(
		process.execPath,
		['--input-type=module', '-e', script, source, unpacked],
		scanner,
	);
	return JSON.parse(printed.slice(printed.indexOf('{"source"'))) as Findings;
}

/** The pinned scanner and those that the registry has under the tags, each once. */
export async function scannerVersions(): Promise<string[]> {
	const printed = await run(
		'npm',
		['view', '@n8n/scan-community-package', 'dist-tags', '--json', '--loglevel=error'],
		PINS,
	);
	const tags = JSON.parse(printed.slice(printed.indexOf('{'))) as Record<string, string>;
	return [...new Set([PINNED, ...TAGS.flatMap((tag) => tags[tag] ?? [])])];
}

/** Copies the scanned source, so that a test can change it. */
export function copySource(folder: string): void {
	mkdirSync(folder, { recursive: true });
	for (const part of ['package.json', 'nodes', 'credentials'])
		cpSync(join(PROJECT, part), join(folder, part), { recursive: true });
}

/** Unpacks a tarball of npm. @returns the folder with the package in it */
export async function unpack(tarball: string, folder: string): Promise<string> {
	await run('tar', ['-xzf', tarball, '-C', folder], folder);
	return join(folder, 'package');
}

async function installScanner(version: string, onProgress: Progress): Promise<string> {
	const folder = join(cacheFolder(), `scanner-${version}`);
	await installOnce(folder, async () => {
		onProgress(
			`Installing n8n's scanner of community packages ${version} into ${folder} (about a minute, only once) …`,
		);
		const pins = readFileSync(join(PINS, 'package.json'), 'utf8');
		writeFileSync(join(folder, 'package.json'), pins.replace(`"${PINNED}"`, `"${version}"`));
		if (version === PINNED)
			copyFileSync(join(PINS, 'package-lock.json'), join(folder, 'package-lock.json'));
		const install = version === PINNED ? 'ci' : 'install';
		await run('npm', [install, '--ignore-scripts', ...NPM_ARGUMENTS], folder, {
			onProgress,
			logFile: join(folder, 'install.log'),
		});
	});
	return folder;
}
