import type { INodeProperties } from 'n8n-workflow';

import { describeNode } from '../../../nodes/CardTreasury/n8n/description.ts';
import { commonOptions } from '../../../nodes/CardTreasury/fields/options.ts';
import type { Operation, Resource } from '../../../nodes/CardTreasury/operation.ts';
import { RESOURCES } from '../../../nodes/CardTreasury/resources/index.ts';
import { outputOf, type Output } from './outputSchemas.mts';

/** Options that follow from what an operation does: told once, at the top of the page. */
const EVERYWHERE = Object.entries(commonOptions('by request', 30_000)).flatMap(([name, field]) =>
	field.property(name, ''),
);

const TABLE = ['| Field | Parameter | |', '|---|---|---|'];

/** Every operation with its parameters, options and output fields, from what the node is made of. */
export function operationPages(): string {
	const properties = describeNode(RESOURCES);
	const everywhere = [
		'### Options of every operation with a request',
		'',
		'*Dry Run* and *Idempotency Key* are there for writes; uploading a document has no key (§1.6).',
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
		`\`${resource.value}: ${value}\` · §${operation.section}. ${operation.description.replace(/\.$/, '')}.`,
		...(notices.length > 0 ? ['', notices.join('\n>\n')] : []),
		...(rows.length > 0 ? ['', ...TABLE, ...new Set(rows)] : []),
		'',
		outputLine(outputOf(operation)),
	].join('\n');
}

function outputLine(output: Output): string {
	const names = Object.keys(output).map((name) => `\`${name}\``);
	return names.length === 0 ? 'Output: the answer as it came.' : `Output: ${names.join(', ')}.`;
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
