import { isObject } from '../../shared/isObject';
import { parseExactly } from './exactJson';
import { FileReference, type JsonObject } from './input';

export type HttpMethod = 'DELETE' | 'GET' | 'HEAD' | 'PATCH' | 'POST' | 'PUT';

/** Lowest level of the API key (§5.2). */
export type AccessLevel = 1 | 2 | 3;

/** JSON text that is sent verbatim, so that an amount keeps its digits. */
export class RawJson {
	constructor(readonly text: string) {}
}

/** Request body: JSON with `RawJson` inserted verbatim and files as data URLs (§4.2). */
export type Body =
	| string
	| number
	| boolean
	| null
	| RawJson
	| FileReference
	| Body[]
	| { [name: string]: Body | undefined };

/** Request before address, credential and idempotency key are added. */
export interface ServiceRequest {
	method: HttpMethod;
	/** Path below the base URL, starting with `/`, with IDs already URL-encoded. */
	path: string;
	query?: Array<[name: string, value: string]>;
	headers?: Record<string, string>;
	body?: Body;
}

/** Effect of repeating the request (§1.6, §4). */
export type Effect =
	/** Changes nothing. */
	| 'read'
	/** Carries `Idempotency-Key`: a repetition returns the first result while the service remembers the key. */
	| 'keyed write'
	/** Sent without a key, or to an endpoint that §1.6 does not name: a repetition may execute again. */
	| 'unkeyed write';

/**
 * Expected body of a successful answer. `json`: any JSON, or nothing. `anything`: whatever is not a web page, which comes
 * from a proxy or a login page; other text is returned as a string.
 */
export type AnswerShape = 'array' | 'object' | 'object or nothing' | 'json' | 'anything' | 'pdf';

/** HTTP status, optionally with a code, that means a definite rejection in one operation (§7). */
export interface KnownError {
	status: number;
	code?: string;
	message: string;
	fix: string;
}

/** The 404 that §4 shows for a missing thing. */
export function notFound(thing: string, field: string): KnownError {
	return {
		status: 404,
		code: 'NOT_FOUND',
		message: `${thing} not found`,
		fix: `Check ${field}, and that the credential is for the right environment.`,
	};
}

/** IDs in the trigger's samples. They exist in the simulator, but not in the real service. */
const SAMPLE_IDS: unknown[] = [
	'00000000-0000-4000-8000-00000000ca4d',
	'sample-client',
	'sample-wallet',
];

/** Points out sample IDs in not-found errors. */
export function errorsFor(values: object, errors: KnownError[] = []): KnownError[] {
	if (!Object.values(values).some((value) => SAMPLE_IDS.includes(value))) return errors;
	const fix =
		"This ID comes from the trigger's sample and exists only in the simulator. Enter the ID of a real one, or test with a real event.";
	return errors.map((error) => (error.message.endsWith('not found') ? { ...error, fix } : error));
}

/** Properties of an operation that decide how it is sent and its answer read. */
export interface RequestProfile {
	effect: Effect;
	answer: AnswerShape;
	level?: AccessLevel;
	errors?: KnownError[];
	/** True if a 302 `WARNING` is a pending result of this operation (§4.5). */
	pending?: boolean;
}

/** Successful answer. `json` is undefined if the body is empty or a PDF. */
export interface ServiceAnswer {
	status: number;
	traceId: string | null;
	/** Set after 302 `WARNING`: accepted, still pending (§4.5). */
	pending?: { code: string; message: string };
	json: unknown;
	bytes: Buffer;
}

/** Returns the answer's JSON object; empty for any other answer. */
export function objectOf({ json }: Pick<ServiceAnswer, 'json'>): JsonObject {
	return isObject(json) ? json : {};
}

/** Returns the objects of a list, unchanged and in order. */
export function objectsIn(list: unknown): JsonObject[] {
	return Array.isArray(list) ? list.filter(isObject) : [];
}

/** Fills `{name}` placeholders of a path with URL-encoded IDs; a placeholder without a value is kept. */
export function fillPath(template: string, values: Record<string, unknown>): string {
	return template.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
		const id = values[name];
		return typeof id === 'string' ? encodeURIComponent(id) : placeholder;
	});
}

/** Encodes a body as JSON. Files are read here, when it is the request's turn. */
export async function encodeBody(body: Body): Promise<string> {
	let json = '';
	for (const part of partsOf(body)) json += typeof part === 'string' ? part : await dataUrlOf(part);
	return json;
}

async function dataUrlOf(file: FileReference): Promise<string> {
	const bytes = await file.bytes();
	return JSON.stringify(
		`data:${file.type ?? 'application/octet-stream'};base64,${bytes.toString('base64')}`,
	);
}

/** Encodes a body with each file reduced to size and type, for dry runs and fingerprints. */
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

/** Content of a request in one spelling: method, path, query and body, with files reduced to size and type. */
export function valuesOf({ method, path, query = [], body }: ServiceRequest): string[] {
	const json = body === undefined ? undefined : parseExactly(describeBody(body));
	return [method, path, JSON.stringify(query), JSON.stringify(inOneSpelling(json)) ?? ''];
}

/** Sorts the names of each object. */
function inOneSpelling(json: unknown): unknown {
	if (Array.isArray(json)) return json.map(inOneSpelling);
	if (!isObject(json)) return json;
	const entries = Object.entries(json).sort(([left], [right]) => (left < right ? -1 : 1));
	return Object.fromEntries(entries.map(([name, value]) => [name, inOneSpelling(value)]));
}

/** JSON text of a body, with its files in their places. */
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
