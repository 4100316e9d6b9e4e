import type { INodeProperties } from 'n8n-workflow';

import { isObject } from '../service/isObject';
import { InvalidFieldError, orInvalid } from './invalidField';

/** Where a field is read from: the parameters of a node, or one of its collections. */
export interface Source {
	/** The value; undefined when it is not set, or when its expression gives nothing. */
	get(name: string): unknown;
	/** Whether it is there at all: an option whose expression gives nothing is present without a value. */
	has(name: string): boolean;
	/** As the workflow stores it, expressions unresolved. */
	raw(name: string): unknown;
	/** The value of a parameter of the node, also from within a collection. */
	parameter(name: string): unknown;
}

/**
 * A parameter as a value: how it looks in the panel, how it is read and checked. The name under which it is declared is
 * the parameter's saved name.
 */
export interface Field<Value, From extends Source = Source> {
	/** @param method name of this field's list search or mapper in the node's `methods` */
	property(name: string, method: string): INodeProperties | INodeProperties[];
	/** Whether the panel shows it, given the other fields: a hidden one is not read. Absent: always. */
	isShown?: (source: From) => boolean;
	/** Whether it takes no expression, and refuses one by itself. */
	refusesExpressions?: (source: From) => boolean;
	/** In a collection: what a new node starts with. Absent: it is not there until it is added. */
	initial?: string | boolean;
	/** @throws InvalidFieldError */
	read: (source: From, name: string) => Value | Promise<Value>;
}

export type Fields<From extends Source = Source> = Record<string, Field<unknown, From>>;

export type Values<Declared> = {
	[Name in keyof Declared]: Declared[Name] extends Field<infer Value, never> ? Value : never;
};

/** Reads all fields in the order in which they are declared. */
export async function readFields<From extends Source, Declared extends Fields<From>>(
	fields: Declared,
	source: From,
): Promise<Values<Declared>> {
	const values: Partial<Values<Declared>> = {};
	for (const name of Object.keys(fields) as Array<keyof Declared & string>) {
		values[name] = (await readField(fields[name], source, name)) as Values<Declared>[typeof name];
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
		const value = await orInvalid(async () => await readField(fields[name], source(), name));
		if (!(value instanceof InvalidFieldError))
			values[name] = value as Values<Declared>[typeof name];
	}
	return values;
}

function readField<From extends Source>(
	field: Field<unknown, From> | undefined,
	source: From,
	name: string,
): unknown {
	if (field === undefined || field.isShown?.(source) === false) return undefined;
	if (field.refusesExpressions?.(source) !== true) refuseLiteral(field, source, name);
	return field.read(source, name);
}

/** n8n takes `{{ … }}` in a field that is set to Fixed for plain text: it would go to the service as it stands. */
function refuseLiteral(field: Field<unknown, never>, source: Source, name: string): void {
	const raw = source.raw(name);
	// Beside its value, a resource locator or mapper keeps what the service calls it.
	if (!holdsLiteral(isObject(raw) && 'value' in raw ? raw.value : raw)) return;
	const [property] = [field.property(name, '')].flat();
	// The entries of a collection are fields of their own.
	if (property?.type === 'collection') return;
	throw new InvalidFieldError(
		property?.displayName ?? name,
		'holds {{ }} but is not an expression',
		'Switch the field to Expression.',
	);
}

function holdsLiteral(raw: unknown): boolean {
	if (typeof raw === 'string') return !raw.startsWith('=') && /\{\{.*?\}\}/s.test(raw);
	return typeof raw === 'object' && raw !== null && Object.values(raw).some(holdsLiteral);
}

/** One of a source's own values as a source, for a collection in a collection. */
export function nestedSource<From extends Source>(source: From, name: string): From {
	return { ...source, ...ownValues(source.get(name), source.raw(name)) };
}

/** @param values an object of values, each of which may be an `InvalidFieldError` that is thrown when it is read */
export function sourceFrom(
	values: unknown,
	raw: unknown,
	parameters: Readonly<Record<string, unknown>>,
): Source {
	return { ...ownValues(values, raw), parameter: (name) => parameters[name] };
}

function ownValues(values: unknown, raw: unknown): Omit<Source, 'parameter'> {
	const own = (holder: unknown, name: string): unknown =>
		isObject(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined;
	if (values instanceof InvalidFieldError) throw values;
	return {
		get: (name) => {
			const value = own(values, name) ?? undefined;
			if (value instanceof InvalidFieldError) throw value;
			return value;
		},
		has: (name) => isObject(values) && Object.hasOwn(values, name),
		// Where one expression gives the whole collection, it gives each of its fields.
		raw: (name) => (typeof raw === 'string' ? raw : own(raw, name)),
	};
}

/** Why a field has no value: it was never filled in, or its expression gave nothing. */
export function missing(source: Source, name: string, label: string, fix: string) {
	return isExpression(source.raw(name))
		? new InvalidFieldError(
				label,
				'has no value: its expression gave nothing',
				'Check the expression, and that the input has what it refers to.',
			)
		: new InvalidFieldError(label, 'is empty', fix);
}

/** Whether this is an expression, as the workflow stores it. */
export function isExpression(raw: unknown): boolean {
	const text = isObject(raw) ? raw.value : raw;
	return typeof text === 'string' && text.startsWith('=');
}

/** Whether nothing was given: n8n gives an empty string for a field that was left as it is. */
export function isEmpty(value: unknown): value is undefined | null | '' {
	return value === undefined || value === null || value === '';
}

/**
 * The same field, shown only while others have these values; `/name` is a parameter outside the collection.
 * A hidden field is not read.
 */
export function shownWhen<Value, From extends Source>(
	show: Record<string, Array<string | boolean>>,
	field: Field<Value, From>,
): Field<Value | undefined, From> {
	const property = (name: string, method: string) =>
		[field.property(name, method)].flat().map((shown) => ({
			...shown,
			displayOptions: { ...shown.displayOptions, show: { ...show, ...shown.displayOptions?.show } },
		}));
	return {
		...field,
		property,
		isShown: (source) =>
			Object.entries(show).every(([other, values]) =>
				values.some((value) => value === valueOf(source, other)),
			),
	};
}

/** The same option, which a new node shows from the start with this value. */
export function shownInitially<Value, From extends Source>(
	initial: string | boolean,
	field: Field<Value, From>,
): Field<Value, From> {
	return { ...field, initial };
}

/** What the collection of these fields holds in a new node. */
export function initialValues(fields: Fields<never>): Record<string, string | boolean> {
	return Object.fromEntries(
		Object.entries(fields).flatMap(([name, { initial }]) =>
			initial === undefined ? [] : [[name, initial]],
		),
	);
}

function valueOf(source: Source, name: string): unknown {
	return name.startsWith('/') ? source.parameter(name.slice(1)) : source.get(name);
}

/**
 * Fields in a collection of their own, e.g. `filters`.
 * @param placeholder of its button, e.g. `Add filter`
 */
export function collection<From extends Source, Declared extends Fields<From>>(
	displayName: string,
	placeholder: string,
	fields: Declared,
): Field<Values<Declared>, From> {
	return {
		property: (name, method) => ({
			displayName,
			name,
			type: 'collection',
			placeholder,
			default: {},
			options: Object.entries(fields).flatMap(([entry, field]) => field.property(entry, method)),
		}),
		read: async (source, name) => {
			const value = source.get(name);
			if (value !== undefined && !isObject(value)) {
				throw new InvalidFieldError(displayName, 'is not an object', 'Check its expression.');
			}
			return await readFields(fields, nestedSource(source, name));
		},
	};
}

/** A line of text in the panel. */
export function notice(displayName: string): Field<undefined> {
	return {
		property: (name) => ({ displayName, name, type: 'notice', default: '' }),
		read: () => undefined,
	};
}
