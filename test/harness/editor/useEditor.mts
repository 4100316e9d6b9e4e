import type { Browser } from 'playwright-core';

import { saveWorkflow } from '../n8n/scenario.mts';
import { scenario, useN8n } from '../n8n/useN8n.mts';
import { startBrowser } from './browser.mts';
import { Editor, type EditorOptions } from './editor.mts';

/** Of a test file: jest gives each file modules of its own. */
export let editor: Editor;

/** The real n8n as `useN8n` gives it, and its editor in a browser. */
export function useEditor(options?: EditorOptions): void {
	let browser: Browser;
	afterAll(async () => await browser?.close());
	useN8n();
	beforeAll(async () => {
		browser = await startBrowser();
		editor = await Editor.open(browser, scenario.n8n, options);
	}, 180_000);
}

/**
 * Saves a workflow and opens it in the browser; gives its ID.
 * @param pinData items that a node gives without running
 */
export async function open(
	nodes: object[],
	connections: object = {},
	pinData: object = {},
): Promise<string> {
	const { id } = await saveWorkflow(scenario.n8n, 'In the editor', nodes, connections, { pinData });
	await editor.openWorkflow(id);
	return id;
}
