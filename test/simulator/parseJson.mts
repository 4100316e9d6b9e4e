/** What a text says as JSON; undefined when it is none. */
export function parseJson(text: string): any {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
