import lodash from 'lodash';
import type { INodeProperties } from 'n8n-workflow';

import { describeNode } from '../../../nodes/CardTreasury/n8n/panel.ts';
import { RESOURCES } from '../../../nodes/CardTreasury/operations/index.ts';
import type { Operation, Resource } from '../../../nodes/CardTreasury/operations/operation.ts';
import { commonOptions } from '../../../nodes/CardTreasury/operations/options.ts';
import { outputOf } from './outputSchemas.mts';

/** Options of every operation with a request; listed once, at the top of the page. */
const EVERYWHERE = Object.entries(commonOptions('by request', 30_000)).flatMap(([name, field]) =>
	field.property(name, ''),
);

const TABLE = ['| Field | Parameter | |', '|---|---|---|'];

/** Page of every operation with its parameters, options and output fields, generated from the node. */
export function operationPages(): string {
	const properties = describeNode(RESOURCES);
	const everywhere = [
		'### Options of every operation with a request',
		'',
		'*Dry Run* is there for writes, *Idempotency Key* for writes other than *Submit Document* (§1.6).',
		'',
		...TABLE,
		...EVERYWHERE.map((option) => rowOf(option, 'options.')),
	].join('\n');
	return [
		everywhere,
		...RESOURCES.flatMap((resource) =>
			resource.operations.map(([value, operation]) =>
				pageOf(resource, value, operation, properties),
			),
		),
	].join('\n\n');
}

function pageOf(
	resource: Resource,
	value: string,
	operation: Operation,
	properties: INodeProperties[],
): string {
	const shown = properties.filter(({ displayOptions }) => {
		const { resource: resources, operation: operations } = displayOptions?.show ?? {};
		return resources?.includes(resource.value) && operations?.includes(value);
	});
	const rows = shown.flatMap((property) =>
		property.type === 'collection'
			? ((property.options ?? []) as INodeProperties[])
					.filter((option) => !EVERYWHERE.some(({ name }) => name === option.name))
					.map((option) => rowOf(option, `${property.name}.`))
			: property.type === 'notice'
				? []
				: [rowOf(property)],
	);
	const notices = shown
		.filter(({ type }) => type === 'notice')
		.map(({ displayName }) => `> ${displayName.replace(/<\/?b>/g, '**')}`);
	return [
		`### ${resource.displayName} · ${operation.name}`,
		'',
		`\`${resource.value}: ${value}\` · §${operation.section}${levelOf(operation)}. ${operation.description.replace(/\.$/, '')}.`,
		...(notices.length > 0 ? ['', notices.join('\n>\n')] : []),
		...(rows.length > 0 ? ['', ...TABLE, ...new Set(rows)] : []),
		'',
		outputLine(outputOf(operation), operation.otherOutput),
	].join('\n');
}

function outputLine(output: object, other: Operation['otherOutput']): string {
	const names = (shape: object) =>
		Object.keys(shape)
			.map((name) => `\`${name}\``)
			.join(', ');
	if (Object.keys(output).length === 0) return 'Output: the answer as it came.';
	const otherwise = other ? ` Output ${other.when}: ${names(other.shape)}.` : '';
	return `Output: ${names(output)}.${otherwise}`;
}

function rowOf(property: INodeProperties, prefix = ''): string {
	const { displayName, name, required, description, hint, placeholder } = property;
	const values = valuesOf(property);
	const parts = [
		conditionOf(property),
		required ? 'Required.' : '',
		sentence(description ?? hint ?? ''),
		values.length > 0 ? `One of ${values.join(', ')}.` : '',
		placeholder?.startsWith('e.g. ') && !description
			? `${placeholder.replace('e.g. ', 'E.g. `')}\`.`
			: '',
	];
	return `| ${displayName} | \`${prefix}${name}\` | ${parts.filter(Boolean).join(' ').replace(/\|/g, '\\|')} |`;
}

function valuesOf({ type, options = [] }: INodeProperties): string[] {
	if (type !== 'options' && type !== 'multiOptions') return [];
	return options.flatMap((option) => {
		if (!('value' in option)) return [];
		const value = `\`${String(option.value)}\``;
		return [option.description ? `${value} (${lodash.lowerFirst(option.description)})` : value];
	});
}

/** Condition under which the field is shown. */
function conditionOf({ displayOptions }: INodeProperties): string {
	return Object.entries(displayOptions?.show ?? {})
		.filter(([name]) => !['resource', 'operation', '@tool'].includes(name))
		.map(([name, values = []]) => {
			const shown = values.map((value) => `\`${String(value)}\``);
			return `When \`${name.replace('/', '')}\` is ${shown.join(', ')}.`;
		})
		.join(' ');
}

function levelOf(operation: Operation): string {
	if (operation.kind !== 'service' || operation.level === undefined) return '';
	return ` · key level ${operation.level}`;
}

function sentence(text: string): string {
	return text === '' || /[.:!?]$/.test(text) ? text : `${text}.`;
}
