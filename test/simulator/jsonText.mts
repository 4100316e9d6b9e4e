/**
 * The exact source text of the members of a JSON object, e.g. `{"amount":0.10}` → `amount` → `0.10`.
 * The text must be valid JSON with an object on top (check with JSON.parse first). A repeated name keeps its last value, as JSON.parse does.
 */
export function memberTexts(text: string): Map<string, string> {
	const members = new Map<string, string>();
	let depth = 0;
	let name: string | undefined;
	let valueStart = -1;
	const close = (end: number) => {
		if (name !== undefined) members.set(name, text.slice(valueStart, end).trim());
		name = undefined;
	};
	for (let at = 0; at < text.length; at++) {
		const character = text[at];
		if (character === '"') {
			const end = endOfString(text, at);
			if (depth === 1 && name === undefined) {
				name = JSON.parse(text.slice(at, end)) as string;
				at = text.indexOf(':', end);
				valueStart = at + 1;
			} else {
				at = end - 1;
			}
		} else if (character === '{' || character === '[') {
			depth++;
		} else if (character === '}' || character === ']') {
			if (depth === 1) close(at);
			depth--;
		} else if (character === ',' && depth === 1) {
			close(at);
		}
	}
	return members;
}

/** Index after the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
	let at = start + 1;
	while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
	return at + 1;
}
