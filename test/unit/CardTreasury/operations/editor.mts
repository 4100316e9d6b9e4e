import type { EditorSource } from '../../../../nodes/CardTreasury/operations/itemFields.ts';

/** Editor with these values, in which every list of the service has these rows. */
export function editorOf(values: Record<string, string>, rows: object[]) {
	const loaded: unknown[] = [];
	const editor: EditorSource = {
		current: (name) => values[name],
		load: async (...request) => {
			loaded.push(request);
			return rows as Array<Record<string, unknown>>;
		},
	};
	return { ...editor, loaded };
}
