import { readableFields, readFields, type Values } from '../../shared/fields/field';
import { InvalidFieldError, orInvalid } from '../../shared/fields/invalidField';
import type { Caller, InputItem, JsonObject } from '../request/input';
import {
	errorsFor,
	fillPath,
	fingerprintOf,
	type AccessLevel,
	type AnswerShape,
	type Body,
	type Effect,
	type HttpMethod,
	type KnownError,
	type RequestProfile,
	type ServiceAnswer,
	type ServiceRequest,
} from '../request/request';
import { optionsOf, sourceOf, type ItemFields } from './itemFields';
import { commonOptions, readCommonOptions, type CommonOptions } from './options';

/** The shape of one output item, by field: a JSON type, an object of such, or a list of one. */
export type OutputShape = { [name: string]: JsonType | OutputShape | [JsonType | OutputShape] };
export type JsonType = 'string' | 'number' | 'boolean' | 'any';

export interface Endpoint {
	method: HttpMethod | 'any';
	/** `{cardId}` stands for the URL-encoded field of that name; in parentheses, a description where the user gives the path. */
	path: string;
}

export const get = (path: string): Endpoint => ({ method: 'GET', path });
export const post = (path: string): Endpoint => ({ method: 'POST', path });
export const patch = (path: string): Endpoint => ({ method: 'PATCH', path });

/** What every operation says about itself; the panel and the docs are made from it. */
interface OperationInfo {
	/** As the list of operations shows it. */
	name: string;
	/** As n8n's node panel shows it, e.g. "Freeze card". */
	action: string;
	description: string;
	/** Section of the interface document. */
	section: string;
	/** Words by which n8n's search and AI builder find it. */
	searchHint?: string;
	/** The fields of its output items, while its own fields are as they are at first. */
	output: OutputShape;
	/** The fields of its output items when the user has set one of its fields otherwise. */
	otherOutput?: { when: string; shape: OutputShape };
}

/** What the user should know after the run, for the output panel. */
export interface Hint {
	message: string;
	type?: 'warning';
}

/** Limits over all items of a run, as the user set them; exact decimals. */
export interface BatchLimits {
	amount: string;
	maximumTotal?: string;
	maximumTransfers?: number;
	/** What the amount is the surplus of: a second item with the same would send it twice. */
	sweeps?: string;
}

/** Names a write, so that it is executed once in whatever execution. */
export interface Payment {
	/** Compared exactly. For Once per Day it is made of day, account, wallet, recipient and token. */
	reference: string;
	oncePerDay: boolean;
	/**
	 * The payment's values in canonical spelling: account, wallet, recipient, token (or native), amount; for Endpoint:
	 * Request method, path, query, body.
	 */
	values: string[];
	/** Sent as it is written (Endpoint: Request); otherwise the key is derived from target, reference and values. */
	key?: string;
	/** As the output item shows it (`payment_reference`). */
	shown?: string;
}

/** A read that the fields are checked against before anything is sent. */
interface Precheck<Fields extends object> {
	request(fields: Fields): ServiceRequest;
	level: AccessLevel;
	answer: AnswerShape;
	errors?: KnownError[];
	/** @throws InvalidFieldError when the service would reject these fields */
	check(answer: ServiceAnswer, fields: Fields): void;
}

/** An operation that is one request to the service, as its file declares it. */
export interface Definition<Own extends ItemFields, Options extends ItemFields>
	extends OperationInfo {
	endpoint: Endpoint;
	level?: AccessLevel;
	effect: Effect | ((fields: Values<Own>, hasOwnKey: boolean) => Effect);
	answer: AnswerShape;
	/** Irreversible: an agent's equal calls in one execution are one transfer, and without an execution it needs a key. */
	movesMoney?: boolean;
	/** How long one attempt may take by default, in milliseconds. */
	timeoutMs: number;
	fields: Own;
	/** Entries of the collection `options`, before the common ones. */
	options?: Options;
	errors?: KnownError[];
	/** Rules across fields. @throws InvalidFieldError */
	check?(fields: Values<Own> & Values<Options>, caller: Caller): void;
	/** Where the fields decide method and path. */
	route?(fields: Values<Own>): { method?: HttpMethod; path: string };
	query?(fields: Values<Own> & Values<Options>): Array<[name: string, value: string]>;
	headers?: Record<string, string>;
	body?(fields: Values<Own> & Values<Options>): Body | undefined;
	/** What the body says, in one spelling only, where equal work can be written in several ways (`5` and `5.00`). */
	canonicalBody?(fields: Values<Own> & Values<Options>): Body | undefined;
	/** Items when nothing has to be sent for these fields. */
	nothingToSend?(fields: Values<Own> & Values<Options>): JsonObject | undefined;
	/** Undefined where nothing names the write. @throws InvalidFieldError */
	payment?(fields: Values<Own> & Values<Options>, caller: Caller): Payment | undefined;
	precheck?: Precheck<Values<Own> & Values<Options>>;
	/** What a failed item tells of the work, as its output does of one that is done. Given are the fields that could be read. */
	subject?(fields: Partial<Values<Own>>): JsonObject;
	/** Undefined when nothing is sent. */
	limits?(fields: Values<Own> & Values<Options>): BatchLimits | undefined;
	/** The answer as items. A write's get `idempotency_key` and `trace_id` added. */
	items(answer: ServiceAnswer, fields: Values<Own> & Values<Options>): JsonObject[];
	/** Items of a 302 `WARNING`; without it, such an answer is a failure with an unknown outcome. */
	pending?(
		warning: { code: string; message: string },
		fields: Values<Own> & Values<Options>,
	): JsonObject[];
	/** The answer's bytes as a file of the (only) item. */
	file?(fields: Values<Own> & Values<Options>): {
		property: string;
		fileName: string;
		mimeType: string;
	};
	/** @param items of each input item that succeeded */
	hints?(items: JsonObject[][]): Hint[];
}

/** One item's work: everything that is known before it is sent. */
export interface Work extends CommonOptions {
	request: ServiceRequest;
	profile: RequestProfile;
	/** SHA-256 that tells this work from other work: method, path, query and canonical body, files by size and type. */
	fingerprint: string;
	/** Business keys by which the execution can be found. */
	ids: { card_id?: string; client_id?: string };
	/** Whether an idempotency key goes with it, though the service may not know it. */
	carriesKey: boolean;
	movesMoney: boolean;
	payment?: Payment;
	limits?: BatchLimits;
	/** The item that says so, when nothing has to be sent. */
	nothingToSend?: JsonObject;
	/** What a failed item tells of the work. */
	subject?: JsonObject;
	/** Why its fields together, or a guard, forbid it. */
	refusal?: InvalidFieldError;
	precheck?: {
		request: ServiceRequest;
		profile: RequestProfile;
		check(answer: ServiceAnswer): void;
	};
	items(answer: ServiceAnswer): JsonObject[];
	file?: { property: string; fileName: string; mimeType: string };
}

/** An operation whose fields' types are known inside only, so that operations stand in one list. */
export interface ServiceOperation extends OperationInfo {
	kind: 'service';
	endpoint: Endpoint;
	level?: AccessLevel;
	effect: Effect | 'by request';
	movesMoney: boolean;
	errors: KnownError[];
	fields: ItemFields;
	/** Entries of the collection `options`, the common ones included. */
	options: ItemFields;
	/** Reads and checks one item. @throws InvalidFieldError for a field that cannot be read */
	readWork(item: InputItem, caller: Caller): Promise<Work>;
	/** What a failed item tells of the work; undefined where it tells no more than why it failed. */
	subject(item: InputItem, caller: Caller): Promise<JsonObject | undefined>;
	/** @param items of each input item that succeeded */
	hints(items: JsonObject[][]): Hint[];
}

/** An operation without a request: it answers the delivery that started the workflow (§6.3). */
export interface ResponseOperation extends OperationInfo {
	kind: 'response';
	fields: ItemFields;
	/** @throws InvalidFieldError */
	responseCode(item: InputItem, caller: Caller): Promise<string>;
}

export type Operation = ServiceOperation | ResponseOperation;

/** The operations on one kind of thing, by saved name. */
export interface Resource {
	/** Value of the parameter `resource`. */
	value: string;
	/** Carries the product of §1 in front, so that the list groups by product. */
	displayName: string;
	operations: Array<[value: string, operation: Operation]>;
	/** Operation that the panel shows first; one that changes nothing, where there is one. */
	startsWith: string;
}

/** Ties fields, request and items of an operation together, and forgets their types for the list of operations. */
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
		hints: definition.hints ?? (() => []),
		subject: async (item, caller) =>
			definition.subject?.(await readableFields(fields, () => sourceOf(item, caller))),
		readWork: async (item, caller) => {
			const own = await readFields(fields, sourceOf(item, caller));
			const source = optionsOf(item, caller);
			const shared = await readCommonOptions(common, source);
			// Without declared options there is nothing to read, and their type has no fields.
			const given = options ? await readFields(options, source) : ({} as Values<Options>);
			const values = { ...own, ...given };
			const refusal = await orInvalid(() => definition.check?.(values, caller));
			const work = await orInvalid(
				async () => await workOf(definition, own, values, shared, caller),
			);
			// What is refused is known all the same: it may have been sent before.
			if (work instanceof InvalidFieldError) throw refusal ?? work;
			return { ...work, ...(refusal && { refusal }) };
		},
	};
}

async function workOf<Own extends ItemFields, Options extends ItemFields>(
	definition: Definition<Own, Options>,
	own: Values<Own>,
	values: Values<Own> & Values<Options>,
	shared: CommonOptions,
	caller: Caller,
): Promise<Work> {
	const { effect, precheck, answer, level, pending } = definition;
	const errors = errorsFor(values, definition.errors);
	const request = requestOf(definition, own, values);
	const asked =
		typeof effect === 'function' ? effect(own, shared.idempotencyKey !== undefined) : effect;
	const limits = definition.limits?.(values);
	const payment = definition.payment?.(values, caller);
	const subject = definition.subject?.(own);
	const reference = payment?.shown !== undefined && { payment_reference: payment.shown };
	const named = (item: JsonObject) => ({ ...item, ...reference });
	const nothing = definition.nothingToSend?.(values);
	return {
		...shared,
		request,
		profile: { effect: asked, answer, level, errors, pending: pending !== undefined },
		fingerprint: await fingerprintOf(request, definition.canonicalBody?.(values) ?? request.body),
		ids: idsOf(values),
		carriesKey:
			asked === 'keyed write' || (asked === 'unkeyed write' && typeof effect === 'function'),
		movesMoney: definition.movesMoney === true,
		...(payment && { payment }),
		limits,
		...(subject && {
			subject: named({ ...subject, ...(limits && { amount: limits.amount }) }),
		}),
		nothingToSend: nothing && named(nothing),
		...(precheck && { precheck: precheckOf(precheck, values) }),
		items: (given) =>
			(given.pending && pending
				? pending.call(definition, given.pending, values)
				: definition.items(given, values)
			).map(named),
		...(definition.file && { file: definition.file(values) }),
	};
}

function precheckOf<Fields extends object>(
	{ request, check, answer, level, errors }: Precheck<Fields>,
	values: Fields,
): Work['precheck'] {
	return {
		request: request(values),
		profile: { effect: 'read', answer, level, errors: errorsFor(values, errors) },
		check: (found) => check(found, values),
	};
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
