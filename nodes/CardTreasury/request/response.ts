import { isObject } from '../../shared/isObject';
import { parseExactly } from './exactJson';
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

/** Body of a reply, parsed if possible. */
export type ResponseBody =
	| { kind: 'empty' }
	| { kind: 'json'; value: unknown }
	/** Web page from a proxy or a login. */
	| { kind: 'html' }
	/** Plain text, broken JSON or anything else. */
	| { kind: 'text'; text: string };

/** Parses the body of a reply. Never throws. */
export function readBody(bytes: Buffer, contentType = ''): ResponseBody {
	const text = bytes
		.toString('utf8')
		.replace(/^\uFEFF/, '')
		.trim();
	if (text === '') return { kind: 'empty' };
	const value = parseExactly(text);
	if (value !== undefined) return { kind: 'json', value };
	const isPage = /^\s*text\/html\b/i.test(contentType) || text.startsWith('<');
	return isPage ? { kind: 'html' } : { kind: 'text', text };
}

/** State of a PDF. A PDF that was cut off in transit lacks the end-of-file marker. */
export function pdfState(bytes: Buffer): 'whole' | 'cut off' | 'no PDF' {
	if (bytes.subarray(0, 5).toString('latin1') !== '%PDF-') return 'no PDF';
	return bytes.subarray(-1_024).includes('%%EOF') ? 'whole' : 'cut off';
}

/** Returns the value of a JSON body. Undefined for any other body. */
export function jsonOf(body: ResponseBody): unknown {
	return body.kind === 'json' ? body.value : undefined;
}

/** Returns the service's `code` and `message` (§7), if present. */
export function errorFields(body: ResponseBody): { code?: string; serviceMessage?: string } {
	const json = jsonOf(body);
	if (!isObject(json)) return {};
	const { code, message } = json;
	return {
		code: typeof code === 'string' || typeof code === 'number' ? String(code) : undefined,
		// 500 characters hold a list of operations (§7.3), but not a whole page.
		serviceMessage:
			typeof message === 'string' && message !== '' ? message.slice(0, 500) : undefined,
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
		case 'json':
			return kind === 'empty' || kind === 'json' ? undefined : 'JSON';
		case 'anything':
			return kind === 'html' ? 'data' : undefined;
	}
}
