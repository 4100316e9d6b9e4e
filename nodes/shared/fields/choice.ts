import type { INodePropertyOptions } from 'n8n-workflow';

import { field, optionalByHand, type Field, type Ui } from './field';
import { readTexts } from './text';

/** Boolean field with a default. */
export function flag(label: string, description: string, byDefault: boolean): Field<boolean> {
	const ui: Ui = { type: 'boolean', default: byDefault, description };
	return field(label, ui, ({ value, refuse }) => {
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

/** Returns the label of a documented value. Other values are returned unchanged. */
export function labelOf(labels: Labels, value: unknown): string {
	const label = labels[String(value)] ?? String(value);
	return typeof label === 'string' ? label : label.name;
}

/** Field with one of the listed values. Refuses others, because an expression can return anything. */
export function choice<Value extends string>(
	label: string,
	labels: Labels<Value>,
	ui: Ui & { default?: NoInfer<Value> } = {},
): Field<Value> {
	const values = Object.keys(labels) as Value[];
	const shown: Ui = { type: 'options', options: optionsOf(labels), default: values[0] ?? '' };
	return field(label, { ...shown, ...ui }, ({ value, refuse }) => {
		const reason = value === undefined ? 'is not set' : `cannot be ${JSON.stringify(value)}`;
		const found = values.find((candidate) => candidate === value);
		return found ?? refuse(reason, `Choose one of: ${values.join(', ')}.`);
	});
}

/**
 * Field with several of the listed values, by default none. An expression may return other values, because the service
 * may know more.
 */
export function choices(label: string, labels: Labels, description: string): Field<string[]> {
	const ui: Ui = { type: 'multiOptions', options: optionsOf(labels), default: [] };
	const { property, read } = optionalByHand(label, { ...ui, description }, readTexts);
	return { label, property, read: (source, name) => read(source, name) ?? [] };
}

function optionsOf(labels: Labels): INodePropertyOptions[] {
	return Object.entries(labels).map(([value, label]) =>
		typeof label === 'string' ? { name: label, value } : { ...label, value },
	);
}

/** Maximum number of items. Undefined returns all. */
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

/** The parameters Return All and Limit, as in other n8n nodes. */
export const listLimit = {
	returnAll: flag('Return All', 'Whether to return all results or only up to a given limit', false),
	limit,
};
