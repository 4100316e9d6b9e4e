import type { INodeProperties } from 'n8n-workflow';

import { describe as describeNode } from '../../../nodes/CardTreasury/description.ts';
import type { Operation, Resource } from '../../../nodes/CardTreasury/operation.ts';
import { effortOptions } from '../../../nodes/CardTreasury/execution/effort.ts';
import { RESOURCES } from '../../../nodes/CardTreasury/resources/index.ts';

/** Options that every operation with a request has: told once, at the top of the page. */
const EVERYWHERE = effortOptions(30_000);

const TABLE = ['| Field | Parameter | |', '|---|---|---|'];

/** Every operation with its parameters and options, from what the editor shows. */
export function operationPages(): string {
	const properties = describeNode(RESOURCES);
	const everywhere = [
		'### Options of every operation with a request',
		'',
		...TABLE,
		...EVERYWHERE.map((option) => rowOf(option, 'options.')),
	].join('\n');
	return [
		everywhere,
		...RESOURCES.flatMap((resource) =>
			resource.operations.map((operation) => pageOf(resource, operation, properties)),
		),
	].join('\n\n');
}

function pageOf(resource: Resource, operation: Operation, properties: INodeProperties[]): string {
	const shown = properties.filter(({ displayOptions }) => {
		const { resource: resources, operation: operations } = displayOptions?.show ?? {};
		return resources?.includes(resource.value) && operations?.includes(operation.value);
	});
	const rows = shown.flatMap((property) =>
		property.name === 'options' || property.name === 'filters'
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
		`### ${resource.displayName} · ${operation.displayName}`,
		'',
		`\`${resource.value}: ${operation.value}\` · §${operation.section}. ${operation.description.replace(/\.$/, '')}.`,
		...(notices.length > 0 ? ['', notices.join('\n>\n')] : []),
		...(rows.length > 0 ? ['', ...TABLE, ...rows] : []),
	].join('\n');
}

function rowOf(
	{ displayName, name, required, description, hint, placeholder, type, options }: INodeProperties,
	prefix = '',
): string {
	const values =
		type === 'options' || type === 'multiOptions'
			? (options ?? []).flatMap((option) =>
					'value' in option ? [`\`${String(option.value)}\``] : [],
				)
			: [];
	const parts = [
		required ? 'Required.' : '',
		sentence(description ?? hint ?? ''),
		values.length > 0 ? `One of ${values.join(', ')}.` : '',
		placeholder?.startsWith('e.g. ') && !description
			? `${placeholder.replace('e.g. ', 'E.g. `')}\`.`
			: '',
	];
	return `| ${displayName} | \`${prefix}${name}\` | ${parts.filter(Boolean).join(' ').replace(/\|/g, '\\|')} |`;
}

function sentence(text: string): string {
	return text === '' || /[.:!?]$/.test(text) ? text : `${text}.`;
}
