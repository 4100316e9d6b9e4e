/**
 * Only long numbers and numbers with an exponent can change. Most replies have neither, and parsing a large one twice
 * would block the process. The second pattern leaves out most texts, such as IDs, and costs more than the first.
 */
const MAY_CHANGE = [/\d[\d.]{15}|\d[eE]/, /(?:^|[[:,\s])-?\d(?:[\d.]{15}|[\d.]*[eE])/];

/**
 * Parses JSON. Numbers that JavaScript cannot hold exactly become strings, because a string is better than a wrong
 * amount.
 * @returns undefined if the text is not JSON
 */
export function parseExactly(text: string): unknown {
	try {
		const plain: unknown = JSON.parse(text);
		return MAY_CHANGE.every((pattern) => pattern.test(text))
			? JSON.parse(quoteInexact(text))
			: plain;
	} catch {
		return undefined;
	}
}

/**
 * Quotes each number that parsing would change. Scans by hand, because a regular expression overflows on long strings.
 */
function quoteInexact(json: string): string {
	const parts: string[] = [];
	let copied = 0;
	for (let at = 0; at < json.length; ) {
		const char = json.charAt(at);
		if (char === '"') {
			at = endOfString(json, at);
		} else if (/[-\d]/.test(char)) {
			const end = endOfNumber(json, at);
			const token = json.slice(at, end);
			if (!survives(token)) {
				parts.push(json.slice(copied, at), `"${token}"`);
				copied = end;
			}
			at = end;
		} else {
			at += 1;
		}
	}
	return parts.join('') + json.slice(copied);
}

function endOfString(json: string, start: number): number {
	let at = start + 1;
	while (json.charAt(at) !== '"') at += json.charAt(at) === '\\' ? 2 : 1;
	return at + 1;
}

function endOfNumber(json: string, start: number): number {
	let at = start + 1;
	while (/[\d.eE+-]/.test(json.charAt(at))) at += 1;
	return at;
}

function survives(token: string): boolean {
	const asNumber = Number(token);
	return Number.isFinite(asNumber) && digits(token) === digits(String(asNumber));
}

/** Significant digits of a number, so that `1.50` and `15e-1` are equal. Only rounding changes these digits. */
function digits(text: string): string {
	return text
		.replace(/e.*/i, '')
		.replace(/[-.]/g, '')
		.replace(/^0+|0+$/g, '');
}
