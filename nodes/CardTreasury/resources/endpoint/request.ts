import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../../service/isObject';
import { serviceOperation, type HttpMethod, type OutputItem } from '../../operation';
import { checkPath } from '../../parameters/path';
import { FieldRefusal, readChoice, readPairs, type ParameterReader } from '../../parameters/reader';
import { idempotencyKeyOption, pairsField } from '../fields';

const METHODS = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'] as const;

interface Call {
	method: HttpMethod;
	path: string;
	query: Array<[string, string]>;
	body?: string;
	/** Whether the user gave an idempotency key. */
	ownKey: boolean;
}

export const request = serviceOperation<Call>({
	value: 'request',
	displayName: 'Request',
	action: 'Request any other endpoint',
	description:
		"Call an endpoint that this node does not offer, as the provider's API reference describes it",
	section: '4',
	endpoint: { method: 'any', path: '(any path)' },
	// Whether an unknown endpoint honours the key is not shown; the user's own key says that it does.
	effect: ({ method, ownKey }) =>
		method === 'GET' || method === 'HEAD' ? 'read' : ownKey ? 'keyed write' : 'unkeyed write',
	keyAnyWrite: true,
	answer: 'anything',
	timeoutMs: 30_000,
	properties: [
		{
			displayName: 'Method',
			name: 'method',
			type: 'options',
			options: METHODS.map((value) => ({ name: value, value })),
			default: 'GET',
		},
		{
			displayName: 'Path',
			name: 'path',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. /management/clients',
			description: 'The part after the base URL',
		},
		pairsField('Query Parameters', 'queryParameters'),
		{
			displayName: 'JSON Body',
			name: 'jsonBody',
			type: 'json',
			default: '',
			description: 'Sent as it stands, so that amounts keep their digits',
			displayOptions: { show: { method: ['DELETE', 'PATCH', 'POST', 'PUT'] } },
		},
	],
	options: [idempotencyKeyOption],
	fields: (parameters) => ({
		method: readChoice<HttpMethod>(parameters, 'method', 'Method', METHODS),
		path: checkPath(parameters.get('path'), 'Path'),
		query: readPairs(parameters, 'queryParameters.parameter', 'Query Parameters'),
		body: readBody(parameters),
		ownKey: parameters.get('options.idempotencyKey') !== undefined,
	}),
	request: ({ method, path, query, body }) => ({
		method,
		path,
		query,
		...(body === undefined ? {} : { body }),
	}),
	items: ({ json, traceId }): OutputItem[] => {
		if (Array.isArray(json)) return json.map((entry: unknown) => ({ json: asObject(entry) }));
		return [{ json: json === undefined ? { trace_id: traceId } : asObject(json) }];
	},
});

function readBody(parameters: ParameterReader): string | undefined {
	const body = parameters.get('jsonBody');
	if (body === undefined || body === null || body === '') return undefined;
	if (typeof body !== 'string') return JSON.stringify(body);
	try {
		JSON.parse(body);
	} catch {
		return refuseBody();
	}
	return body;
}

function refuseBody(): never {
	throw new FieldRefusal('JSON Body', 'is not JSON', 'Check quotation marks, commas and brackets.');
}

function asObject(value: unknown): IDataObject {
	return isObject(value) ? (value as IDataObject) : { value: value as IDataObject[string] };
}
