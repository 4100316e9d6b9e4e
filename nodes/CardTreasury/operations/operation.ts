import { readFields, type Values } from '../../shared/fields/field';
import { InvalidFieldError, orInvalid } from '../../shared/fields/invalidField';
import { hashOf } from '../request/hash';
import type { Caller, InputItem, JsonObject } from '../request/input';
import {
	fillPath,
	valuesOf,
	type AccessLevel,
	type AnswerShape,
	type Body,
	type Effect,
	type HttpMethod,
	type KnownError,
	type ServiceAnswer,
	type ServiceRequest,
} from '../request/request';
import { optionsOf, sourceOf, type ItemFields } from './itemFields';
import { commonOptions, readCommonOptions, type CommonOptions } from './options';
import { errorsFor } from './sampleErrors';
import type { BatchLimits, Ending, ItemOutcome, Payment, Unique, Work } from './work';

/** Fields of an output item. Each is a JSON type, an object, or a list of one of these. */
export type OutputShape = { [name: string]: JsonType | OutputShape | [JsonType | OutputShape] };
export type JsonType = 'string' | 'number' | 'boolean' | 'any';

export interface Endpoint {
	method: HttpMethod | 'any';
	/** Path with placeholders such as `{cardId}`, or a description in parentheses if the user enters the path. */
	path: string;
}

export const get = (path: string): Endpoint => ({ method: 'GET', path });
export const post = (path: string): Endpoint => ({ method: 'POST', path });
export const patch = (path: string): Endpoint => ({ method: 'PATCH', path });

/** Texts about an operation. The panel and the docs are generated from them. */
interface OperationInfo {
	/** Name in the list of operations. */
	name: string;
	/** Name in n8n's node panel, e.g. "Freeze card". */
	action: string;
	description: string;
	/** Section of the provider's API document. */
	section: string;
	/** Words for n8n's search and AI builder. */
	searchHint?: string;
	/** Fields of an output item with default parameters, in the order in which a person reads them. */
	output: OutputShape;
	/** Fields of an output item if a parameter has another value than the default. */
	otherOutput?: { when: string; shape: OutputShape };
}

/** Fields of an output item as harmless texts. Null: no value. Missing: not readable. */
export type SummaryFields = Record<string, string | null>;

/** Unit of an amount. The name follows the amount in a text, e.g. "of the native coin". */
export interface Unit {
	id: string;
	name: string;
}

/** Message for the user after the run, shown in the output panel. */
export interface Hint {
	message: string;
	type?: 'warning';
}

/** Read request that checks the fields before anything is sent. */
interface Precheck<Fields extends object> {
	/** Returns undefined if there is nothing to check. */
	request(fields: Fields): ServiceRequest | undefined;
	/** True if the item is sent although the read fails. */
	mayFail?: boolean;
	level: AccessLevel;
	answer: AnswerShape;
	errors?: KnownError[];
	/**
	 * @returns the item to output instead of sending, if nothing needs to be sent
	 * @throws InvalidFieldError if the service would reject these fields
	 */
	check(answer: ServiceAnswer, fields: Fields): JsonObject | undefined;
	/** Returns texts of the answer that name a write with these fields in its summary. All items must share the read. */
	names?(answer: ServiceAnswer, told: JsonObject): SummaryFields;
}

/** Declaration of an operation that sends one request to the service. */
export interface Definition<Own extends ItemFields, Options extends ItemFields>
	extends OperationInfo {
	endpoint: Endpoint;
	level?: AccessLevel;
	effect: Effect | ((fields: Values<Own> & Values<Options>) => Effect);
	answer: AnswerShape;
	/** True if the operation moves money, so that it cannot be reversed. */
	movesMoney?: boolean;
	/** Default time limit of one attempt, in milliseconds. */
	timeoutMs: number;
	fields: Own;
	/** Own entries of the collection `options`. The common entries follow. */
	options?: Options;
	errors?: KnownError[];
	/**
	 * Checks rules that concern several fields.
	 * @throws InvalidFieldError
	 */
	check?(fields: Values<Own> & Values<Options>, caller: Caller): void;
	/** Returns method and path if the fields decide them. */
	route?(fields: Values<Own>): { method?: HttpMethod; path: string };
	query?(fields: Values<Own> & Values<Options>): Array<[name: string, value: string]>;
	headers?: Record<string, string>;
	body?(fields: Values<Own> & Values<Options>): Body | undefined;
	/** Returns the item to output if these fields need no request. */
	nothingToSend?(fields: Values<Own> & Values<Options>): JsonObject | undefined;
	/**
	 * Returns the identity of the write. Undefined if neither the user nor the fields provide one.
	 * @throws InvalidFieldError
	 */
	payment?(
		fields: Values<Own> & Values<Options>,
		caller: Caller,
		request: ServiceRequest,
	): Payment | undefined;
	/** Returns the idempotency keys of which the payment must have one. Undefined if it may have any. */
	dryRunKeys?(fields: Values<Own> & Values<Options>): string | undefined;
	precheck?: Precheck<Values<Own> & Values<Options>>;
	/** Returns the fields that identify the write in a failed item. Unreadable fields are missing from `fields`. */
	subject?(fields: Partial<Values<Own>>): JsonObject;
	/** Returns the name of an item that several input items share. Undefined if each has its own. */
	merges?(fields: Values<Own> & Values<Options>): string | undefined;
	/** Returns a value that no other item of the run may have. Undefined if there is no such rule. */
	unique?(fields: Values<Own> & Values<Options>): Unique | undefined;
	/** Returns the amount and the limits of the run. Undefined if nothing is sent. */
	limits?(fields: Values<Own> & Values<Options>): BatchLimits | undefined;
	/** Returns the output items for a reply. Items of a write later get `idempotency_key` and `trace_id`. */
	items(answer: ServiceAnswer, fields: Values<Own> & Values<Options>): JsonObject[];
	/** Shows what a reply has if the filters match nothing of it. Undefined if they match, or if the reply is empty. */
	unmatched?(answer: ServiceAnswer, fields: Values<Own> & Values<Options>): string | undefined;
	/** True if a 302 `WARNING` means accepted and pending. Otherwise its outcome is unknown. */
	mayBePending?: true;
	/**
	 * Phrases that name a write in its summary, the fullest first. Fields are missing if they could not be read. Required
	 * for a write.
	 */
	names?(fields: SummaryFields): string[];
	/** Returns the unit of the amount. Amounts with another `id` are not added to it. */
	unit?(fields: SummaryFields): Unit;
	/** True if an accepted write is not final. */
	isPending?: (item: JsonObject) => boolean;
	/**
	 * Says what became of an accepted write. Undefined if its outcome says it all.
	 * @param asked subject of the write
	 */
	became?(item: JsonObject, asked: JsonObject): string | undefined;
	/** Returns fields that every output item of the write has after its summary, also a failed one. Never throws. */
	atEnd?(ending: Ending): JsonObject;
	/** Describes the file to make of the reply's bytes. Such an operation has one item. */
	file?(fields: Values<Own> & Values<Options>): {
		property: string;
		fileName: string;
		mimeType: string;
	};
	/**
	 * @param items of each input item that succeeded
	 * @param asked subject of each of these input items
	 */
	hints?(items: JsonObject[][], asked: JsonObject[]): Hint[];
}

/** Operation without its field types, so that all operations fit into one list. */
export interface ServiceOperation extends OperationInfo {
	kind: 'service';
	endpoint: Endpoint;
	level?: AccessLevel;
	effect: Effect | 'by request';
	movesMoney: boolean;
	errors: KnownError[];
	fields: ItemFields;
	/** Entries of the collection `options`, including the common ones. */
	options: ItemFields;
	/**
	 * Reads and checks one item.
	 * @throws InvalidFieldError for a field that cannot be read
	 */
	readWork(item: InputItem, caller: Caller): Work;
	/** Returns the fields that identify the write in a failed item, or undefined for none. */
	subject(item: InputItem, caller: Caller): JsonObject | undefined;
	/**
	 * @param items of each input item that succeeded
	 * @param asked subject of each of these input items
	 */
	hints(items: JsonObject[][], asked?: JsonObject[]): Hint[];
	/** Phrases that name a write in its summary, the fullest first. */
	names(fields: SummaryFields): string[];
	/** Returns the unit of the amount. Amounts with another `id` are not added to it. */
	unit?(fields: SummaryFields): Unit;
	/** Says what became of an accepted write. Undefined if its outcome says it all. */
	became(item: JsonObject, asked: JsonObject): string | undefined;
	/** Returns fields that every output item of the write has after its summary, also a failed one. */
	atEnd(ending: Ending): JsonObject;
}

/** Operation that answers the delivery that started the workflow (§6.3). Sends no request. */
export interface ResponseOperation extends OperationInfo {
	kind: 'response';
	fields: ItemFields;
	/** @throws InvalidFieldError */
	responseCode(item: InputItem, caller: Caller): string;
}

/** Operation that calculates from its fields. Sends no request. */
export interface Calculation extends OperationInfo {
	kind: 'calculation';
	fields: ItemFields;
	/** Entries of the collection `options`. */
	options: ItemFields;
	/**
	 * Returns the output item.
	 * @throws InvalidFieldError
	 */
	calculate(item: InputItem, caller: Caller): JsonObject;
	/** Returns a phrase that names the item in a summary, even if it is refused. */
	nameOf(item: InputItem, caller: Caller): string;
}

export type Operation = ServiceOperation | ResponseOperation | Calculation;

/** Group of operations on one kind of thing. */
export interface Resource {
	value: string;
	/** Name that begins with the product (§1), so that the sorted list groups the resources of a product. */
	displayName: string;
	operations: Array<[value: string, operation: Operation]>;
	/** Operation that the panel shows first. A read, if the resource has one. */
	startsWith: string;
}

/** Builds an operation from its declaration. */
export function operation<
	Own extends ItemFields,
	Options extends ItemFields = Record<never, never>,
>(definition: Definition<Own, Options>): ServiceOperation {
	const { effect, fields, options, errors = [], timeoutMs, movesMoney = false } = definition;
	const common = commonOptions(typeof effect === 'function' ? 'by request' : effect, timeoutMs);
	return {
		...definition,
		kind: 'service',
		effect: typeof effect === 'function' ? 'by request' : effect,
		movesMoney,
		errors,
		options: { ...options, ...common },
		hints: (items, asked = []) => definition.hints?.(items, asked) ?? [],
		names: (given) => definition.names?.(given) ?? [definition.action],
		became: (item, asked) => definition.became?.(item, asked),
		atEnd: (ending) => definition.atEnd?.(ending) ?? {},
		subject: (item, caller) =>
			definition.subject?.(readFields(fields, sourceOf(item, caller), () => {})),
		readWork: (item, caller) => {
			const own = readFields(fields, sourceOf(item, caller));
			const source = optionsOf(item, caller);
			const shared = readCommonOptions(common, source);
			// An operation without own options has no values to add.
			const given = options ? readFields(options, source) : ({} as Values<Options>);
			const values = { ...own, ...given };
			const refusal = orInvalid(() => definition.check?.(values, caller));
			const work = orInvalid(() => workOf(definition, own, values, shared, caller));
			// A refused write is still built, because its identity shows if an earlier run sent it.
			if (work instanceof InvalidFieldError) throw refusal ?? work;
			return { ...work, ...(refusal && { refusal }) };
		},
	};
}

function workOf<Own extends ItemFields, Options extends ItemFields>(
	definition: Definition<Own, Options>,
	own: Values<Own>,
	values: Values<Own> & Values<Options>,
	shared: CommonOptions,
	caller: Caller,
): Work {
	const { effect, precheck, answer, level, mayBePending = false } = definition;
	const errors = errorsFor(values, definition.errors);
	const request = requestOf(definition, own, values);
	const asked = typeof effect === 'function' ? effect(values) : effect;
	const limits = definition.limits?.(values);
	const payment = definition.payment?.(values, caller, request);
	const unique = definition.unique?.(values);
	const subject = definition.subject?.(own);
	const reference = payment?.shown !== undefined && { payment_reference: payment.shown };
	const named = (item: JsonObject) => ({ ...item, ...reference });
	const nothing = definition.nothingToSend?.(values);
	const dryRunKeys = definition.dryRunKeys?.(values);
	return {
		...shared,
		request,
		profile: { effect: asked, answer, level, errors, pending: mayBePending },
		fingerprint: hashOf(...(payment?.values ?? valuesOf(request))),
		ids: idsOf(values),
		movesMoney: definition.movesMoney === true,
		...(payment && { payment }),
		...(dryRunKeys !== undefined && { dryRunKeys }),
		merge: definition.merges?.(values),
		...(unique && { unique }),
		limits,
		...(subject && {
			subject: named({ ...subject, ...(limits && { amount: limits.amount }) }),
		}),
		nothingToSend: nothing && named({ outcome: 'nothing_to_send', ...nothing }),
		...(precheck && { precheck: precheckOf(precheck, values) }),
		items: (given) =>
			definition
				.items(given, values)
				.map((item) => (asked === 'read' ? item : judged(item, definition, given)))
				.map(named),
		unmatched: (given) => definition.unmatched?.(given, values),
		...(definition.file && { file: definition.file(values) }),
	};
}

/** Adds the outcome to an item of an accepted write. A field `outcome` of the service does not count. */
function judged<Own extends ItemFields, Options extends ItemFields>(
	item: JsonObject,
	{ isPending }: Definition<Own, Options>,
	{ pending }: ServiceAnswer,
): JsonObject {
	const outcome: ItemOutcome = pending || isPending?.(item) ? 'pending' : 'done';
	return { ...item, outcome };
}

function precheckOf<Fields extends object>(
	{ request: requestFor, check, names, answer, level, errors, mayFail = false }: Precheck<Fields>,
	values: Fields,
): Work['precheck'] {
	const request = requestFor(values);
	return (
		request && {
			request,
			mayFail,
			profile: { effect: 'read', answer, level, errors: errorsFor(values, errors) },
			check: (found) => {
				const nothing = check(found, values);
				return nothing && { outcome: 'nothing_to_send', ...nothing };
			},
			...(names && { names }),
		}
	);
}

function requestOf<Own extends ItemFields, Options extends ItemFields>(
	definition: Definition<Own, Options>,
	own: Values<Own>,
	values: Values<Own> & Values<Options>,
): ServiceRequest {
	const { endpoint, route, headers } = definition;
	const { method = endpoint.method, path = fillPath(endpoint.path, values) } = route?.(own) ?? {};
	if (method === 'any') throw new InvalidFieldError('Method', 'is not set', 'Choose a method.');
	const query = definition.query?.(values);
	const body = definition.body?.(values);
	return {
		method,
		path,
		...(query && query.length > 0 && { query }),
		...(headers && { headers }),
		...(body !== undefined && { body }),
	};
}

function idsOf({ cardId, clientId }: Record<string, unknown>): Work['ids'] {
	return {
		...(typeof cardId === 'string' && { card_id: cardId }),
		...(typeof clientId === 'string' && { client_id: clientId }),
	};
}
