import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import lodash from 'lodash';
import { parse } from 'yaml';

import type { EventEnvelope } from './events.mts';

type Schema = Record<string, any>;

const DOCUMENT = parse(readFileSync(join(import.meta.dirname, 'openapi.yaml'), 'utf8'), {
	merge: true,
	maxAliasCount: -1,
}) as Schema;

/** Schema without references. What has properties is an object with all fields that the document shows, and no others. */
function resolved(value: unknown): any {
	if (Array.isArray(value)) return value.map(resolved);
	if (!lodash.isPlainObject(value)) return value;
	const { $ref, ...own } = value as Schema;
	if ($ref !== undefined)
		return resolved(lodash.mergeWith({}, referred(String($ref)), own, laterList));
	// Conditions name some fields only.
	const schema = lodash.mapValues(own, (part: unknown, name) =>
		name === 'if' || name === 'then' ? part : (resolved(part) as unknown),
	) as Schema;
	if (!lodash.isPlainObject(schema.properties)) return schema;
	return {
		type: 'object',
		required: lodash.difference(Object.keys(schema.properties), schema['x-optional'] ?? []),
		...(!schema['x-open'] && { additionalProperties: false }),
		...schema,
	};
}

const referred = ($ref: string): Schema => lodash.get(DOCUMENT, $ref.slice(2).split('/'));
const laterList = (_: unknown, later: unknown) => (Array.isArray(later) ? later : undefined);

export type DescribedEndpoint = ReturnType<typeof endpointsOf>[number];

const ERROR = resolved(DOCUMENT.components.schemas.Error) as Schema;
const JSON_TYPE = { type: 'string', pattern: '^application/json *(;|$)' };

/** Operations of a path. @param path `` if the document does not show it */
function endpointsOf(item: Schema, path: string) {
	const operations = Object.entries(lodash.omit(item, 'parameters')) as Array<[string, Schema]>;
	return operations.map(([method, { parameters = [], requestBody, responses, ...more }]) => {
		const all = [...((item.parameters as Schema[]) ?? []), ...(parameters as Schema[])];
		const content = requestBody?.content as Schema | undefined;
		const body = content && content['application/json']?.schema;
		return {
			...{ section: more['x-section'] as string, method: method.toUpperCase(), path },
			/** Lowest access level of the API key (§5.2); undefined if the document does not show it. */
			level: more['x-level'] as number | undefined,
			/** True if it honors `Idempotency-Key` (§1.6). */
			idempotent: all.some(({ name }) => name === 'Idempotency-Key'),
			/** `status code` of the errors that the document shows; without a code if it shows none. */
			errors: Object.entries(responses as Schema).map(([status, response]) =>
				[status, schemaOf(response).properties?.code?.const].filter(Boolean).join(' '),
			),
			schema: {
				params: fieldsIn('path', all),
				querystring: {
					...fieldsIn('query', all),
					additionalProperties: all.some(({ name }) => name === '*'),
				} as Schema,
				headers: fieldsIn('header', all, bodyHeaders(content)),
				...(body && { body: resolved(body) as Schema }),
				/** By status. The simulator also rejects with 400 what departs from the document (§7.1). */
				response: {
					...lodash.mapValues(responses, schemaOf),
					400: ERROR,
					default: ERROR,
				} as Schema,
			},
		};
	});
}

/** Headers that a body needs. The server does not read the body of a GET, but its headers announce it. */
function bodyHeaders(content: Schema | undefined): Schema {
	if (!content) return { 'content-length': { const: '0' }, 'transfer-encoding': false };
	return 'application/json' in content ? { 'content-type': JSON_TYPE } : {};
}

/** Schema of the parameters in a place. Names of headers are in lower case, as Node.js has them. */
function fieldsIn(place: string, parameters: Schema[], more: Schema = {}): Schema {
	const found = parameters.filter((each) => each.in === place && each.name !== '*');
	const nameOf = ({ name }: Schema) => (place === 'header' ? name.toLowerCase() : name) as string;
	return {
		type: 'object',
		required: [
			...found.filter((each) => each.required).map(nameOf),
			...('content-type' in more ? ['content-type'] : []),
		],
		properties: {
			...lodash.fromPairs(found.map((each) => [nameOf(each), each.schema])),
			...more,
		},
	};
}

/** Schema of a response; any value fits where the document shows none. */
const schemaOf = (response: Schema): Schema =>
	resolved(response.content?.['application/json']?.schema ?? {});

export const DESCRIBED_ENDPOINTS: readonly DescribedEndpoint[] = [
	...Object.entries(DOCUMENT.paths as Schema).flatMap(([path, item]) => endpointsOf(item, path)),
	...(DOCUMENT['x-paths-not-shown'] as Schema[]).flatMap((item) => endpointsOf(item, '')),
];

/** Operation families of version 2 (§9.6). */
export const OPERATION_FAMILIES = DOCUMENT.components.schemas.OperationFamily.enum as string[];

const EVENTS = DOCUMENT['x-events'] as Record<string, Schema>;

/** `<product>.<event_type>` of every event (§6.5), in the order of the catalog. */
export const EVENT_NAMES: readonly string[] = Object.keys(EVENTS);

interface DeliveryRules {
	attempts: number;
	timeoutMs: number;
	/** True if the answer's `response_code` is a decision instead of an acknowledgement. */
	decides: boolean;
}

const { parameters: ofDelivery, ...REGULAR } = DOCUMENT['x-delivery'] as DeliveryRules & {
	parameters: Schema[];
};

/** Delivery rules of an event (§6.3, §6.4); an unknown event is a regular one. */
export const deliveryRules = (name: string): DeliveryRules => ({
	...REGULAR,
	...(EVENTS[name]?.['x-delivery'] as Partial<DeliveryRules>),
});

/** Schema of the headers of a delivery (§1.5, §6.1). */
export const DELIVERY_HEADERS = fieldsIn('header', ofDelivery, { 'content-type': JSON_TYPE });

const ajv = new Ajv({ allErrors: true, strict: false });
formats.default(ajv);
ajv.addKeyword({
	keyword: 'x-digits',
	type: 'number',
	error: { message: 'must be written as decimal digits within the documented number of digits' },
	validate: ([whole, decimals]: [number, number], value: number) =>
		new RegExp(`^-?\\d{1,${whole}}(\\.\\d{1,${decimals}})?$`).test(String(value)),
});

export const compile = (schema: Schema): ValidateFunction => ajv.compile(schema);

export const departures = (validate: ValidateFunction, value: unknown, what: string): string[] =>
	validate(value) ? [] : inWords(validate.errors!, what);

export const inWords = (errors: readonly Partial<ErrorObject>[], what: string): string[] =>
	errors.map(({ instancePath, message, params = {} }) => {
		const { additionalProperty, allowedValues, allowedValue } = params as Schema;
		const more = additionalProperty ?? (allowedValues as unknown[] | undefined) ?? allowedValue;
		return `${what}${instancePath} ${message}${more === undefined ? '' : `: ${String(more)}`}`;
	});

/** Schema of an event; one of another name has the form of §6.2. */
const eventSchema = lodash.memoize(
	(name: string) => resolved(EVENTS[name] ?? DOCUMENT.components.schemas.Envelope) as Schema,
);
const eventValidator = lodash.memoize((name: string) => compile(eventSchema(name)));

/** Departures of an event from the document. */
export function eventDepartures(event: EventEnvelope): string[] {
	const name = `${event.product}.${event.event_type}`;
	// A rule between two fields, which no schema can hold (§6.5).
	const isOtherCard =
		name === 'cards.card_blocked_by_velocity' && event.operation_id !== event.data?.card_id;
	return [
		...departures(eventValidator(name), event, name),
		...(isOtherCard ? [`${name}/operation_id is not the card`] : []),
	];
}

/** Example of an event, without the fields that are different for each. */
export const eventExample = (name: string): any => exampleOf(eventSchema(name));

/** Example of a schema: its own, the present time, or one of each field that is not optional. */
function exampleOf(schema: Schema): unknown {
	const { examples = [], format, properties = {}, required = [] } = schema;
	const example: unknown = schema.const ?? examples[0];
	if (example !== undefined) return structuredClone(example);
	if (format === 'date-time') return new Date().toISOString();
	return lodash.mapValues(lodash.pick(properties, required as string[]), exampleOf);
}
