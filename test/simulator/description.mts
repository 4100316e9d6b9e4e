import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import formats from 'ajv-formats';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import lodash from 'lodash';
import { parse } from 'yaml';

import type { Answer } from './answer.mts';
import { memberTexts } from './body.mts';
import { parseJson } from './parseJson.mts';

type Schema = Record<string, any>;

/** The API document as data. */
const DOCUMENT = parse(readFileSync(join(import.meta.dirname, 'openapi.yaml'), 'utf8')) as Schema;

/** Endpoint of the API document. */
export interface DescribedEndpoint {
	section: string;
	/** `METHOD path`; null if the document does not show it. */
	request: string | null;
	/** Lowest access level of the API key (§5.2); null if the document does not show it. */
	level: 1 | 2 | 3 | null;
	/** True if it honors `Idempotency-Key` (§1.6). */
	idempotent: boolean;
}

interface Operation extends DescribedEndpoint {
	/** JSON pointer into the document. */
	pointer: string;
	parameters: Array<{ name: string; in: string; required?: boolean; pointer: string }>;
	/** Pointer to the schema of the JSON body; null for a body that is not shown, undefined for no body. */
	body: string | null | undefined;
	responses: Schema;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const escaped = (name: string | number) =>
	encodeURIComponent(String(name).replaceAll('~', '~0').replaceAll('/', '~1'));
const pointerTo = (...path: Array<string | number>) => `#/${path.map(escaped).join('/')}`;

/** Follows a reference of the document; returns the object and its pointer. */
function resolve(value: Schema, pointer: string): { value: Schema; pointer: string } {
	const { $ref } = value;
	// A schema with a reference has other keywords beside it and is left to the validator.
	if (typeof $ref !== 'string') return { value, pointer };
	const target = $ref
		.slice(2)
		.split('/')
		.reduce((inside: Schema, name) => inside[name] as Schema, DOCUMENT);
	return { value: target, pointer: $ref };
}

function operationsIn(item: Schema, pointer: string, path: string | null): Operation[] {
	return METHODS.filter((method) => method in item).map((method) => {
		const operation = item[method] as Schema;
		const at = `${pointer}/${method}`;
		const parameters = [
			[item.parameters, pointer],
			[operation.parameters, at],
		].flatMap(([list, owner]) =>
			((list as Schema[] | undefined) ?? []).map((parameter, index) => {
				const found = resolve(parameter, `${String(owner)}/parameters/${index}`);
				const { name, in: place, required } = found.value;
				return { name, in: place, required, pointer: `${found.pointer}/schema` };
			}),
		);
		const content = operation.requestBody?.content as Schema | undefined;
		return {
			section: operation['x-section'],
			request: path === null ? null : `${method.toUpperCase()} ${path}`,
			level: operation['x-level'] ?? null,
			idempotent: parameters.some(({ name }) => name === 'Idempotency-Key'),
			pointer: at,
			parameters,
			body: content && jsonSchema(content, `${at}/requestBody/content`),
			responses: operation.responses,
		};
	});
}

const jsonSchema = (content: Schema, pointer: string) =>
	'application/json' in content ? `${pointer}/${escaped('application/json')}/schema` : null;

const OPERATIONS = [
	...Object.entries(DOCUMENT.paths as Schema).flatMap(([path, item]) =>
		operationsIn(item, pointerTo('paths', path), path),
	),
	...(DOCUMENT['x-paths-not-shown'] as Schema[]).flatMap((item, index) =>
		operationsIn(item, pointerTo('x-paths-not-shown', index), null),
	),
];

/** Endpoints of §4.1 to §4.12. */
export const DESCRIBED_ENDPOINTS: readonly DescribedEndpoint[] = OPERATIONS;

/** @throws Error for a section without an endpoint */
function operationOf(section: string): Operation {
	const found = OPERATIONS.find((operation) => operation.section === section);
	if (!found) throw new Error(`The API document has no endpoint ${section}`);
	return found;
}

/** `status code` of the errors that the document shows for an endpoint; without a code if it shows none. */
export function describedErrors(section: string): string[] {
	const { responses, pointer } = operationOf(section);
	return Object.entries(responses).map(([status, response]) => {
		const { value } = resolve(response as Schema, pointer);
		const code = value.content?.['application/json']?.schema?.properties?.code?.const as unknown;
		return [status, code].filter(Boolean).join(' ');
	});
}

export const describedEndpoint = (section: string): DescribedEndpoint => operationOf(section);

/** `METHOD path` of the endpoints that are no longer available (§4.13). */
export const DEPRECATED_REQUESTS = DOCUMENT['x-deprecated'] as string[];

/** Operation families of version 2 (§9.6). */
export const OPERATION_FAMILIES = DOCUMENT.components.schemas.OperationFamily.enum as string[];

/** Event of the API document. */
export interface DescribedEvent {
	/** `<product>.<event_type>` */
	name: string;
	/** Maximum number of attempts, the first one included (§6.4). */
	attempts: number;
	/** Time for the full response, in milliseconds (§6.4). */
	timeoutMs: number;
	/** True if the answer's `response_code` is a decision instead of an acknowledgement (§6.3). */
	decides: boolean;
}

/** Events (§6.5), in the order of the catalog. */
export const DESCRIBED_EVENTS: readonly DescribedEvent[] = Object.entries(
	DOCUMENT.webhooks as Schema,
).map(([name, { post }]) => ({
	name,
	attempts: post['x-attempts'],
	timeoutMs: post['x-timeout-ms'],
	decides: post['x-decides'] ?? false,
}));

/** Regular events' delivery (§6.4). */
export const REGULAR_DELIVERY = { attempts: 10, timeoutMs: 30_000, decides: false };

interface Context {
	/** Source text of a number in a member of the checked object; undefined for any other. */
	textOf(pointer: string): string | undefined;
}

const ajv = new Ajv2020({
	allErrors: true,
	passContext: true,
	strictTypes: false,
	strictRequired: false,
});
formats.default(ajv);
ajv.addVocabulary(['x-reading', 'x-not-shown', ...Object.keys(DOCUMENT)]);
ajv.addKeyword({
	keyword: 'x-decimal',
	type: 'number',
	error: { message: 'must be written as decimal digits within the documented number of digits' },
	validate: function (
		this: Context,
		{ integer = Infinity, fraction = Infinity }: { integer?: number; fraction?: number },
		value: number,
		_schema: unknown,
		at?: { instancePath: string },
	) {
		const text = this.textOf(at?.instancePath ?? '') ?? JSON.stringify(value);
		const digits = /^-?(\d+)(?:\.(\d+))?$/.exec(text);
		return digits !== null && digits[1]!.length <= integer && (digits[2] ?? '').length <= fraction;
	},
});
// The whole document is known to the validator, so that its references resolve; only the schemas are compiled.
ajv.addSchema(DOCUMENT, 'api', true, false);
ajv.addSchema(onlyShown(DOCUMENT) as Schema, 'shown', true, false);

/** Copy of a schema with what the document shows only: fields that it does not name are allowed. */
function onlyShown(schema: unknown): unknown {
	if (Array.isArray(schema)) return schema.map(onlyShown);
	if (!lodash.isPlainObject(schema)) return schema;
	const notShown = ((schema as Schema)['x-not-shown'] ?? []) as string[];
	return lodash.mapValues(
		lodash.omit(schema as Schema, [...notShown, 'unevaluatedProperties']),
		onlyShown,
	);
}

const compiled = new Map<string, ValidateFunction>();

/** Validator of the schema at a pointer into the document. */
function validatorOf(pointer: string, document: 'api' | 'shown'): ValidateFunction {
	const $ref = `${document}${pointer}`;
	let found = compiled.get($ref);
	if (!found) compiled.set($ref, (found = ajv.compile({ $ref })));
	return found;
}

/**
 * Departures of a value from the schema at a pointer, as texts.
 * @param what beginning of each text
 * @param source JSON text of the value, for numbers that must not pass through floating point
 */
function departures(
	pointer: string,
	value: unknown,
	what: string,
	source = '',
	document: 'api' | 'shown' = 'api',
): string[] {
	const validate = validatorOf(pointer, document);
	const context: Context = {
		textOf: (at) => (source === '' ? undefined : memberTexts(source).get(at.slice(1))),
	};
	if (validate.call(context as never, value)) return [];
	return (validate.errors ?? []).map((error) => `${what}${inWords(error)}`);
}

function inWords({ instancePath, message = '', params }: ErrorObject): string {
	const { unevaluatedProperty, allowedValues, allowedValue } = params as Schema;
	const values = allowedValues ?? (allowedValue === undefined ? undefined : [allowedValue]);
	const more = unevaluatedProperty ?? (values as unknown[] | undefined)?.join(', ');
	return `${instancePath} ${message}${more === undefined ? '' : `: ${String(more)}`}`;
}

/** Request to an endpoint of the document. */
interface CheckedRequest {
	/** Path parameters, URL-decoded. */
	params: Record<string, string>;
	query: URLSearchParams;
	/** Lower-case names. */
	headers: Record<string, string>;
	bodyText: string;
}

/** Departures of a request from the document. */
export function requestDepartures(section: string, request: CheckedRequest): string[] {
	const { parameters, body } = operationOf(section);
	const { params, query, headers, bodyText } = request;
	const given = (name: string, place: string): string[] => {
		if (place === 'query') return query.getAll(name);
		const value = place === 'path' ? params[name] : headers[name.toLowerCase()];
		return value === undefined ? [] : [value];
	};
	const wrong = parameters.flatMap(({ name, in: place, required, pointer }) => {
		const values = given(name, place);
		if (required && values.length === 0) return [`${place} ${name} is missing`];
		return values.flatMap((value) => departures(pointer, value, `${place} ${name}`));
	});
	const inQuery = parameters.filter((parameter) => parameter.in === 'query');
	const known = new Set(inQuery.map(({ name }) => name));
	const unknown = known.has('*') ? [] : [...query.keys()].filter((name) => !known.has(name));
	return [
		...wrong,
		...unknown.map((name) => `query ${name} is not documented`),
		...bodyDepartures(body, bodyText, headers),
	];
}

function bodyDepartures(
	body: Operation['body'],
	text: string,
	headers: CheckedRequest['headers'],
): string[] {
	if (body === null) return [];
	// The server does not read the body of a GET.
	const announced = Number(headers['content-length'] ?? 0) > 0 || 'transfer-encoding' in headers;
	if (body === undefined) return announced ? ['body is not documented'] : [];
	if (text === '') return ['body is missing'];
	if (!isJson(headers['content-type'] ?? ''))
		return ['header Content-Type must be application/json'];
	const value: unknown = parseJson(text);
	return value === undefined ? ['body is not valid JSON'] : departures(body, value, 'body', text);
}

const isJson = (contentType: string) => /^application\/json *(;|$)/i.test(contentType);

/**
 * Departures of an answer from the document. An undocumented error status, and one without a section, only has to have
 * the form of §7.1.
 */
export function answerDepartures(
	section: string | undefined,
	{ status, headers, body }: Pick<Answer, 'status' | 'headers' | 'body'>,
): string[] {
	const operation = section === undefined ? undefined : operationOf(section);
	const described = operation?.responses[String(status)] as Schema | undefined;
	if (!described && status < 400) return [`${status} is not documented`];
	const found = described
		? resolve(described, `${operation!.pointer}/responses/${status}`)
		: undefined;
	const content = (found ? found.value.content : ERROR_CONTENT) as Schema | undefined;
	const type = headers['Content-Type'] ?? '';
	// A body that the document does not show.
	if (!content || '*/*' in content) return [];
	if ('application/json' in content) {
		if (!isJson(type)) return [`${status} is ${type}, not application/json`];
		const value: unknown = parseJson(String(body));
		const pointer = found
			? jsonSchema(content, `${found.pointer}/content`)!
			: pointerTo('components', 'schemas', 'Error');
		return departures(pointer, value, `${status} body`);
	}
	const types = Object.keys(content);
	return types.includes(type) ? [] : [`${status} is ${type}, not ${types.join()}`];
}

const ERROR_CONTENT = { 'application/json': {} };

/** Event in the form of §6.2. */
interface CheckedEvent {
	product: string;
	event_type: string;
	operation_id: string;
	data?: Record<string, unknown>;
}

/**
 * Departures of an event from the document; one of another name has the form of §6.2.
 * @param document `shown`: without what the simulator is stricter in than the document
 */
export function eventDepartures(event: CheckedEvent, document: 'api' | 'shown' = 'api'): string[] {
	const name = `${event.product}.${event.event_type}`;
	const pointer =
		name in (DOCUMENT.webhooks as Schema)
			? pointerTo('webhooks', name, 'post', 'requestBody', 'content', 'application/json', 'schema')
			: pointerTo('components', 'schemas', 'Envelope');
	// A rule between two fields, which no schema can hold (§6.5).
	const isOtherCard =
		name === 'cards.card_blocked_by_velocity' && event.operation_id !== event.data?.card_id;
	return [
		...departures(pointer, event, name, '', document),
		...(isOtherCard ? [`${name}/operation_id is not the card`] : []),
	];
}

/** Headers of a delivery, which all events share. */
const DELIVERY_HEADERS = Object.entries(DOCUMENT.webhooks as Schema)
	.slice(0, 1)
	.flatMap(([name, item]) => operationsIn(item as Schema, pointerTo('webhooks', name), null))
	.flatMap(({ parameters }) => parameters);

/** Departures of a delivery's headers from the document (§1.5, §6.1). Names are lower-case. */
export function deliveryDepartures(headers: Record<string, string | undefined>): string[] {
	const wrong = DELIVERY_HEADERS.flatMap(({ name: header, pointer }) => {
		const value = headers[header.toLowerCase()];
		return value === undefined
			? [`header ${header} is missing`]
			: departures(pointer, value, `header ${header}`);
	});
	return isJson(headers['content-type'] ?? '') ? wrong : [...wrong, 'header Content-Type'];
}
