import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

import { findOrInstall, onPath } from '../../harness/findOrInstall.mts';
import { run } from '../../harness/n8n/command.mts';
import { endedExecutions, eventually, executions } from '../../harness/n8n/executions.mts';
import type { Demo } from '../../tools/start/bringUp.mts';

/** Names of the two pictures that begin the README: the loop, and the one without motion. */
export const LOOP = 'console-loop.gif';
export const STILL = 'console-steps.png';

const WINDOW = { width: 1280, height: 800 };
/** Time that each frame is shown, in hundredths of a second. */
const FRAME = 150;
const WIDTH = 880;

/** Records the loop: blocked, asked, unblocked; then the same sweep twice. */
export async function recordLoop(
	browser: Browser,
	{ harness, flows }: Demo,
	images: string,
): Promise<void> {
	const { simulator, scenario } = harness;
	const folder = mkdtempSync(join(tmpdir(), 'card-treasury-loop-'));
	const frames: string[] = [];
	const show = async (page: Page) => {
		frames.push(join(folder, `${String(frames.length).padStart(2, '0')}.png`));
		await page.screenshot({ path: frames.at(-1) });
	};
	const page = await browser.newPage({ viewport: WINDOW, colorScheme: 'light' });
	const button = (name: string) => page.getByRole('button', { name, exact: true }).first();
	const click = async (name: string) => {
		await button(name).evaluate((element) => {
			element.style.outline = '4px solid #f59e0b';
			element.style.outlineOffset = '3px';
		});
		await show(page);
		await button(name).click();
		await button(name).evaluate((element) => element.removeAttribute('style'));
	};
	const tab = async (name: string) =>
		await page.getByRole('navigation').getByRole('link', { name }).click();
	const cell = (text: string) => page.getByRole('cell', { name: text }).first();
	try {
		simulator.reset();
		await page.goto(simulator.url);
		await button('Block the card').waitFor();
		await page.screenshot({ path: join(images, STILL) });
		await click('Block the card');
		await eventually(async () =>
			(await executions(scenario.n8n, flows.card)).some(({ status }) => status === 'waiting'),
		);
		await tab('Inbox');
		await page.getByLabel('Act as').selectOption({ label: 'ben' });
		await click('Unblock the card');
		await page.getByText('Sent: unblock card').first().waitFor();
		await show(page);
		await tab('Money and cards');
		await cell('ACTIVE').waitFor();
		await page.getByRole('heading', { name: 'Cards', exact: true }).scrollIntoViewIfNeeded();
		await show(page);
		for (let runs = 1; runs <= 2; runs++) {
			await tab('First steps');
			const before = (await executions(scenario.n8n, flows.sweep)).length;
			await click('Run the sweep');
			await endedExecutions(scenario.n8n, flows.sweep, before + 1);
			await tab('Money and cards');
			await cell('SUCCESS').waitFor();
			await show(page);
			if (runs === 2) await show(page);
		}
		await writeLoop(frames, join(images, LOOP));
	} finally {
		await page.close();
		rmSync(folder, { recursive: true, force: true });
	}
}

async function writeLoop(frames: string[], path: string): Promise<void> {
	const program = await findOrInstall(() => onPath(['magick', 'convert-im6.q16']), ['imagemagick']);
	const size = ['-resize', `${WIDTH}x`, '-colors', '64', '+dither'];
	const timing = ['-delay', String(FRAME), '-loop', '0'];
	await run(program, [...timing, ...frames, ...size, '-layers', 'OptimizePlus', path], '.');
}
