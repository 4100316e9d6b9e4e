/** Parses a JSON text; undefined if it is not JSON. */
export function parseJson(text: string): any {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
