import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

import { run } from '../n8n/command.mts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Locations besides `PATH`, for macOS and Windows. */
const ELSEWHERE = [
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
	'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Starts a headless Chromium. The caller closes it. */
export async function startBrowser(): Promise<Browser> {
	return await chromium.launch({
		executablePath: await findChromium(),
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-dev-shm-usage',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
}

/** Time limits, so that a mirror or another apt-get that hangs does not block a test run. */
const APT = [
	'-o',
	'Acquire::http::Timeout=30',
	'-o',
	'Acquire::Retries=3',
	'-o',
	'DPkg::Lock::Timeout=120',
];
const INSTALL_MS = 10 * 60_000;

/**
 * Finds Chromium: `CHROMIUM` if set, else an installed one, else Debian's or Ubuntu's package if it may be installed.
 * @param elsewhere locations besides `PATH`
 * @param installMs time for each of the two installation steps
 * @throws Error that names the fix if there is none
 */
export async function findChromium(elsewhere = ELSEWHERE, installMs = INSTALL_MS): Promise<string> {
	const found = installed(elsewhere);
	if (found !== undefined) return found;
	const advice =
		'Install it (Debian or Ubuntu: apt-get install chromium), or set CHROMIUM to the path of a Chromium or Chrome.';
	if (process.getuid?.() !== 0) throw new Error(`No Chromium was found. ${advice}`);
	process.stdout.write('Installing Chromium with apt-get …\n');
	try {
		const options = { env: { DEBIAN_FRONTEND: 'noninteractive' }, timeoutMs: installMs };
		await run('apt-get', [...APT, 'update'], '/', options);
		await run(
			'apt-get',
			[...APT, 'install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation'],
			'/',
			options,
		);
	} catch (error) {
		throw new Error(`Chromium could not be installed. ${advice}\n${(error as Error).message}`);
	}
	const now = installed(elsewhere);
	if (now === undefined)
		throw new Error(`apt-get installed no Chromium that can be found. ${advice}`);
	return now;
}

function installed(elsewhere: string[]): string | undefined {
	const { CHROMIUM, PATH = '' } = process.env;
	if (CHROMIUM) return CHROMIUM;
	const onPath = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
	return [...onPath, ...elsewhere].find((file) => existsSync(file));
}
