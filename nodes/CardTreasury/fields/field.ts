import type { INodeProperties, ResourceMapperFields } from 'n8n-workflow';

import { isObject } from '../../service/isObject';
import { InvalidFieldError, orInvalid } from '../errors';
import type { Caller, InputItem, JsonObject } from '../input';
import type { KnownError, ServiceRequest } from '../request';

/** Where a field is read from: the parameters of one item, or one of its collections. */
export interface Source {
	/** The value; undefined when it is not set, or when its expression gives nothing. */
	get(name: string): unknown;
	/** Whether it is there at all: an option whose expression gives nothing is present without a value. */
	has(name: string): boolean;
	/** As the workflow stores it, expressions unresolved. */
	raw(name: string): unknown;
	item: InputItem;
	caller: Caller;
}

export interface ListEntry {
	name: string;
	value: string;
}

/** What a list of the editor is made from. */
export interface EditorSource {
	/** Another field as the editor has it; empty when it is not filled in, or an expression without a value yet. */
	current(name: string): string;
	/** Reads an array from the service. */
	load(request: ServiceRequest, errors?: KnownError[]): Promise<JsonObject[]>;
}

/**
 * A parameter as a value: how it looks in the panel, how it is read and checked, and, where it is picked from a list,
 * how that list is made. The name under which an operation declares it is the parameter's saved name.
 */
export interface Field<Value> {
	/** @param method name of this field's list search or mapper in the node's `methods` */
	property(name: string, method: string): INodeProperties | INodeProperties[];
	/** Whether the panel shows it, given the other fields: a hidden one is not read. Absent: always. */
	isShown?(source: Source): boolean;
	/** In a tool it takes no expression, and refuses one by itself. */
	fixedInTool?: true;
	/** In a collection: what a new node starts with. Absent: it is not there until it is added. */
	initial?: string | boolean;
	/** @throws InvalidFieldError */
	read(source: Source, name: string): Value | Promise<Value>;
	/** @throws InvalidFieldError that names the field to fill in first */
	list?(editor: EditorSource): Promise<ListEntry[]>;
	mapper?(editor: EditorSource): Promise<ResourceMapperFields>;
}

export type Fields = Record<string, Field<unknown>>;

export type Values<Declared extends Fields> = {
	[Name in keyof Declared]: Declared[Name] extends Field<infer Value> ? Value : never;
};

/** Reads all fields in the order in which they are declared. */
export async function readFields<Declared extends Fields>(
	fields: Declared,
	source: Source,
): Promise<Values<Declared>> {
	const values: Partial<Values<Declared>> = {};
	for (const name of Object.keys(fields) as Array<keyof Declared & string>) {
		values[name] = (await readField(fields[name], source, name)) as Values<Declared>[typeof name];
	}
	return values as Values<Declared>;
}

/** Those fields that can be read. */
export async function readableFields<Declared extends Fields>(
	fields: Declared,
	source: () => Source,
): Promise<Partial<Values<Declared>>> {
	const values: Partial<Values<Declared>> = {};
	for (const name of Object.keys(fields) as Array<keyof Declared & string>) {
		const value = await orInvalid(async () => await readField(fields[name], source(), name));
		if (!(value instanceof InvalidFieldError))
			values[name] = value as Values<Declared>[typeof name];
	}
	return values;
}

function readField(field: Field<unknown> | undefined, source: Source, name: string): unknown {
	if (field === undefined || field.isShown?.(source) === false) return undefined;
	if (field.fixedInTool !== true || !source.caller.isTool) refuseLiteral(field, source, name);
	return field.read(source, name);
}

/** n8n takes `{{ … }}` in a field that is set to Fixed for plain text: it would go to the service as it stands. */
function refuseLiteral(field: Field<unknown>, source: Source, name: string): void {
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

/** The parameters of an item. */
export function sourceOf(item: InputItem, caller: Caller): Source {
	return nested(item, caller, item.parameters, caller.rawParameters);
}

/**
 * The parameters in the collection `options`.
 * @throws InvalidFieldError when it gives no options although there are some: a guard may have been among them
 */
export function optionsOf(item: InputItem, caller: Caller): Source {
	const values = item.parameters.options;
	const raw = caller.rawParameters.options;
	if (isObject(values) || (values === undefined && raw === undefined)) {
		return nested(item, caller, values, raw);
	}
	throw new InvalidFieldError('Options', 'is not an object', 'Check its expression.');
}

/** One of a source's own values as a source, for a collection in a collection. */
export function nestedSource(source: Source, name: string): Source {
	return nested(source.item, source.caller, source.get(name), source.raw(name));
}

function nested(item: InputItem, caller: Caller, values: unknown, raw: unknown): Source {
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
		item,
		caller,
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
export function shownWhen<Value>(
	show: Record<string, Array<string | boolean>>,
	field: Field<Value>,
): Field<Value | undefined> {
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
export function shownInitially<Value>(
	initial: string | boolean,
	field: Field<Value>,
): Field<Value> {
	return { ...field, initial };
}

/** What the collection of these fields holds in a new node. */
export function initialValues(fields: Fields): Record<string, string | boolean> {
	return Object.fromEntries(
		Object.entries(fields).flatMap(([name, { initial }]) =>
			initial === undefined ? [] : [[name, initial]],
		),
	);
}

function valueOf(source: Source, name: string): unknown {
	return name.startsWith('/') ? source.item.parameters[name.slice(1)] : source.get(name);
}

/**
 * Fields in a collection of their own, e.g. `filters`.
 * @param placeholder of its button, e.g. `Add filter`
 */
export function collection<Declared extends Fields>(
	displayName: string,
	placeholder: string,
	fields: Declared,
): Field<Values<Declared>> {
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
