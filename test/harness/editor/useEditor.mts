import type { Browser } from 'playwright-core';

import { scenario, useN8n } from '../n8n/useN8n.mts';
import { saveWorkflow } from '../n8n/workflows.mts';
import { startBrowser } from './browser.mts';
import { Editor } from './editor.mts';

export let editor: Editor;

/** Starts the real n8n as `useN8n` does, and its editor in a browser. */
export function useEditor(): void {
	let browser: Browser;
	afterAll(async () => await browser?.close());
	useN8n();
	beforeAll(async () => {
		browser = await startBrowser();
		editor = await Editor.open(browser, scenario.n8n, { width: 1400, height: 1300 });
	}, 180_000);
}

/** Saves a workflow, opens it in the browser and returns its ID. */
export async function open(nodes: object[], connections: object = {}): Promise<string> {
	const { id } = await saveWorkflow(scenario.n8n, 'In the editor', nodes, connections);
	await editor.openWorkflow(id);
	return id;
}
