/** The node's panel and its lists, made from the operations. */

import {
	NodeApiError,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeProperties,
	type INodeType,
} from 'n8n-workflow';

import { isObject } from '../shared/isObject';
import { asProblem } from '../shared/problem';
import { sentences } from '../shared/text';
import type { Editor, Field } from './fields/field';
import { isExpression } from './fields/values';
import { RESOURCES } from './operations';
import type { Operation, Resource } from './operations/operation';
import { listIn, objectsIn } from './operations/reply';
import { connect, type Limiters } from './service/connect';

const ALL = Object.entries(RESOURCES).flatMap(([resource, { operations }]) =>
	Object.entries(operations).map(([name, operation]) => ({ resource, name, operation })),
);

export const properties = (): INodeProperties[] => [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options' as const,
		noDataExpression: true,
		options: Object.entries(RESOURCES).map(([value, { displayName: name }]) => ({ name, value })),
		default: 'card',
	},
	...Object.entries(RESOURCES).map(([name, resource]) => operationField(name, resource)),
	...ALL.flatMap(({ resource, name, operation }) => fieldsOf(resource, name, operation)),
];

/** Action of the chosen operation, e.g. "Freeze card". n8n's editor evaluates the text. */
export const subtitle = (): string => {
	const actions = ALL.map(({ resource, name, operation }) => [
		`${resource}: ${name}`,
		operation.action,
	]);
	return `={{(${JSON.stringify(Object.fromEntries(actions))})[$parameter["resource"] + ": " + $parameter["operation"]]}}`;
};

const operationField = (
	resource: string,
	{ operations, default: first }: Resource,
): INodeProperties => ({
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: [resource] } },
	options: Object.entries(operations)
		.map(([value, { name, action, description }]) => ({ name, value, action, description }))
		.sort((one, other) => one.name.localeCompare(other.name)),
	default: first,
});

function fieldsOf(resource: string, name: string, { fields }: Operation): INodeProperties[] {
	const all = Object.entries(fields);
	const shown = ([field, declared]: [string, Field<unknown>]) =>
		declared.property(field, methodOf(resource, name, field));
	const options = all.filter(([, { isOption }]) => isOption).map(shown);
	const collection: INodeProperties = {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options,
	};
	const main = all.filter(([, { isOption }]) => !isOption).map(shown);
	return [...main, ...(options.length > 0 ? [collection] : [])].map((property) => ({
		...property,
		displayOptions: {
			show: { resource: [resource], operation: [name], ...property.displayOptions?.show },
		},
	}));
}

/** Name of a field's list or mapper in the node's `methods`. */
const methodOf = (...[first, ...others]: [string, string, string]): string =>
	first + others.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('');

type Methods = NonNullable<INodeType['methods']>;

export function methods(limiters: Limiters): Methods {
	const listSearch: NonNullable<Methods['listSearch']> = {};
	const resourceMapping: NonNullable<Methods['resourceMapping']> = {};
	for (const { resource, name, operation } of ALL)
		for (const [field, { list, mapper }] of Object.entries(operation.fields)) {
			const method = methodOf(resource, name, field);
			if (list)
				listSearch[method] = async function (filter) {
					const entries = await shown(this, async () => await list(editorOf(this, limiters)));
					return { results: filtered(entries, filter) };
				};
			if (mapper)
				resourceMapping[method] = async function () {
					return await shown(this, async () => await mapper(editorOf(this, limiters)));
				};
		}
	return { listSearch, resourceMapping };
}

const editorOf = (n8n: ILoadOptionsFunctions, limiters: Limiters): Editor => ({
	current: (name) => {
		const field: unknown = n8n.getCurrentNodeParameter(name);
		const value = isObject(field) ? field.value : field;
		const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
		return text === '' || isExpression(text) ? undefined : text;
	},
	load: async (path, errors) => {
		const { turn, send } = await connect(n8n, limiters);
		await turn(() => false);
		const sending = { effect: 'read', level: 1, errors, isStopped: () => false } as const;
		return objectsIn(listIn(await send({ method: 'GET', path }, sending)));
	},
});

/** n8n's editor shows the text of no other error than a NodeApiError (n8n 2.41). */
const shown = async <Value>(
	n8n: ILoadOptionsFunctions,
	load: () => Promise<Value>,
): Promise<Value> =>
	await load().catch(async (thrown: unknown) => {
		const { message, fix, facts } = asProblem(thrown);
		const description = sentences(fix, facts.traceId && `Trace ID: ${facts.traceId}`);
		return await Promise.reject(new NodeApiError(n8n.getNode(), {}, { message, description }));
	});

/** Entries that contain every word of the filter, in any letter case. */
function filtered(entries: INodeListSearchItems[], filter = ''): INodeListSearchItems[] {
	const words = filter.toLowerCase().split(/\s+/);
	return entries.filter(({ name, value }) => {
		const text = `${name} ${value}`.toLowerCase();
		return words.every((word) => text.includes(word));
	});
}
