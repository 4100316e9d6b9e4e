import { startWithSimulator, type WithSimulator } from '../n8n/withSimulator.mts';
import { startBrowser } from './browser.mts';
import { Editor, type EditorOptions } from './editor.mts';

export interface WithEditor extends WithSimulator {
	editor: Editor;
	/**
	 * Saves a workflow and opens it in the browser; gives its ID.
	 * @param pinData items that a node gives without running
	 */
	open(nodes: object[], connections?: object, pinData?: object): Promise<string>;
}

/** The same with the editor in a browser. */
export async function startWithEditor(options?: EditorOptions): Promise<WithEditor> {
	const [started, browser] = await Promise.all([startWithSimulator(), startBrowser()]);
	const editor = await Editor.open(browser, started.scenario.n8n, options);
	return {
		...started,
		editor,
		async open(nodes, connections = {}, pinData = {}) {
			const { id } = await started.scenario.n8n.rest('POST', '/rest/workflows', {
				name: 'In the editor',
				active: false,
				settings: { executionOrder: 'v1' },
				nodes,
				connections,
				pinData,
			});
			await editor.openWorkflow(String(id));
			return String(id);
		},
		async close() {
			await browser.close();
			await started.close();
		},
	};
}
