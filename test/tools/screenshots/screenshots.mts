import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { startBrowser } from '../../harness/editor/browser.mts';
import { Editor } from '../../harness/editor/editor.mts';
import { startWorkflowHarness } from '../../harness/workflows/workflowHarness.mts';
import { PICTURES } from './pictures.mts';

const IMAGES = join(import.meta.dirname, '..', '..', '..', 'docs', 'images');

/**
 * Recreates the pictures in `docs/images/` from the real editor. `npm run screenshots -- <parts of names>` recreates
 * some. `--dark` saves them in the dark theme to a separate folder.
 */
async function main(): Promise<void> {
	const { positionals, values } = parseArgs({
		allowPositionals: true,
		options: { dark: { type: 'boolean' } },
	});
	const wanted = PICTURES.filter(
		({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
	);
	const folder = values.dark ? mkdtempSync(join(tmpdir(), 'card-treasury-dark-')) : IMAGES;
	mkdirSync(folder, { recursive: true });
	const harness = await startWorkflowHarness();
	const { credentials } = harness;
	const { n8n } = harness.scenario;
	const browser = await startBrowser();
	try {
		for (const { name, window, compose } of wanted) {
			const editor = await Editor.open(browser, n8n, {
				width: 1280,
				height: 950,
				theme: values.dark ? 'dark' : 'light',
				...window,
			});
			const path = join(folder, `${name}.png`);
			await editor.photograph(path, (await compose({ n8n, editor, credentials })) ?? undefined);
			await editor.close();
			process.stdout.write(`${path}\n`);
		}
	} finally {
		await browser.close();
		await harness.close();
	}
}

await main();
