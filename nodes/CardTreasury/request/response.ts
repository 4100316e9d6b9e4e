import { isObject } from '../../shared/isObject';
import { shortened } from '../../shared/plainLine';
import { parseExactly } from './exactJson';
import { hashIn, reasonIn } from './reason';
import type { AnswerShape } from './request';

/** Result of one attempt. */
export type Attempt =
	| {
			kind: 'response';
			status: number;
			/** Headers by name in lower case. */
			headers: Record<string, string>;
			body: Buffer;
	  }
	| {
			kind: 'no response';
			/** Error code of Node or n8n, such as `ECONNRESET`. `NO_ANSWER` if there is none. */
			code: string;
			timedOut: boolean;
	  };

/** Error code for a reply that is larger than any documented one. */
export const TOO_LARGE = 'TOO_LARGE';

/** Error code if n8n could not evaluate the credential, so that nothing was sent. */
export const NO_CREDENTIAL = 'NO_CREDENTIAL';

/** Body of a reply, parsed if possible. */
export type ResponseBody =
	| { kind: 'empty' }
	| { kind: 'json'; value: unknown }
	/** Web page from a proxy or a login. */
	| { kind: 'html' }
	/** Plain text, broken JSON or anything else. */
	| { kind: 'text'; text: string; isFile: boolean };

/** Parses the body of a reply. Never throws. */
export function readBody(bytes: Buffer, contentType = ''): ResponseBody {
	// Trimming removes a byte order mark, too.
	const text = decoded(bytes, contentType).trim();
	if (text === '') return { kind: 'empty' };
	const value = parseExactly(text);
	if (value !== undefined) return { kind: 'json', value };
	const isPage =
		/^\s*text\/html\b/i.test(contentType) ||
		(text.startsWith('<') && !/[/+]xml\b/i.test(contentType));
	return isPage ? { kind: 'html' } : { kind: 'text', text, isFile: isFile(text, contentType) };
}

/** Decodes a text in the charset that its type names. */
function decoded(bytes: Buffer, contentType: string): string {
	const [, charset = 'utf-8'] = /;\s*charset="?([\w.:-]+)/i.exec(contentType) ?? [];
	// A byte order mark of a text counts more than its charset.
	const marked = isTextType(contentType)
		? MARKS.find(([mark]) => bytes.subarray(0, 2).equals(mark))?.[1]
		: undefined;
	if (marked === undefined && /^utf-?8$/i.test(charset)) return bytes.toString('utf8');
	try {
		const decoder = new TextDecoder(marked ?? charset);
		const text = decoder.decode(bytes);
		return decoder.encoding === 'windows-1252' ? text.replace(/[\x80-\x9f]/g, inWindows1252) : text;
	} catch {
		return bytes.toString('utf8');
	}
}

/** Characters from 0x80 to 0x9f in windows-1252, which Node 20 decodes as control characters. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

const inWindows1252 = (character: string) => WINDOWS_1252.charAt(character.charCodeAt(0) - 0x80);

/** Byte order marks of UTF-16. */
const MARKS = [
	[Buffer.from([0xff, 0xfe]), 'utf-16le'],
	[Buffer.from([0xfe, 0xff]), 'utf-16be'],
] as const;

const TEXT_TYPES =
	/^text\/|[/+](?:x-)?(?:json|ndjson|jsonl|json-?lines|json-seq|xml|javascript|yaml|toml|sql|csv|www-form-urlencoded)$/;

/** True for a reply of another type than text. A reply without a type is a file if it is not a text in UTF-8. */
function isFile(text: string, contentType: string): boolean {
	return typeIn(contentType) === '' ? /[\0\uFFFD]/.test(text) : !isTextType(contentType);
}

export const typeIn = (contentType: string) =>
	(contentType.split(';')[0] ?? '').trim().toLowerCase();

const isTextType = (contentType: string) => TEXT_TYPES.test(typeIn(contentType));

/** Name of a file in the header Content-Disposition, without folders. */
export function fileNameIn(disposition = ''): string | undefined {
	const [, plain = ''] = /filename="?([^";]+)/i.exec(disposition) ?? [];
	const [, encoded] = /filename\*=utf-8'[^']*'([^;\s]+)/i.exec(disposition) ?? [];
	const name = (encoded && percentDecoded(encoded)) ?? plain;
	const [last = ''] = name.split(/[\\/]/).slice(-1);
	return last.replace(/[^\p{L}\p{M}\p{N}_. -]/gu, '_').trim() || undefined;
}

function percentDecoded(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}

/** NUL, tab, line breaks and space. */
const PADDING = [0, 9, 10, 12, 13, 32];

/** State of a PDF. A PDF that was cut off in transit lacks the end-of-file marker. */
export function pdfState(bytes: Buffer): 'whole' | 'cut off' | 'no PDF' {
	// Readers accept both: other bytes before the header, and padding after the end.
	if (!bytes.subarray(0, 1_024).includes('%PDF-')) return 'no PDF';
	let end = bytes.length;
	while (end > 0 && PADDING.includes(bytes[end - 1]!)) end -= 1;
	return bytes.subarray(Math.max(0, end - 1_024), end).includes('%%EOF') ? 'whole' : 'cut off';
}

/** Returns the value of a JSON body. Undefined for any other body. */
export function jsonOf(body: ResponseBody): unknown {
	return body.kind === 'json' ? body.value : undefined;
}

/** Details of a reply besides its result. */
export interface Said {
	/** The service's `code` (§7). */
	code?: string;
	/** Reason in a JSON reply. */
	serviceMessage?: string;
	/** Beginning of a reply that is plain text, as gateways write it. */
	text?: string;
	/** Transaction hash of a transfer that may have been executed. */
	hash?: string;
}

/** Returns what an unsuccessful reply says. */
export function saidBy(body: ResponseBody): Said {
	if (body.kind === 'text' && !body.isFile) return { text: shortened(body.text, 200) };
	const json = jsonOf(body);
	const { code } = isObject(json) ? json : {};
	return {
		code: typeof code === 'string' || typeof code === 'number' ? String(code) : undefined,
		serviceMessage: reasonIn(json),
		hash: hashIn(json),
	};
}

/**
 * Describes the expected type of a body that has another type.
 * @returns undefined if the body has the expected type
 */
export function missingShape(shape: AnswerShape, body: ResponseBody): string | undefined {
	const { kind } = body;
	const json = jsonOf(body);
	switch (shape) {
		case 'pdf':
			return 'a PDF';
		case 'array':
			return Array.isArray(json) && json.every(isObject) ? undefined : 'a list of objects';
		case 'object':
			return isObject(json) ? undefined : 'a JSON object';
		case 'object or nothing':
			return kind === 'empty' || isObject(json) ? undefined : 'a JSON object';
		case 'content':
		case 'anything':
			return kind === 'html' ? 'data' : undefined;
	}
}
