import lodash from 'lodash';
import type { INodeProperties } from 'n8n-workflow';

import { RESOURCES } from '../../../nodes/CardTreasury/operations/index.ts';
import { properties } from '../../../nodes/CardTreasury/panel.ts';
import { sentences } from '../../../nodes/shared/text.ts';
import { OPERATION_SAMPLES } from '../../samples/operations.mts';
import { markdownTable } from './page.mts';

const PANEL = properties();

/** Operations with what the samples say of them. */
const SHOWN = Object.entries(RESOURCES).flatMap(([resource, { displayName, operations }]) =>
	Object.entries(operations).map(([name, operation]) => {
		const sample = OPERATION_SAMPLES[`${resource}: ${name}`];
		if (!sample) throw new Error(`${resource}: ${name} needs a sample in test/samples`);
		return { ...sample, resource, label: displayName, name, operation };
	}),
);
type Shown = (typeof SHOWN)[number];

/** README's table of operations, generated from the node. */
export const operationsTable = (): string =>
	markdownTable(
		['Resource', 'Operation', 'What it does', 'Key level'],
		SHOWN.map(({ label, operation }) => {
			const level = operation.kind === 'request' ? String(operation.level ?? '–') : 'none';
			return [label, operation.name, operation.description, level];
		}),
	);

/** Page of every operation with its parameters, options and output fields, generated from the node. */
export const operationPages = (): string => SHOWN.map(pageOf).join('\n\n');

function pageOf(shown: Shown): string {
	const { resource, label, name, operation } = shown;
	const own = PANEL.filter(({ displayOptions }) => {
		const { resource: resources, operation: operations } = displayOptions?.show ?? {};
		return resources?.includes(resource) && operations?.includes(name);
	});
	const rows = own.flatMap((property) => {
		if (property.type === 'notice') return [];
		if (property.type !== 'collection') return [rowOf(property)];
		const options = (property.options ?? []) as INodeProperties[];
		return options.map((option) => rowOf(option, `${property.name}.`));
	});
	const notices = own
		.filter(({ type }) => type === 'notice')
		.map(({ displayName }) => `> ${displayName.replace(/<\/?b>/g, '**')}`);
	const level = operation.kind === 'request' ? operation.level : undefined;
	const about = [`\`${resource}: ${name}\``, requestInWords(shown), level && `key level ${level}`];
	const fields = Object.keys(shown.item).map((field) => `\`${field}\``);
	return [
		`### ${label} · ${operation.name}`,
		sentences(about.filter(Boolean).join(' · '), operation.description),
		notices.join('\n>\n'),
		rows.length > 0 && markdownTable(['Field', 'Parameter', 'About'], rows),
		`Output: ${fields.join(', ') || 'the answer as it came'}.`,
	]
		.filter(Boolean)
		.join('\n\n');
}

function rowOf(property: INodeProperties, prefix = ''): string[] {
	const { displayName, name, required, description, hint, placeholder } = property;
	const values = valuesOf(property);
	const example = description === undefined && placeholder?.startsWith('e.g. ') && placeholder;
	const about = sentences(
		conditionOf(property),
		required && 'Required',
		description ?? hint,
		values.length > 0 && `One of ${values.join(', ')}`,
		example && `E.g. \`${example.slice('e.g. '.length)}\``,
	);
	return [displayName, `\`${prefix}${name}\``, about.replace(/\|/g, '\\|')];
}

function valuesOf({ type, options = [] }: INodeProperties): string[] {
	if (type !== 'options' && type !== 'multiOptions') return [];
	return options.flatMap((option) => {
		if (!('value' in option)) return [];
		const value = `\`${String(option.value)}\``;
		return [option.description ? `${value} (${lodash.lowerFirst(option.description)})` : value];
	});
}

function conditionOf({ displayOptions }: INodeProperties): string {
	return Object.entries(displayOptions?.show ?? {})
		.filter(([name]) => !['resource', 'operation'].includes(name))
		.map(([name, values = []]) => {
			const shown = values.map((value) => `\`${String(value)}\``);
			return `When \`${name}\` is ${shown.join(', ')}`;
		})
		.join(' ');
}

function requestInWords({ operation, request }: Shown): string {
	if (operation.kind === 'answer') return 'answers the waiting authorization';
	if (request === undefined) return 'none: it cannot send';
	return 'path' in operation.fields
		? 'any path below the Base URL'
		: `\`${request[0].replace(/\?.*/, '')}\``;
}
