import type { INodeProperties } from 'n8n-workflow';

import { isObject } from '../isObject';
import { InvalidFieldError, orInvalid } from './invalidField';
import { holdsLiteral, isEmpty, isExpression, nestedSource, type Source } from './source';

/**
 * A parameter as a value: how it looks in the panel, how it is read and checked. The name under which it is declared is
 * the parameter's saved name.
 */
export interface Field<Value, From extends Source = Source> {
	/** The parameter's display name, by which it refuses. */
	label: string;
	/** @param method name of this field's list search or mapper in the node's `methods` */
	property: (name: string, method: string) => INodeProperties | INodeProperties[];
	/** @throws InvalidFieldError */
	read: (source: From, name: string) => Value;
	/** Whether the panel shows it, given the other fields: a hidden one is not read. Absent: always. */
	isShown?: (source: From) => boolean;
	/** Whether it takes no expression, and refuses one by itself. */
	refusesExpressions?: (source: From) => boolean;
	/** Its value is a set of fields, each of which is read by itself. */
	holdsFields?: true;
}

export type Fields<From extends Source = Source> = Record<string, Field<unknown, From>>;

export type Values<Declared> = {
	[Name in keyof Declared]: Declared[Name] extends Field<infer Value, never>
		? Awaited<Value>
		: never;
};

/** What a property has besides its names; a string that is empty at first, where nothing else is said. */
export type Looks = Partial<Omit<INodeProperties, 'displayName' | 'name'>>;

/**
 * Throws an `InvalidFieldError` by the field's label.
 * @param reason completes a sentence that begins with the label
 * @param fix a full sentence: what to enter instead
 */
export type Refuse = (reason: string, fix: string) => never;

/** What a field is read from, and how it refuses. A class, because one is made for each field of each item and delivery. */
export class Given<From extends Source = Source> {
	readonly refuse: Refuse;
	/** Refuses because there is no value. @param fix what to enter, where it is not the expression that gave nothing */
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

	/** Thrown is an expression that failed. */
	get value(): unknown {
		return this.source.get(this.name);
	}

	/** As the workflow stores the value. */
	get raw(): unknown {
		return this.source.raw(this.name);
	}
}

/** A field that says by itself what no value means. */
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

/** A field that must have a value. @param fix what to do about one that is empty */
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

/** A field that is undefined where it is left empty. */
export function optional<Value, From extends Source = Source>(
	label: string,
	looks: Looks,
	read: (given: Given<From>) => Value,
): Field<Value | undefined, From> {
	return field<Value | undefined, From>(label, looks, (given) =>
		isEmpty(given.value) ? undefined : read(given),
	);
}

/** A line of text in the panel. */
export function notice(text: string): Field<undefined> {
	return field(text, { type: 'notice' }, () => undefined);
}

/**
 * Fields in a collection of their own, e.g. `filters`.
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
 * The same field, shown only while others have these values; `/name` is a parameter outside the collection.
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

/** How the panel shows them. @param methodOf the list search or mapper of a field, by its name */
export function propertiesOf(
	fields: Fields<never>,
	methodOf: (name: string) => string = () => '',
): INodeProperties[] {
	return Object.entries(fields).flatMap(([name, shown]) => shown.property(name, methodOf(name)));
}

/** Reads all fields in the order in which they are declared. @throws InvalidFieldError of the first that cannot be read */
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

/** Those fields that can be read. */
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

/** Undefined where the field is hidden. @throws InvalidFieldError */
export function readField<Value, From extends Source>(
	shown: Field<Value, From>,
	source: From,
	name: string,
): Value | undefined {
	if (shown.isShown?.(source) === false) return undefined;
	if (shown.refusesExpressions?.(source) !== true) refuseLiteral(shown, source.raw(name));
	return shown.read(source, name);
}

/** Why `{{ … }}` as plain text is refused, and what to do. */
export const LITERAL = [
	'holds {{ }} but is not an expression',
	'Switch the field to Expression.',
] as const;

/** n8n takes `{{ … }}` in a field that is set to Fixed for plain text: it would go to the service as it stands. */
function refuseLiteral({ label, holdsFields }: Field<unknown, never>, raw: unknown): void {
	// Beside its value, a resource locator or mapper keeps what the service calls it.
	if (holdsFields || !holdsLiteral(isObject(raw) && 'value' in raw ? raw.value : raw)) return;
	throw new InvalidFieldError(label, ...LITERAL);
}
