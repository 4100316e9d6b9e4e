import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { initialValues } from '../../fields/field';
import type { ItemFields } from '../fields/item';
import type { Operation, Resource } from '../operation';

/** The node's parameters, made of the list of operations. */
export function describeNode(resources: Resource[]): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ displayName, value }) => ({ name: displayName, value })),
			default: 'card',
		},
		...resources.map(operationField),
		...resources.flatMap(({ value, operations }) =>
			operations.flatMap(([name, operation]) =>
				propertiesOf(operation, (field) => methodName(value, name, field)).map((property) =>
					showFor(property, value, name),
				),
			),
		),
	];
}

/** Under which name the list or mapper of a field stands in the node's `methods`. */
export function methodName(resource: string, operation: string, field: string): string {
	return [resource, operation, field]
		.map((part, position) => (position === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1)))
		.join('');
}

function operationField({ value: resource, operations }: Resource): INodeProperties {
	const field: INodeProperties = {
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
		default: '',
	};
	const first =
		operations.find(([value]) => value === 'get' || value === 'search') ?? operations[0];
	return { ...field, default: first?.[0] ?? '' };
}

function propertiesOf(operation: Operation, method: (field: string) => string): INodeProperties[] {
	const own = flatten(operation.fields, method);
	if (operation.kind === 'response') return own;
	return [
		...own,
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: { ...initialValues(operation.options) },
			options: flatten(operation.options, method),
		},
	];
}

function flatten(fields: ItemFields, method: (field: string) => string): INodeProperties[] {
	return Object.entries(fields).flatMap(([name, field]) => field.property(name, method(name)));
}

function showFor(property: INodeProperties, resource: string, operation: string): INodeProperties {
	const { show, hide } = property.displayOptions ?? {};
	return {
		...property,
		displayOptions: {
			show: { resource: [resource], operation: [operation], ...show },
			...(hide === undefined ? {} : { hide }),
		},
	};
}
