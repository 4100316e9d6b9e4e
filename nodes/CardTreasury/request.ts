import type { FileReference } from './input';

export type HttpMethod = 'DELETE' | 'GET' | 'HEAD' | 'PATCH' | 'POST' | 'PUT';

/** The level an API key must have at least (§5.2). */
export type AccessLevel = 1 | 2 | 3;

/** JSON text that goes on the wire verbatim, so that an amount keeps its digits. */
export class RawJson {
	constructor(readonly text: string) {}
}

/** A request body: plain JSON, in which a `RawJson` stands as it is and a file becomes a data URL (§4.2). */
export type Body =
	| string
	| number
	| boolean
	| null
	| RawJson
	| FileReference
	| Body[]
	| { [name: string]: Body | undefined };

/** One request to the service, before address, credential and idempotency key are added. */
export interface ServiceRequest {
	method: HttpMethod;
	/** Below the base URL, starting with `/`; every ID in it is URL-encoded already. */
	path: string;
	query?: Array<[name: string, value: string]>;
	headers?: Record<string, string>;
	body?: Body;
}

/** What repeating the request may do (§1.6, §4). */
export type Effect =
	/** Changes nothing. */
	| 'read'
	/** Carries `Idempotency-Key`: a repetition returns the first result while the service remembers the key. */
	| 'keyed write'
	/** Sent without a key, or to an endpoint that §1.6 does not name: a repetition may execute again. */
	| 'unkeyed write';

/**
 * What the operation expects of the body of a successful answer. `json`: any JSON, or nothing. `unknown`: anything but a
 * web page, which comes from a proxy or a login page; text that is no JSON is given as a string.
 */
export type AnswerShape = 'array' | 'object' | 'object or nothing' | 'json' | 'unknown' | 'pdf';

/** An HTTP status, with a code where given, that has a meaning of its own in one operation (§7): a definite rejection. */
export interface KnownError {
	status: number;
	code?: string;
	message: string;
	fix: string;
}

/** What sending and reading an answer must know of the operation. */
export interface RequestProfile {
	effect: Effect;
	answer: AnswerShape;
	level?: AccessLevel;
	errors?: KnownError[];
	/** A 302 `WARNING` is a pending result of this operation (§4.5). */
	pending?: boolean;
	/** For a write: how the user sends it again with the same key. */
	recovery?: RecoveryPath;
}

/**
 * How a user sends the same key again. `retry`: by retrying the execution · `tool call`: by an agent's equal call in this
 * same execution · `own key`: with the same key of their own, at any time · `copied key`: by copying the key that was sent
 * (Continue On Fail ends well, a sub-workflow is begun anew, and behind the MCP trigger there is no execution).
 */
export type RecoveryPath = 'retry' | 'tool call' | 'own key' | 'copied key';

/** A successful answer. `json` is undefined when the body was empty, or is a PDF. */
export interface ServiceAnswer {
	status: number;
	traceId: string | null;
	/** Set when the service answered 302 `WARNING`: accepted, still pending (§4.5). */
	pending?: { code: string; message: string };
	json: unknown;
	bytes: Buffer;
}

/** Fills `{name}` placeholders of a path with URL-encoded IDs; one without a value stays as it is. */
export function fillPath(template: string, values: Record<string, unknown>): string {
	return template.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
		const id = values[name];
		return typeof id === 'string' ? encodeURIComponent(id) : placeholder;
	});
}
