import type { INodeProperties } from 'n8n-workflow';

import { isObject } from '../isObject';
import { InvalidFieldError, orInvalid } from './invalidField';
import { holdsLiteral, isEmpty, isExpression, nestedSource, type Source } from './source';

/**
 * Parameter with its look in the panel, its parser and its checks. The name under which it is declared is the
 * parameter's saved name.
 */
export interface Field<Value, From extends Source = Source> {
	/** Display name of the parameter, used in refusals. */
	label: string;
	/** @param method name of this field's list search or mapper in the node's `methods` */
	property: (name: string, method: string) => INodeProperties | INodeProperties[];
	/** @throws InvalidFieldError */
	read: (source: From, name: string) => Value;
	/** True if the panel shows it, given the other fields. A hidden field is not read. Default: always. */
	isShown?: (source: From) => boolean;
	/** True if it takes no expression and refuses one. */
	refusesExpressions?: (source: From) => boolean;
	/** Its value is a set of fields, read one by one. */
	holdsFields?: true;
}

export type Fields<From extends Source = Source> = Record<string, Field<unknown, From>>;

export type Values<Declared> = {
	[Name in keyof Declared]: Declared[Name] extends Field<infer Value, never>
		? Awaited<Value>
		: never;
};

/** Properties besides the names; by default an empty string. */
export type Looks = Partial<Omit<INodeProperties, 'displayName' | 'name'>>;

/**
 * Throws an `InvalidFieldError` with the field's label.
 * @param reason completes a sentence that begins with the label
 * @param fix a full sentence: what to enter instead
 */
export type Refuse = (reason: string, fix: string) => never;

/** Input of a field's parser. A class, because one is created for each field of each item and delivery. */
export class Given<From extends Source = Source> {
	readonly refuse: Refuse;
	/** Refuses an empty value. @param fix what to enter, unless an expression returned nothing */
	readonly refuseEmpty: (fix: string) => never;

	constructor(
		readonly label: string,
		readonly source: From,
		readonly name: string,
	) {
		this.refuse = (reason, fix) => {
			throw new InvalidFieldError(label, reason, fix);
		};
		this.refuseEmpty = (fix) =>
			isExpression(this.raw)
				? this.refuse(
						'has no value: its expression gave nothing',
						'Check the expression, and that the input has what it refers to.',
					)
				: this.refuse('is empty', fix);
	}

	/** @throws the error of an expression that failed */
	get value(): unknown {
		return this.source.get(this.name);
	}

	/** Value as the workflow stores it. */
	get raw(): unknown {
		return this.source.raw(this.name);
	}
}

/** Field that decides itself what an empty value means. */
export function field<Value, From extends Source = Source>(
	label: string,
	looks: Looks | ((method: string) => Looks),
	read: (given: Given<From>) => Value,
): Field<Value, From> {
	return {
		label,
		property: (name, method) => ({
			displayName: label,
			name,
			type: 'string',
			default: '',
			...(typeof looks === 'function' ? looks(method) : looks),
		}),
		read: (source, name) => read(new Given(label, source, name)),
	};
}

/** Field that must have a value. @param fix what to do about an empty one */
export function required<Value, From extends Source = Source>(
	label: string,
	looks: Looks | ((method: string) => Looks),
	read: (given: Given<From>) => Value,
	fix = `Enter the ${label}.`,
): Field<Value, From> {
	const shown = (method: string): Looks => ({
		required: true,
		...(typeof looks === 'function' ? looks(method) : looks),
	});
	return field<Value, From>(label, shown, (given) =>
		isEmpty(given.value) ? given.refuseEmpty(fix) : read(given),
	);
}

/** Field that is undefined if it is empty. */
export function optional<Value, From extends Source = Source>(
	label: string,
	looks: Looks,
	read: (given: Given<From>) => Value,
): Field<Value | undefined, From> {
	return field<Value | undefined, From>(label, looks, (given) =>
		isEmpty(given.value) ? undefined : read(given),
	);
}

/** Line of text in the panel. */
export function notice(text: string): Field<undefined> {
	return field(text, { type: 'notice' }, () => undefined);
}

/**
 * Fields in their own collection, e.g. `filters`.
 * @param placeholder of its button, e.g. `Add filter`
 */
export function collection<Declared extends Fields>(
	label: string,
	placeholder: string,
	fields: Declared,
): Field<Promise<Values<Declared>>> {
	const shown = (method: string): Looks => ({
		type: 'collection',
		placeholder,
		default: {},
		options: propertiesOf(fields, () => method),
	});
	return {
		...field(label, shown, async ({ value, source, name, refuse }) =>
			value === undefined || isObject(value)
				? await readFields(fields, nestedSource(source, name))
				: refuse('is not an object', 'Check its expression.'),
		),
		holdsFields: true,
	};
}

/**
 * Shows a field only while others have these values; `/name` is a parameter outside the collection.
 * A hidden field is not read.
 */
export function shownWhen<Value, From extends Source>(
	show: Record<string, Array<string | boolean>>,
	shown: Field<Value, From>,
): Field<Value | undefined, From> {
	const valueOf = (source: From, name: string) =>
		name.startsWith('/') ? source.parameter(name.slice(1)) : source.get(name);
	return {
		...shown,
		property: (name, method) =>
			[shown.property(name, method)].flat().map((property) => {
				const { displayOptions } = property;
				return {
					...property,
					displayOptions: { ...displayOptions, show: { ...show, ...displayOptions?.show } },
				};
			}),
		isShown: (source) =>
			Object.entries(show).every(([other, values]) =>
				values.some((value) => value === valueOf(source, other)),
			),
	};
}

/** Returns the fields' panel properties. @param methodOf returns the list search or mapper of a field */
export function propertiesOf(
	fields: Fields<never>,
	methodOf: (name: string) => string = () => '',
): INodeProperties[] {
	return Object.entries(fields).flatMap(([name, shown]) => shown.property(name, methodOf(name)));
}

/** Reads all fields in the order of their declaration. @throws InvalidFieldError of the first one that cannot be read */
export async function readFields<From extends Source, Declared extends Fields<From>>(
	fields: Declared,
	source: From,
): Promise<Values<Declared>> {
	const values: Partial<Values<Declared>> = {};
	for (const name of Object.keys(fields) as Array<keyof Declared & string>) {
		values[name] = (await readField(fields[name]!, source, name)) as Values<Declared>[typeof name];
	}
	return values as Values<Declared>;
}

/** Reads the fields that can be read. */
export async function readableFields<From extends Source, Declared extends Fields<From>>(
	fields: Declared,
	source: () => From,
): Promise<Partial<Values<Declared>>> {
	const values: Partial<Values<Declared>> = {};
	for (const name of Object.keys(fields) as Array<keyof Declared & string>) {
		const value = await orInvalid(async () => await readField(fields[name]!, source(), name));
		if (!(value instanceof InvalidFieldError))
			values[name] = value as Values<Declared>[typeof name];
	}
	return values;
}

/** Reads a field; undefined if it is hidden. @throws InvalidFieldError */
export function readField<Value, From extends Source>(
	shown: Field<Value, From>,
	source: From,
	name: string,
): Value | undefined {
	if (shown.isShown?.(source) === false) return undefined;
	if (shown.refusesExpressions?.(source) !== true) refuseLiteral(shown, source.raw(name));
	return shown.read(source, name);
}

/** Refusal of `{{ … }}` as plain text: reason and fix. */
export const LITERAL = [
	'holds {{ }} but is not an expression',
	'Switch the field to Expression.',
] as const;

/** Refuses `{{ … }}` in a field set to Fixed, which n8n treats as plain text and would send unchanged. */
function refuseLiteral({ label, holdsFields }: Field<unknown, never>, raw: unknown): void {
	// A resource locator or mapper also stores the service's own names besides its value.
	if (holdsFields || !holdsLiteral(isObject(raw) && 'value' in raw ? raw.value : raw)) return;
	throw new InvalidFieldError(label, ...LITERAL);
}
