import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { effortOptions } from './execution/effort';
import type { Operation, Resource } from './operation';

/** The node's parameters, made from the list of operations. */
export function describe(resources: Resource[]): INodeProperties[] {
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
			operations.flatMap((operation) =>
				fieldsOf(operation).map((property) => showFor(property, value, operation.value)),
			),
		),
	];
}

function operationField({ value: resource, operations }: Resource): INodeProperties {
	const field: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: operations.map(
			({ displayName, value, action, description }): INodePropertyOptions => ({
				name: displayName,
				value,
				action,
				description,
			}),
		),
		default: '',
	};
	return { ...field, default: operations[0]?.value ?? '' };
}

function fieldsOf(operation: Operation): INodeProperties[] {
	if (operation.kind === 'answer') return operation.properties;
	const options = [...(operation.options ?? []), ...effortOptions(operation.timeoutMs)].sort(
		(left, right) => left.displayName.localeCompare(right.displayName),
	);
	return [
		...operation.properties,
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options,
		},
	];
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
