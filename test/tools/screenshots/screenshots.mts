import { join } from 'node:path';

import { startBrowser } from '../../harness/editor/browser.mts';
import { Editor } from '../../harness/editor/editor.mts';
import { startWorkflowHarness } from '../../harness/workflows/workflowHarness.mts';
import { PICTURES } from './pictures.mts';

const IMAGES = join(import.meta.dirname, '..', '..', '..', 'docs', 'images');

/** Recreates the pictures in `docs/images/` from the real editor; arguments select those whose names contain one. */
async function main(parts: string[]): Promise<void> {
	const wanted = PICTURES.filter(
		({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)),
	);
	const { scenario, credentials, close } = await startWorkflowHarness();
	const { n8n } = scenario;
	const browser = await startBrowser();
	try {
		for (const { name, height = 950, compose } of wanted) {
			const editor = await Editor.open(browser, n8n, { width: 1280, height });
			const path = join(IMAGES, `${name}.png`);
			await editor.photograph(path, (await compose({ n8n, editor, credentials })) ?? undefined);
			await editor.close();
			process.stdout.write(`${path}\n`);
		}
	} finally {
		await browser.close();
		await close();
	}
}

await main(process.argv.slice(2));
