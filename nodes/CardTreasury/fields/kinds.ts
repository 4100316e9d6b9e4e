import { DateTime } from 'luxon';
import type { INodeListSearchItems, INodePropertyOptions } from 'n8n-workflow';

import { isObject } from '../../shared/isObject';
import { listOf, quote, textOf } from '../../shared/text';
import {
	field,
	optional,
	required,
	shownWhen,
	type Editor,
	type Field,
	type Input,
	type Refuse,
	type Ui,
} from './field';
import { isEmpty, reasonAgainst } from './values';

const NAME = { isName: true } as const;
const CHECK = 'Check its expression.';

/** Text of a text or a number, trimmed. */
function readText(value: unknown, refuse: Refuse): string {
	if (typeof value === 'number') return textOf(value);
	return typeof value === 'string' ? value.trim() : refuse('is not a text', CHECK);
}

/** Required text that names something. A number must be whole, because 17.10 and 17.1 are one number. */
export const readName = (value: unknown, refuse: Refuse): string =>
	typeof value === 'number' && !Number.isSafeInteger(value)
		? refuse(`is the number ${value}`, 'Pass it as text.')
		: readText(value, refuse);

/** A path segment of dots would lead to another endpoint. */
function readId(value: unknown, refuse: Refuse): string {
	const id = readName(value, refuse);
	return /^\.\.?$/.test(id) ? refuse('is not an ID', 'Enter it as the service shows it.') : id;
}

/** ID for a path. */
export const id = (label: string, placeholder: string, description: string): Field<string> =>
	required(label, { placeholder, description }, readId, NAME);

export const optionalId = (label: string, placeholder: string, description: string) =>
	optional(label, { placeholder, description }, readId, NAME);

export const CARD_ID = ['Card ID', 'e.g. ca4d0000-0000-4000-8000-000000000001'] as const;

export const cardId = (description: string): Field<string> => id(...CARD_ID, description);

export const text = (label: string, ui: Ui): Field<string> => required(label, ui, readText);

/** Required ID from a list of the service, or entered by hand. */
export function locator<Value>(
	label: string,
	description: string,
	[displayName, placeholder]: [byHand: string, placeholder: string],
	parse: (value: unknown, refuse: Refuse, input: Input) => Value,
	list: (editor: Editor) => Promise<INodeListSearchItems[]>,
): Field<Value> {
	const textField = required(label, { description }, parse, NAME);
	const property: Field<Value>['property'] = (name, searchListMethod) => ({
		...textField.property(name, searchListMethod),
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName, placeholder, name: 'id', type: 'string' },
		],
	});
	return { ...textField, property, list };
}

export const idFromList = (
	label: string,
	description: string,
	placeholder: string,
	list: (editor: Editor) => Promise<INodeListSearchItems[]>,
) => locator(label, description, ['By ID', placeholder], readId, list);

export function flag(label: string, description: string, byDefault: boolean): Field<boolean> {
	return field(label, { type: 'boolean', default: byDefault, description }, (value, refuse) =>
		typeof value === 'boolean' ? value : refuse('is neither true nor false', CHECK),
	);
}

/** Name of each value in the panel, with a description if it needs one. */
type Labels<Value extends string> = Record<Value, string | { name: string; description: string }>;

const optionsOf = (labels: Labels<string>): INodePropertyOptions[] =>
	Object.entries(labels).map(([value, label]) =>
		typeof label === 'string' ? { name: label, value } : { ...label, value },
	);

/** Value of the list that an expression means, in any letter case. */
function readChoice<Value extends string>(labels: Labels<Value>, entered: unknown, refuse: Refuse) {
	const values = Object.keys(labels) as Value[];
	const wanted = textOf(entered).trim().toLowerCase();
	const found = values.find((value) => value.toLowerCase() === wanted);
	return found ?? refuse(`is ${quote(textOf(entered))}`, `Use ${listOf(values)}.`);
}

/** One of the listed values, by default the first. */
export function choice<Value extends string>(
	label: string,
	labels: Labels<Value>,
	ui: Ui & { default?: NoInfer<Value> } = {},
): Field<Value> {
	const [first = ''] = Object.keys(labels);
	const shown: Ui = { type: 'options', options: optionsOf(labels), default: first, ...ui };
	return field(label, shown, (value, refuse) => readChoice(labels, value, refuse));
}

/** Several of the listed values, by default none. */
export function choices<Value extends string>(
	label: string,
	labels: Labels<Value>,
	description: string,
): Field<Value[]> {
	const ui: Ui = { type: 'multiOptions', options: optionsOf(labels), default: [], description };
	const parse = (value: unknown, refuse: Refuse) => {
		const list: unknown[] = Array.isArray(value) ? value : isEmpty(value) ? [] : [value];
		return list.map((entry) => readChoice(labels, entry, refuse));
	};
	return field(label, ui, parse, { takesAny: true });
}

/** Return All and Limit, as in other n8n nodes. The limit is undefined while all are returned. */
export const listLimit = {
	returnAll: flag('Return All', 'Whether to return all results or only up to a given limit', false),
	limit: shownWhen(
		{ returnAll: [false] },
		field(
			'Limit',
			{
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 50,
				description: 'Max number of results to return',
			},
			(value, refuse) =>
				Number.isSafeInteger(value) && Number(value) >= 1
					? Number(value)
					: refuse('is not a whole number of 1 or more', 'Enter a number, or turn on Return All.'),
		),
	),
};

/**
 * Calendar day as `YYYY-MM-DD`. A moment is its day in the workflow's time zone, but midnight UTC is that date, because
 * databases and sheets write dates so.
 */
export function calendarDay(label: string, description: string): Field<string> {
	const ui: Ui = { type: 'dateTime', typeOptions: { dateOnly: true }, description };
	return required(
		label,
		ui,
		(value, refuse, { timezone: zone }) => {
			// A date object is quoted, as in JSON.
			const text = textOf(value).replaceAll('"', '').trim();
			const moment = /^\d{4}-?\d\d-?\d\d/.test(text)
				? DateTime.fromISO(text.replace(' ', 'T'), { zone, setZone: true })
				: DateTime.invalid('no date');
			const isDate = moment.offset === 0 && +moment === +moment.startOf('day');
			return moment.isValid
				? (isDate ? moment : moment.setZone(zone)).toFormat('yyyy-MM-dd')
				: refuse(`is ${quote(text)}, not a day`, 'Enter it as YYYY-MM-DD, e.g. 2026-01-31.');
		},
		{ takesAny: true },
	);
}

/** Path below the base URL. It must not lead out of it, because the API key is sent along. */
export function path(label: string, ui: { placeholder: string; description: string }) {
	const parse = (value: unknown, refuse: Refuse) => {
		const text = readText(value, refuse);
		// A server may decode dots and slashes, and drop what follows a semicolon, before it splits the path.
		const decoded = text
			.replace(/%2e/gi, '.')
			.replace(/%(?:2f|5c)/gi, '/')
			.replace(/%3b/gi, ';');
		const leaves = decoded.split('/').some((segment) => /^\.\.?(?:;|$)/.test(segment));
		return !leaves && /^(?:\/[^\s/?#\\]+)+\/?$/.test(text)
			? text
			: refuse(
					`is ${quote(text)}, not a path below the Base URL`,
					'Enter what follows the Base URL, without query parameters, e.g. /management/clients.',
				);
	};
	return required(label, ui, parse, NAME);
}

export type Pairs = Array<[name: string, value: string]>;

/** Rows of name and value, in order. A name may repeat. */
export function pairs(label: string, description: string): Field<Pairs> {
	const column = (displayName: string, name: string) =>
		({ displayName, name, type: 'string', default: '' }) as const;
	const values = [column('Name', 'name'), column('Value', 'value')];
	const ui: Ui = {
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add parameter',
		default: {},
		options: [{ displayName: 'Parameter', name: 'parameter', values }],
		description,
	};
	return field(label, ui, (value, refuse, { raw }) => readPairs(value, raw, refuse), {
		takesAny: true,
	});
}

function readPairs(value: unknown, raw: unknown, refuse: Refuse): Pairs {
	const rows = isObject(value) && Array.isArray(value.parameter) ? value.parameter : [];
	// The list, or one expression for all of it.
	const stored = isObject(raw) ? raw.parameter : raw;
	return rows.map((row: unknown, at) => {
		const cells = isObject(row) ? row : {};
		const source: unknown = Array.isArray(stored) ? stored[at] : undefined;
		const sourceOf = (name: string) => (isObject(source) ? source[name] : stored);
		const read = (name: string) => {
			const reason = reasonAgainst(cells[name], sourceOf(name));
			return reason
				? refuse(`has a ${name} that ${reason[0]}`, reason[1])
				: typeof cells[name] === 'boolean'
					? String(cells[name])
					: readText(cells[name] ?? '', refuse);
		};
		const name = read('name');
		return [name === '' ? refuse('has a row without a name', 'Enter it.') : name, read('value')];
	});
}
