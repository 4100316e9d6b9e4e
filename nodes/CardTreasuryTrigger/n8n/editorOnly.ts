import type { IDisplayOptions } from 'n8n-workflow';

/** Never shown, and cheap to evaluate: there is no such version. */
const NEVER: IDisplayOptions = { show: { '@version': [-1] } };

/**
 * Display options for the editor only, which gets the description as JSON. The server (n8n 2.41) evaluates the display
 * options of every field on every delivery; these cost it nothing, and a notice has no value to read.
 */
export function editorOnly(options: IDisplayOptions): IDisplayOptions {
	return Object.defineProperty({ ...NEVER }, 'toJSON', { value: () => options });
}
