/** The body of an answer, read as far as it can be read. */
export type AnswerBody =
	| { kind: 'empty' }
	| { kind: 'json'; value: unknown }
	/** HTML from a proxy, a PDF, plain text, broken JSON. */
	| { kind: 'other'; contentType: string };

/** Reads the bytes of an answer; never throws. */
export function readBody(bytes: Buffer, contentType: string): AnswerBody {
	const text = bytes
		.toString('utf8')
		.replace(/^\uFEFF/, '')
		.trim();
	if (text === '') return { kind: 'empty' };
	const value = parseExactly(text);
	return value === undefined ? { kind: 'other', contentType } : { kind: 'json', value };
}

/** Strings (to step over them) and numbers of a JSON text. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Parses JSON; undefined when it is none. A number that a JavaScript number cannot hold to the last digit
 * becomes its own text: a wrong amount is worse than one of another type.
 */
export function parseExactly(text: string): unknown {
	try {
		const plain: unknown = JSON.parse(text);
		if (!/\d[\d.]{15}/.test(text)) return plain;
		return JSON.parse(
			text.replace(STRING_OR_NUMBER, (token) => (survives(token) ? token : `"${token}"`)),
		);
	} catch {
		return undefined;
	}
}

function survives(token: string): boolean {
	if (token.startsWith('"') || token.length < 16) return true;
	const asNumber = Number(token);
	return Number.isFinite(asNumber) && digits(token) === digits(String(asNumber));
}

/** Significant digits and scale of a number's text, in one comparable form. */
function digits(text: string): string {
	const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
	const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
	const all = (whole + fraction).replace(/^0+/, '');
	const significant = all.replace(/0+$/, '');
	const scale = Number(exponent) - fraction.length + (all.length - significant.length);
	return `${mantissa.startsWith('-') ? '-' : ''}${significant}e${significant === '' ? 0 : scale}`;
}
