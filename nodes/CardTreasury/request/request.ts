import type { Pause } from '../../shared/clock';
import { isObject } from '../../shared/isObject';
import { parseExactly } from './exactJson';
import { FileReference, type JsonObject } from './input';

export type HttpMethod = 'DELETE' | 'GET' | 'HEAD' | 'PATCH' | 'POST' | 'PUT';

/** Access level that the API key needs (§5.2). */
export type AccessLevel = 1 | 2 | 3;

/** JSON text that is sent verbatim, so that amounts keep their digits. */
export class RawJson {
	constructor(readonly text: string) {}
}

/** Request body. `RawJson` is inserted verbatim, and files become data URLs (§4.2). */
export type Body =
	| string
	| number
	| boolean
	| null
	| RawJson
	| FileReference
	| Body[]
	| { [name: string]: Body | undefined };

/** Request without address, credential and idempotency key. */
export interface ServiceRequest {
	method: HttpMethod;
	/** Path below the base URL, starting with `/`, with IDs already URL-encoded. */
	path: string;
	query?: Array<[name: string, value: string]>;
	headers?: Record<string, string>;
	body?: Body;
}

/** Effect of a request, which decides if a repeat is safe (§1.6, §4). */
export type Effect =
	/** Changes nothing. */
	| 'read'
	/** Carries `Idempotency-Key`. While the service remembers the key, a repeat returns the first result. */
	| 'keyed write'
	/** Carries no key, or a key that the endpoint may ignore (§1.6). A repeat may execute again. */
	| 'unkeyed write';

/**
 * Expected body of a successful reply. `anything`: JSON, text or nothing. `content`: these, or a file. Neither is a web
 * page, because web pages come from proxies and logins.
 */
export type AnswerShape = 'array' | 'object' | 'object or nothing' | 'content' | 'anything' | 'pdf';

/** Status, optionally with a code, by which the service rejects a request of one operation (§7). */
export interface KnownError {
	status: number;
	code?: string;
	message: string;
	fix: string;
}

/** Returns the error for a 404 with the code NOT_FOUND (§4). */
export function notFound(thing: string, field: string): KnownError {
	return {
		status: 404,
		code: 'NOT_FOUND',
		message: `${thing} not found`,
		fix: `Check ${field}, and that the credential is for the right environment.`,
	};
}

/** Properties of an operation that decide how the request is sent and how the reply is read. */
export interface RequestProfile {
	effect: Effect;
	answer: AnswerShape;
	level?: AccessLevel;
	errors?: KnownError[];
	/** True if the operation has a pending result: a 302 `WARNING` (§4.5). */
	pending?: boolean;
}

/** Successful reply. `json` is undefined if the body is empty or a PDF. */
export interface ServiceAnswer {
	status: number;
	traceId: string | null;
	/** Content of a 302 `WARNING`: the request is accepted, and still pending (§4.5). */
	pending?: { code: string; message?: string };
	json: unknown;
	/** Text of a `content` reply that is not JSON. */
	text?: string;
	/** Type of a `content` reply that is a file. */
	file?: { fileName: string; mimeType: string };
	bytes: Buffer;
}

/** Returns the JSON object of a reply, or an empty object for any other body. */
export function objectOf({ json }: Pick<ServiceAnswer, 'json'>): JsonObject {
	return isObject(json) ? json : {};
}

/** Returns the objects in a list, in order. Other entries are dropped. */
export function objectsIn(list: unknown): JsonObject[] {
	return Array.isArray(list) ? list.filter(isObject) : [];
}

/** Fills the `{name}` placeholders of a path with URL-encoded IDs. A placeholder without a value stays. */
export function fillPath(template: string, values: Record<string, unknown>): string {
	return template.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
		const id = values[name];
		return typeof id === 'string' ? encodeURIComponent(id) : placeholder;
	});
}

/** Encodes a body as JSON. Reads the files only now, because a batch of documents would fill the memory. */
export async function encodeBody(body: Body, pause: Pause): Promise<string> {
	let json = '';
	for (const part of partsOf(body))
		json += typeof part === 'string' ? part : await dataUrlOf(part, pause);
	return json;
}

/** Bytes that are encoded at once. A multiple of 3, so that only the last slice has padding. */
const SLICE = 3 * 64 * 1024;

async function dataUrlOf(file: FileReference, pause: Pause): Promise<string> {
	const bytes = await file.bytes();
	let url = `data:${file.type ?? 'application/octet-stream'};base64,`;
	for (let start = 0; start < bytes.length; start += SLICE) {
		await pause();
		url += bytes.toString('base64', start, start + SLICE);
	}
	// Base64 and media types need no escapes.
	return `"${url}"`;
}

/** Encodes a body for dry runs and fingerprints. Each file is reduced to size and type. */
export function describeBody(body: Body): string {
	return partsOf(body)
		.map((part) =>
			typeof part === 'string'
				? part
				: JSON.stringify({ size: part.size, type: part.type ?? 'unknown' }),
		)
		.join('');
}

export function holdsFile(body: Body | undefined): boolean {
	if (body instanceof FileReference) return true;
	return typeof body === 'object' && body !== null && Object.values(body).some(holdsFile);
}

/** Content of a request in one spelling, for comparison and fingerprints. */
export function valuesOf({ method, path, query = [], body }: ServiceRequest): string[] {
	const json = body === undefined ? undefined : parseExactly(describeBody(body));
	return [method, path, JSON.stringify(query), JSON.stringify(inOneSpelling(json)) ?? ''];
}

/** Sorts the property names of each object. */
function inOneSpelling(json: unknown): unknown {
	if (Array.isArray(json)) return json.map(inOneSpelling);
	if (!isObject(json)) return json;
	const entries = Object.entries(json).sort(([left], [right]) => (left < right ? -1 : 1));
	return Object.fromEntries(entries.map(([name, value]) => [name, inOneSpelling(value)]));
}

/** Splits the JSON text of a body at each file. */
function partsOf(body: Body): Array<string | FileReference> {
	if (body instanceof RawJson) return [body.text];
	if (body instanceof FileReference) return [body];
	if (Array.isArray(body)) {
		return ['[', ...body.flatMap((entry, index) => [index > 0 ? ',' : '', ...partsOf(entry)]), ']'];
	}
	if (typeof body !== 'object' || body === null) return [JSON.stringify(body)];
	const entries = Object.entries(body).flatMap(([name, value]) =>
		value === undefined ? [] : [[`${JSON.stringify(name)}:`, ...partsOf(value)]],
	);
	return ['{', ...entries.flatMap((entry, index) => [index > 0 ? ',' : '', ...entry]), '}'];
}
