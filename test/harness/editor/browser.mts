import { existsSync } from 'node:fs';
import { chromium, selectors, type Browser } from 'playwright-core';

import { findOrInstall, onPath } from '../findOrInstall.mts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const ELSEWHERE = [
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
	'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Starts a headless Chromium that finds no host but this machine. The caller closes it. */
export async function startBrowser(): Promise<Browser> {
	selectors.setTestIdAttribute('data-test-id');
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
			// Playwright's routes would do the same, but they disable the cache.
			'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
		],
	});
}

/** Finds Chromium: `CHROMIUM` if set, else an installed one, else Debian's or Ubuntu's package. */
const findChromium = async () =>
	await findOrInstall(
		() => process.env.CHROMIUM || (onPath(NAMES) ?? ELSEWHERE.find((file) => existsSync(file))),
		['chromium', 'fonts-liberation'],
		'Or set CHROMIUM to the path of a Chromium or Chrome.',
	);
