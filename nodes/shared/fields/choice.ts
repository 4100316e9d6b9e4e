import type { INodePropertyOptions } from 'n8n-workflow';

import { isDecimal } from '../decimal';
import { textOf } from '../plainLine';
import { field, optional, shownWhen, type Field, type Ui } from './field';
import { quote } from './invalidField';
import { readTexts } from './text';

/** Texts that forms and spreadsheets give for a boolean, in any letter case. */
const BOOLEANS: Record<string, boolean> = { yes: true, true: true, no: false, false: false };

/**
 * Boolean field with a default.
 * @param given `fromForm`: takes the texts of a form too. No guard does.
 */
export function flag(
	label: string,
	description: string,
	byDefault: boolean,
	given?: 'fromForm',
): Field<boolean> {
	const ui: Ui = { type: 'boolean', default: byDefault, description };
	return field(label, ui, ({ value = byDefault, refuse }) => {
		const isText = given === 'fromForm' && typeof value === 'string';
		const isOn = isText ? BOOLEANS[value.trim().toLowerCase()] : value;
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
	const key = textOf(value);
	const label = Object.hasOwn(labels, key) ? labels[key]! : key;
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
		const reason =
			value === undefined
				? 'is not set'
				: `cannot be ${typeof value === 'string' ? quote(value) : String(JSON.stringify(value))}`;
		const found = values.find((candidate) => candidate === value);
		return found ?? refuse(reason, `Choose one of: ${values.join(', ')}.`);
	});
}

/**
 * Field with several of the listed values, by default none. An expression may give values or labels in any letter case.
 * Refuses others, because a filter that matches nothing looks like an empty result.
 */
export function choices(label: string, labels: Labels, description: string): Field<string[]> {
	const ui: Ui = { type: 'multiOptions', options: optionsOf(labels), default: [] };
	const values = Object.keys(labels);
	const { property, read } = optional(label, { ...ui, description }, (given) =>
		readTexts(given).map(
			(text) =>
				values.find((value) => [value, labelOf(labels, value)].some(isSameText(text))) ??
				given.refuse(`holds ${quote(text)}`, `Use: ${values.join(', ')}.`),
		),
	);
	return {
		label,
		property,
		read: (source, name) => read(source, name) ?? [],
		look: { isName: true, takes: 'list' },
	};
}

/** Compares two texts in any letter case, after NFKC and without outer spaces. */
export function isSameText(left: unknown): (right: unknown) => boolean {
	const spelled = (value: unknown) => textOf(value).normalize('NFKC').trim().toUpperCase();
	const wanted = spelled(left);
	return (right) => spelled(right) === wanted;
}

function optionsOf(labels: Labels): INodePropertyOptions[] {
	return Object.entries(labels).map(([value, label]) =>
		typeof label === 'string' ? { name: label, value } : { ...label, value },
	);
}

/** Number, or the number that a decimal text writes. NaN for anything else, such as `0x10`, `1e3`, true or a list. */
export function numberOf(value: unknown): number {
	const isText = typeof value === 'string' && isDecimal(value.trim());
	return typeof value === 'number' || isText ? Number(value) : Number.NaN;
}

/** Maximum number of items. Undefined returns all. */
const limit = shownWhen(
	{ returnAll: [false] },
	field(
		'Limit',
		{
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			description: 'Max number of results to return',
		},
		({ value, refuse }) => {
			const count = numberOf(value ?? 50);
			return Number.isSafeInteger(count) && count >= 1
				? count
				: refuse('is not a whole number of 1 or more', 'Enter a number, or turn on Return All.');
		},
	),
);

/** The parameters Return All and Limit, as in other n8n nodes. */
export const listLimit = {
	returnAll: flag('Return All', 'Whether to return all results or only up to a given limit', false),
	limit,
};

/** Longest list of values that a hint names. */
const NAMED = 20;

/**
 * Names the values that a filter could find in a list.
 * @returns undefined if the list is empty
 */
export function foundInstead(things: string, found: unknown[]): string | undefined {
	if (found.length === 0) return undefined;
	const names = [...new Set(found.map((value) => quote(textOf(value))))];
	const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
	return `No ${things} match the filters. There are: ${names.slice(0, NAMED).join(', ')}${more}.`;
}
