import type { INodePropertyOptions } from 'n8n-workflow';

import { field, type Field, type Looks } from './field';
import { readTexts } from './text';

/** A switch; what is not set counts as its default. */
export function flag(label: string, description: string, byDefault: boolean): Field<boolean> {
	const looks: Looks = { type: 'boolean', default: byDefault, description };
	return field(label, looks, ({ value, refuse }) => {
		const isOn = value ?? byDefault;
		return typeof isOn === 'boolean'
			? isOn
			: refuse('is neither true nor false', 'Check its expression.');
	});
}

interface ChoiceLabel {
	name: string;
	description: string;
}

export type Labels<Value extends string = string> = Record<Value, string | ChoiceLabel>;

/** A documented value as a person writes it; one that is not documented as it came. */
export function labelOf(labels: Labels, value: unknown): string {
	const label = labels[String(value)] ?? String(value);
	return typeof label === 'string' ? label : label.name;
}

/** One of the listed values; expressions can give anything. */
export function choice<Value extends string>(
	label: string,
	labels: Labels<Value>,
	looks: Looks & { default?: NoInfer<Value> } = {},
): Field<Value> {
	const values = Object.keys(labels) as Value[];
	const shown: Looks = { type: 'options', options: optionsOf(labels), default: values[0] ?? '' };
	return field(label, { ...shown, ...looks }, ({ value, refuse }) => {
		const reason = value === undefined ? 'is not set' : `cannot be ${JSON.stringify(value)}`;
		const found = values.find((candidate) => candidate === value);
		return found ?? refuse(reason, `Choose one of: ${values.join(', ')}.`);
	});
}

/** Several of the listed values, none of them at first. An expression may give others: the service may know more. */
export function choices(label: string, labels: Labels, description: string): Field<string[]> {
	const looks: Looks = { type: 'multiOptions', options: optionsOf(labels), default: [] };
	return field(label, { ...looks, description }, readTexts);
}

function optionsOf(labels: Labels): INodePropertyOptions[] {
	return Object.entries(labels).map(([value, label]) =>
		typeof label === 'string' ? { name: label, value } : { ...label, value },
	);
}

/** How many items to return at most; undefined = all. */
const limit = field(
	'Limit',
	{
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	},
	(given) => {
		if (given.source.get('returnAll') === true) return undefined;
		const count = Number(given.value ?? 50);
		return Number.isInteger(count) && count >= 1
			? count
			: given.refuse(
					'is not a whole number of 1 or more',
					'Enter a number, or turn on Return All.',
				);
	},
);

/** The pair of parameters that every list of n8n's has. */
export const listLimit = {
	returnAll: flag('Return All', 'Whether to return all results or only up to a given limit', false),
	limit,
};
