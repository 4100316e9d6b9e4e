import { choice } from '../../../shared/fields/choice';
import { field, optional, shownWhen } from '../../../shared/fields/field';
import { InvalidFieldError } from '../../../shared/fields/invalidField';
import { invisibleProblem } from '../../../shared/fields/invisible';
import { pairs } from '../../../shared/fields/pairs';
import { isEmpty } from '../../../shared/fields/source';
import { named, path, PLACEHOLDER } from '../../../shared/fields/text';
import { isObject } from '../../../shared/isObject';
import { shortened } from '../../../shared/plainLine';
import { parseExactly } from '../../request/exactJson';
import type { Caller, JsonObject } from '../../request/input';
import { RawJson, valuesOf, type HttpMethod } from '../../request/request';
import { isUsersOwn, refuseAgentsPath } from '../guards';
import type { ItemField, ItemSource } from '../itemFields';
import { operation } from '../operation';
import { updateAmount } from '../rampTransfer/updateAmount';
import { readReference } from '../wallet/paymentReference';
import { transfer } from '../wallet/transfer';

const jsonBody: ItemField<RawJson | undefined> = {
	...optional(
		'JSON Body',
		{ type: 'json', description: 'Sent exactly as written, so that amounts keep all their digits' },
		({ value, refuse }) => {
			if (typeof value !== 'string') return new RawJson(JSON.stringify(value));
			const json = parseExactly(value);
			if (json === undefined)
				return refuse('is not valid JSON', 'Check quotation marks, commas and brackets.');
			if (typeof json === 'string' && typeof parseExactly(json) === 'object')
				return refuse('is JSON inside a text', 'Remove one JSON.stringify from its expression.');
			const problem = invisibleProblem(value, 'text');
			return problem ? refuse(...problem) : new RawJson(value);
		},
	),
	look: { takes: 'json' },
};

const KEY_FIX = 'Check the expression that gives it, or remove the option.';

/** Idempotency key from the user, spelled like a reference: valid in a header, at most 255 characters. */
const idempotencyKey: ItemField<string | undefined> = named(
	field<string | undefined, ItemSource>(
		'Idempotency Key',
		{
			placeholder: 'e.g. INV-2026-0017',
			description:
				'The name of this request in your own data, sent as entered. A request that was sent under a key is not sent again, in any execution. Set a key only if the endpoint honors Idempotency-Key.',
			builderHint: {
				propertyHint:
					'Build it from what names the request in the data (an invoice number or a row ID), never from the execution ID or the clock.',
			},
		},
		(given) => {
			const { value, source, name, refuse } = given;
			if (!source.has(name)) return undefined;
			if (isEmpty(value)) return refuse('is empty', KEY_FIX);
			const key = readReference(given, KEY_FIX);
			return /^[\x20-\x7e]+$/.test(key)
				? key
				: refuse(
						'contains characters other than ASCII letters, digits, spaces and punctuation',
						KEY_FIX,
					);
		},
	),
);

export const request = operation({
	name: 'Request',
	action: 'Request any other endpoint',
	description:
		"Call an endpoint that this node has no operation for, as described in the provider's API reference",
	section: '4',
	searchHint:
		'custom API call, only for what no other operation of this node does; agents can write only where Method and Path are fixed values',
	endpoint: { method: 'any', path: '(any path)' },
	// Only a key from the user makes a keyed write, because the API document does not show which other endpoints honor a
	// key.
	effect: ({ method, idempotencyKey: key }) =>
		isRead(method) ? 'read' : key === undefined ? 'unkeyed write' : 'keyed write',
	answer: 'content',
	timeoutMs: 30_000,
	fields: {
		method: choice(
			'Method',
			{ DELETE: 'DELETE', GET: 'GET', HEAD: 'HEAD', PATCH: 'PATCH', POST: 'POST', PUT: 'PUT' },
			{ default: 'GET' },
		),
		path: path('Path', {
			placeholder: 'e.g. /management/clients',
			description: 'The part after the Base URL, without query parameters',
		}),
		queryParameters: pairs('Query Parameters', 'Added to the path, encoded'),
		jsonBody: shownWhen({ method: ['DELETE', 'PATCH', 'POST', 'PUT'] }, jsonBody),
	},
	options: { idempotencyKey },
	check: (given, caller) => {
		refusePlaceholder(given.path);
		if (isRead(given.method)) refuseAgentsPath('Path', caller);
		refuseAgentsWrite(given, caller);
	},
	payment: ({ method, idempotencyKey: key }, _caller, request) =>
		isRead(method) || key === undefined
			? undefined
			: { reference: key, oncePerDay: false, values: valuesOf(request), key },
	route: ({ method, path: given }) => ({ method, path: given }),
	query: ({ queryParameters }) => queryParameters,
	body: ({ jsonBody: body }) => body,
	items: ({ json, text, traceId, pending }, { method }) => {
		if (pending) return [{ status: 'PENDING', ...pending }];
		if (text !== undefined) return [{ answer: text }];
		const item = (value: unknown) => asObject(value, isRead(method) ? READ_BY_N8N : OURS);
		// A write always returns an item, because its outcome must be shown.
		if (Array.isArray(json))
			return json.length > 0 || isRead(method) ? json.map(item) : [{ answer: json }];
		return [json === undefined ? { trace_id: traceId } : item(json)];
	},
	mayBePending: true,
	subject: ({ method, path: given }) => ({
		...(method !== undefined && { method }),
		...(given !== undefined && { path: given }),
	}),
	names: ({ payment_reference: reference, method, path: given }) => {
		const what = [method, given && shortened(given, 80)].filter(Boolean).join(' ');
		return [[what, reference].filter(Boolean).join(' as ') || 'this request'];
	},
	output: {},
});

/** A reply with one of these names at its top level is put under `answer`. */
const READ_BY_N8N = ['error'];
const OURS = [...READ_BY_N8N, 'outcome', 'summary'];

const isRead = (method: HttpMethod) => method === 'GET' || method === 'HEAD';

/**
 * Wraps a reply that n8n would take for a failed item, because the reply has a top-level `error`, or whose fields would
 * be taken for ours.
 */
function asObject(value: unknown, names: string[]): JsonObject {
	if (!isObject(value)) return { value };
	return names.some((name) => Object.hasOwn(value, name) && value[name] !== null)
		? { answer: value }
		: value;
}

/** @throws InvalidFieldError if the path was copied without its IDs */
function refusePlaceholder(given: string): void {
	const [placeholder] = given.match(PLACEHOLDER) ?? [];
	if (placeholder === undefined) return;
	throw new InvalidFieldError(
		'Path',
		`contains ${placeholder}, a placeholder that nothing fills`,
		'Replace it by the ID itself, for example with an expression.',
	);
}

/** Paths of operations with guards. A plain request would bypass the guards. */
const GUARDED = [transfer, updateAmount].map(({ endpoint }) => {
	const pattern = endpoint.path.replace(/\{\w+\}/g, '[^/]+');
	return new RegExp(`^${pattern}(?:[/;].*)?$`, 'i');
});

/**
 * Lets an agent write only if the user fixed method and path.
 * @throws InvalidFieldError
 */
function refuseAgentsWrite(
	{ method, path }: { method: HttpMethod; path: string },
	caller: Caller,
): void {
	if (!caller.isTool || isRead(method)) return;
	for (const [name, label] of [
		['method', 'Method'],
		['path', 'Path'],
	] as const) {
		if (isUsersOwn(caller.rawParameters[name], caller)) continue;
		throw new InvalidFieldError(
			label,
			'is not a fixed value, and an AI agent is requesting a write',
			`Enter ${label} yourself, as a fixed value: an agent must not choose what it writes to.`,
		);
	}
	const decoded = path.replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
		String.fromCharCode(parseInt(code, 16)),
	);
	if (!GUARDED.some((guarded) => guarded.test(decoded))) return;
	throw new InvalidFieldError(
		'Path',
		'belongs to an operation that moves money, and an AI agent is requesting it',
		'Give the agent the operation Transfer or Update Amount instead: those have guards.',
	);
}
