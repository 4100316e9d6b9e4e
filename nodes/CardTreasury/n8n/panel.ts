import {
	NodeApiError,
	type ILoadOptionsFunctions,
	type INodeListSearchResult,
	type INodeProperties,
	type INodePropertyOptions,
	type INodeType,
	type ResourceMapperFields,
} from 'n8n-workflow';

import { alphabetical } from '../../shared/fields/alphabetical';
import { propertiesOf } from '../../shared/fields/field';
import { InvalidFieldError } from '../../shared/fields/invalidField';
import { SERVICE_RATE } from '../../shared/serviceRate';
import type { EditorSource, ItemField, ListEntry } from '../operations/itemFields';
import type { Operation, Resource } from '../operations/operation';
import type { JsonObject } from '../request/input';
import { RequestGroup } from '../request/rateLimiter';
import type { RetryPolicy } from '../request/retryPolicy';
import { connect, type Process } from './connect';

/** Resource that a new node shows. */
const STARTS_WITH = 'card';

/** Builds the node's parameters from the list of operations. */
export function describeNode(resources: Resource[]): INodeProperties[] {
	return alphabetical([
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ displayName, value }) => ({ name: displayName, value })),
			default: STARTS_WITH,
		},
		...resources.map(operationField),
		...resources.flatMap(({ value, operations }) =>
			operations.flatMap(([name, operation]) =>
				operationProperties(operation, (field) => methodName(value, name, field)).map((property) =>
					showFor(property, value, name),
				),
			),
		),
	]);
}

/** Node subtitle: the action of the chosen operation, for example "Freeze card". */
export function subtitleOf(resources: Resource[]): string {
	const actions = resources.flatMap(({ value, operations }) =>
		operations.map(([name, { action }]) => [`${value}: ${name}`, action]),
	);
	return `={{(${String(chosenAction)})($parameter, ${JSON.stringify(Object.fromEntries(actions))})}}`;
}

/** Evaluated as source text by n8n's editor, so the function may use only its arguments. */
function chosenAction(
	{ resource, operation }: Record<string, string>,
	actions: Record<string, string>,
) {
	const chosen = `${resource}: ${operation}`;
	return actions[chosen] ?? chosen;
}

/** Name of a field's list or mapper in the node's `methods`. */
export function methodName(resource: string, operation: string, field: string): string {
	return [resource, operation, field]
		.map((part, position) => (position === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1)))
		.join('');
}

function operationField({ value: resource, operations, startsWith }: Resource): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: operations.map(
			([value, { name, action, description, searchHint }]): INodePropertyOptions => ({
				name,
				value,
				action,
				description,
				...(searchHint && { builderHint: { propertyHint: searchHint } }),
			}),
		),
		default: startsWith,
	};
}

function operationProperties(
	operation: Operation,
	methodOf: (field: string) => string,
): INodeProperties[] {
	const own = propertiesOf(operation.fields, methodOf);
	if (operation.kind === 'response') return own;
	return [
		...own,
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: propertiesOf(operation.options, methodOf),
		},
	];
}

function showFor(property: INodeProperties, resource: string, operation: string): INodeProperties {
	const { displayOptions } = property;
	const show = { resource: [resource], operation: [operation], ...displayOptions?.show };
	return { ...property, displayOptions: { ...displayOptions, show } };
}

/** Retry policy for lists. Short, because the user is waiting. */
const POLICY: RetryPolicy = {
	maxAttempts: 2,
	maxTotalMs: 15_000,
	requestsPerSecond: SERVICE_RATE,
	timeoutMs: 10_000,
};

type Methods = NonNullable<INodeType['methods']>;

/** Builds the node's `methods` from the fields with a list or a mapper. */
export function editorMethods(resources: Resource[], shared: Process): Methods {
	const listSearch: NonNullable<Methods['listSearch']> = {};
	const resourceMapping: NonNullable<Methods['resourceMapping']> = {};
	for (const { value, operations } of resources) {
		for (const [operation, { fields }] of operations) {
			for (const [name, field] of Object.entries(fields)) {
				const method = methodName(value, operation, name);
				if (field.list) listSearch[method] = searchMethod(field, shared);
				if (field.mapper) resourceMapping[method] = mapperMethod(field, shared);
			}
		}
	}
	return { listSearch, resourceMapping };
}

function searchMethod(field: ItemField<unknown>, shared: Process) {
	return async function (
		this: ILoadOptionsFunctions,
		filter?: string,
	): Promise<INodeListSearchResult> {
		const entries = await shown(
			this,
			async () => (await field.list?.(editorSource(this, shared))) ?? [],
		);
		return { results: filterByWords(entries, filter) };
	};
}

function mapperMethod(field: ItemField<unknown>, shared: Process) {
	return async function (this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		const none: ResourceMapperFields = { fields: [] };
		return await shown(
			this,
			async () => (await field.mapper?.(editorSource(this, shared))) ?? none,
		);
	};
}

function editorSource(n8n: ILoadOptionsFunctions, shared: Process): EditorSource {
	return {
		current: (name) => currentText(n8n, name),
		load: async (request, errors = []) => {
			const { client } = await connect(n8n, shared);
			const profile = { answer: 'array', effect: 'read', level: 1, errors } as const;
			const result = await client.send({ request, profile, policy: POLICY }, new RequestGroup());
			if (result.kind === 'answered') return result.answer.json as JsonObject[];
			// `stopped` cannot occur, because there is no execution to stop.
			const failure =
				result.kind === 'failed'
					? result.failure
					: { message: 'The list was not loaded', fix: 'Try again.', traceId: null };
			const trace = failure.traceId === null ? '' : ` (Trace ID: ${failure.traceId})`;
			throw cannotLoad(n8n, failure.message, failure.fix + trace);
		},
	};
}

/** Loads a list. A refusal becomes a NodeApiError, because n8n's editor shows the text of no other error (n8n 2.41). */
async function shown<Value>(
	n8n: ILoadOptionsFunctions,
	load: () => Promise<Value>,
): Promise<Value> {
	return await load().catch((thrown: unknown) =>
		Promise.reject(
			thrown instanceof InvalidFieldError ? cannotLoad(n8n, thrown.message, thrown.fix) : thrown,
		),
	);
}

function cannotLoad(
	n8n: ILoadOptionsFunctions,
	message: string,
	description: string,
): NodeApiError {
	return new NodeApiError(n8n.getNode(), {}, { message, description });
}

function currentText(n8n: ILoadOptionsFunctions, name: string): string | undefined {
	const field: unknown = n8n.getCurrentNodeParameter(name);
	const value =
		typeof field === 'object' && field !== null && 'value' in field ? field.value : field;
	const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	// In a fixed field, `{{ … }}` is plain text and not a usable value.
	return text === '' || text.startsWith('=') || text.includes('{{') ? undefined : text;
}

/** Entries that contain every word of the filter, ignoring case. */
function filterByWords(entries: ListEntry[], filter = ''): ListEntry[] {
	const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
	return entries.filter(({ name, value }) =>
		words.every((word) => `${name} ${value}`.toLowerCase().includes(word)),
	);
}
