import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { ParameterReader } from './parameters/reader';

/** The level an API key must have at least (§5.2). */
export type AccessLevel = 1 | 2 | 3;

export type HttpMethod = 'DELETE' | 'GET' | 'HEAD' | 'PATCH' | 'POST' | 'PUT';

/** One request to the service, before address, credential and idempotency key are added. */
export interface ServiceRequest {
	method: HttpMethod;
	/** Below the base URL, starting with `/`; every ID in it is URL-encoded already. */
	path: string;
	query?: Array<[name: string, value: string]>;
	headers?: Record<string, string>;
	/** The JSON text that goes on the wire as it is, so that an amount keeps its very digits. */
	body?: string;
}

/** A successful answer. `json` is undefined when the body was empty or is not JSON. */
export interface ServiceAnswer {
	status: number;
	traceId: string | null;
	/** Set when the service answered 302 `WARNING`: accepted, still pending (§4.5). */
	pending?: { code: string; message: string };
	json: unknown;
	bytes: Buffer;
}

/** One output item; `file` becomes binary data under `property`. */
export interface OutputItem {
	json: IDataObject;
	file?: { property: string; bytes: Buffer; fileName: string; mimeType: string };
}

/** What a repetition of the request may do (§1.6, §4). */
export type Effect =
	/** Changes nothing. */
	| 'read'
	/** Supports `Idempotency-Key`: a repetition returns the first result. */
	| 'keyed write'
	/** Not named in §1.6: a repetition may execute again. */
	| 'unkeyed write';

/** What the operation expects of the body of a successful answer. */
export type AnswerShape = 'array' | 'object' | 'object or nothing' | 'anything' | 'pdf';

/** A refusal that has a meaning of its own in this operation, by HTTP status and, where given, code (§7). */
export interface KnownRefusal {
	status: number;
	code?: string;
	message: string;
	fix: string;
}

/** What every operation says about itself; the panel, the docs table and the dispatch read it. */
interface OperationFace {
	/** Value of the parameter `operation`. */
	value: string;
	displayName: string;
	/** As n8n's node panel shows it, e.g. "Freeze card". */
	action: string;
	description: string;
	/** Section of the interface document. */
	section: string;
	properties: INodeProperties[];
	/** Entries of the collection `options`. */
	options?: INodeProperties[];
}

/** A read that the fields are held against before anything is sent, for a write that cannot be taken back. */
export interface Precheck<Fields> {
	level: AccessLevel;
	answer: AnswerShape;
	refusals?: KnownRefusal[];
	/** Items with the same path share the read. */
	request(fields: Fields): ServiceRequest;
	/** @throws FieldRefusal when the service would turn these fields down */
	check(answer: ServiceAnswer, fields: Fields): void;
}

/** An operation that is one request to the service. `Fields` is what `request` and `items` work on. */
export interface ServiceOperation<Fields> extends OperationFace {
	kind: 'service';
	endpoint: { method: HttpMethod | 'any'; path: string };
	level?: AccessLevel;
	/** A function where the fields decide it, as for any other endpoint. */
	effect: Effect | ((fields: Fields) => Effect);
	/** Sent with a derived idempotency key although the effect is not known to be keyed. */
	keyAnyWrite?: boolean;
	answer: AnswerShape;
	/** 302 `WARNING` is a pending result, not a refusal (§4.5). */
	mayBePending?: boolean;
	/** How long one try may take, in milliseconds. */
	timeoutMs: number;
	refusals?: KnownRefusal[];
	precheck?: Precheck<Fields>;
	fields(parameters: ParameterReader): Fields | Promise<Fields>;
	request(fields: Fields): ServiceRequest;
	items(answer: ServiceAnswer, fields: Fields): OutputItem[];
}

/** An operation without a request: it answers the delivery that started the workflow (§6.3). */
export interface AnswerOperation extends OperationFace {
	kind: 'answer';
	responseCode(parameters: ParameterReader): string;
}

// The list of operations holds operations over different fields; each is only ever fed its own.
// `unknown` stands for the fields that `serviceOperation` has checked and forgotten.
export type Operation = ServiceOperation<unknown> | AnswerOperation;

/** Ties an operation's fields to its request and items, and forgets them for the list of operations. */
export function serviceOperation<Fields>(
	operation: Omit<ServiceOperation<Fields>, 'kind'>,
): ServiceOperation<unknown> {
	return { ...operation, kind: 'service' } as unknown as ServiceOperation<unknown>;
}

/** The operations on one kind of thing, in the order in which the panel lists them. */
export interface Resource {
	/** Value of the parameter `resource`. */
	value: string;
	/** Carries the product of §1 in front, so that the list groups by product. */
	displayName: string;
	operations: Operation[];
}
