import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findChromium } from './browser.mts';

const { PATH, CHROMIUM } = process.env;
let folder: string;

/** Machine without Chromium, whose apt-get is this shell script. */
function machine(script: string, user: number) {
	writeFileSync(join(folder, 'apt-get'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
	jest.spyOn(process, 'getuid').mockReturnValue(user);
	jest.spyOn(process.stdout, 'write').mockReturnValue(true);
	process.env.PATH = folder;
	delete process.env.CHROMIUM;
}

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'card-treasury-apt-'));
});

afterEach(() => {
	jest.restoreAllMocks();
	process.env.PATH = PATH;
	if (CHROMIUM !== undefined) process.env.CHROMIUM = CHROMIUM;
	rmSync(folder, { recursive: true, force: true });
});

const find = async (installMs?: number) => await findChromium([], installMs);

describe('findChromium', () => {
	it('Chromium is installed by apt-get as root, after updating its lists', async () => {
		machine(
			`echo "$@" >> ${folder}/calls; case "$*" in *install*) echo > ${folder}/chromium;; esac`,
			0,
		);
		expect(await find()).toBe(join(folder, 'chromium'));
		const calls = readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');
		expect(calls).toEqual([
			expect.stringMatching(/ update$/),
			expect.stringMatching(/ install -y .*chromium/),
		]);
		expect(await find()).toBe(join(folder, 'chromium'));
		expect(readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n')).toHaveLength(2);
	});

	it('the error names the package to any other user, and nothing is tried', async () => {
		machine(`echo "$@" >> ${folder}/calls`, 1000);
		await expect(find()).rejects.toThrow(
			/Not found: chromium .*Install it.*apt-get install chromium.*CHROMIUM/,
		);
		expect(() => readFileSync(join(folder, 'calls'))).toThrow();
	});

	it.each([
		[
			'fails',
			'echo "Unable to locate package chromium" >&2; exit 100',
			/could not be installed\. Install it.*Unable to locate package chromium/s,
			undefined,
		],
		['hangs', 'exec /bin/sleep 60', /could not be installed\. Install it.*SIGTERM/s, 300],
		[
			'installs something else',
			'exit 0',
			/installed no chromium .*that is found\. Install it/,
			undefined,
		],
	])('the error names the fix for an apt-get that %s', async (_, script, message, installMs) => {
		machine(script, 0);
		await expect(find(installMs)).rejects.toThrow(message);
	});
});
