import type { IDisplayOptions } from 'n8n-workflow';

/** Never shown, and cheap to find so: there is no such version. */
const NEVER: IDisplayOptions = { show: { '@version': [-1] } };

/**
 * Display options that only the editor evaluates, which gets the description as JSON. n8n 2.41 itself evaluates those of
 * every field at every delivery; it finds that the notice is never shown, which changes nothing there.
 */
export function editorOnly(options: IDisplayOptions): IDisplayOptions {
	return Object.defineProperty({ ...NEVER }, 'toJSON', { value: () => options });
}
