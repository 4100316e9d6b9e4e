import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startBrowser } from '../../harness/editor/browser.mts';
import { Editor } from '../../harness/editor/editor.mts';
import { bringUp } from '../../tools/start/bringUp.mts';
import { LOOP, recordLoop } from './loop.mts';
import { PICTURES } from './pictures.mts';

const IMAGES = join(import.meta.dirname, '..', '..', '..', 'docs', 'images');

/**
 * Recreates the pictures in `docs/images/` from the real editor.
 * @param parts of their names; by default all
 */
export async function photograph(parts: string[]): Promise<void> {
	const isWanted = (name: string) =>
		parts.length === 0 || parts.some((part) => name.includes(part));
	const folder = mkdtempSync(join(tmpdir(), 'card-treasury-pictures-'));
	const demo = await bringUp(folder, 'UTC', console.log);
	const { scenario, credentials, close } = demo.harness;
	const { n8n } = scenario;
	const browser = await startBrowser();
	try {
		if (isWanted(LOOP)) await recordLoop(browser, demo, IMAGES);
		for (const { name, height = 950, compose } of PICTURES.filter(({ name }) => isWanted(name))) {
			const editor = await Editor.open(browser, n8n, { width: 1280, height });
			const path = join(IMAGES, `${name}.png`);
			await editor.photograph(path, (await compose({ n8n, editor, credentials })) ?? undefined);
			await editor.close();
			console.log(path);
		}
	} finally {
		await browser.close();
		await close();
		rmSync(folder, { recursive: true, force: true });
	}
}
