import type { INodeProperties } from 'n8n-workflow';

import { isObject } from '../isObject';
import { InvalidFieldError, orInvalid } from './invalidField';
import { gaveNothing, problemOf, type Look } from './nothing';
import { holdsLiteral, isEmpty, isExpression, nestedSource, type Source } from './source';

/** Parameter of a node: label, panel properties, parser and checks. Declared under the parameter's saved name. */
export interface Field<Value, From extends Source = Source> {
	/** Display name of the parameter. Refusals begin with it. */
	label: string;
	/**
	 * Returns the panel properties.
	 * @param method name of this field's list search or mapper in the node's `methods`
	 */
	property: (name: string, method: string) => INodeProperties | INodeProperties[];
	/** @throws InvalidFieldError */
	read: (source: From, name: string) => Value;
	/** Condition under which the panel shows the field. By default always. */
	show?: Show;
	/**
	 * Returns the value to use instead of an invalid or hidden one. Needed at run time, because an expression can fail
	 * after publishing.
	 * @param refused the invalid value; undefined while the field is hidden
	 */
	failClosed?: (refused?: unknown) => Value;
	/** True if the field takes no expression, and refuses one. */
	refusesExpressions?: (source: From) => boolean;
	/** True if the value is a set of fields, read one by one. */
	holdsFields?: true;
	/** How the value is looked at for values that mean nothing. `own`: the field looks at its parts. */
	look?: Look | 'own';
	/** True if an expression may give nothing, which is then the same as an empty field. */
	mayGiveNothing?: true;
}

/** Values that other fields must have, by name. `/name` is a parameter outside the collection. */
export type Show = Readonly<Record<string, Array<string | boolean>>>;

export type Fields<From extends Source = Source> = Record<string, Field<unknown, From>>;

export type Values<Declared> = {
	[Name in keyof Declared]: Declared[Name] extends Field<infer Value, never> ? Value : never;
};

/** Panel properties besides the names. The default is a string field. */
export type Ui = Partial<Omit<INodeProperties, 'displayName' | 'name'>>;

/**
 * Throws an `InvalidFieldError` with the field's label.
 * @param reason completes a sentence that begins with the label
 * @param fix full sentence that tells what to enter instead
 * @param plain problem and fix for the person who gave the value
 */
export type Refuse = (reason: string, fix: string, plain?: string) => never;

/** Input of a field's parser. A class for speed, because each field of each item and delivery needs an instance. */
export class FieldContext<From extends Source = Source> {
	readonly refuse: Refuse;
	/**
	 * Refuses an empty value.
	 * @param fix tells what to enter, for a value without expression
	 */
	readonly refuseEmpty: (fix: string) => never;

	constructor(
		readonly label: string,
		readonly source: From,
		readonly name: string,
	) {
		this.refuse = (reason, fix, plain) => {
			throw new InvalidFieldError(label, reason, fix, plain);
		};
		this.refuseEmpty = (fix) =>
			isExpression(this.raw)
				? this.refuse(...gaveNothing(this.raw, source.isItemEmpty))
				: this.refuse('is empty', fix);
	}

	/** @throws the error of an expression that failed */
	get value(): unknown {
		return this.source.get(this.name);
	}

	/** Value as stored in the workflow. */
	get raw(): unknown {
		return this.source.raw(this.name);
	}

	/**
	 * Refuses a value that means nothing.
	 * @param raw the value as stored in the workflow
	 * @param part name of the part of the field that holds the value
	 * @param plain problem and fix for the person who gave the value
	 */
	refuseNothing(value: unknown, raw: unknown, look: Look = {}, part = '', plain?: string): void {
		const { evaluate = () => value, isItemEmpty } = this.source;
		const [reason, fix] = problemOf(value, raw, look, { evaluate, isItemEmpty }) ?? [];
		if (reason !== undefined && fix !== undefined)
			this.refuse(part === '' ? reason : `${part} ${reason}`, fix, plain);
	}
}

/** Field whose `read` also handles an empty value. */
export function field<Value, From extends Source = Source>(
	label: string,
	ui: Ui | ((method: string) => Ui),
	read: (given: FieldContext<From>) => Value,
): Field<Value, From> {
	return {
		label,
		property: (name, method) => ({
			displayName: label,
			name,
			type: 'string',
			default: '',
			...(typeof ui === 'function' ? ui(method) : ui),
		}),
		read: (source, name) => read(new FieldContext(label, source, name)),
	};
}

/**
 * Field that must have a value.
 * @param fix tells what to do about an empty value
 */
export function required<Value, From extends Source = Source>(
	label: string,
	ui: Ui | ((method: string) => Ui),
	read: (given: FieldContext<From>) => Value,
	fix = `Enter the ${label}.`,
): Field<Value, From> {
	const shown = (method: string): Ui => ({
		required: true,
		...(typeof ui === 'function' ? ui(method) : ui),
	});
	return field<Value, From>(label, shown, (given) =>
		isEmpty(given.value) ? given.refuseEmpty(fix) : read(given),
	);
}

/**
 * Field that the user may leave empty. The value is then undefined. An expression must give a value, because without it
 * the request would mean something else, such as another period.
 */
export function optional<Value, From extends Source = Source>(
	label: string,
	ui: Ui,
	read: (given: FieldContext<From>) => Value,
): Field<Value | undefined, From> {
	return field<Value | undefined, From>(label, ui, (given) =>
		isEmpty(given.value) ? undefined : read(given),
	);
}

/** Line of text in the panel. Has no value. */
export function notice(text: string): Field<undefined> {
	return field(text, { type: 'notice' }, () => undefined);
}

/**
 * Collection of fields, e.g. `filters`.
 * @param placeholder label of the collection's button, e.g. `Add filter`
 */
export function collection<Declared extends Fields>(
	label: string,
	placeholder: string,
	fields: Declared,
): Field<Values<Declared>> {
	const shown = (method: string): Ui => ({
		type: 'collection',
		placeholder,
		default: {},
		options: propertiesOf(fields, () => method),
	});
	return {
		...field(label, shown, ({ value, source, name, refuse }) =>
			value === undefined || isObject(value)
				? readFields(fields, nestedSource(source, name))
				: refuse('is not an object', 'Check its expression.'),
		),
		holdsFields: true,
	};
}

/** Shows a field only while other fields have these values. */
export function shownWhen<Value, From extends Source>(
	show: Show,
	shown: Field<Value, From>,
): Field<Value | undefined, From> {
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
		show,
	};
}

/**
 * Makes a field fail closed: the strictest value replaces an invalid or hidden one.
 * @param how `absent`: value of an option that was not added, or of a default that n8n did not save
 */
export function failClosed<Value, const Absent = never>(
	how: { strictest: NoInfer<Value>; absent?: Absent; show?: Show },
	open: Field<Value>,
): Field<Value | Absent> {
	const { strictest, absent, show } = how;
	return {
		...(show ? shownWhen(show, open) : open),
		read: (source, name) =>
			absent === undefined || source.has(name) ? open.read(source, name) : absent,
		failClosed: () => strictest,
	};
}

/**
 * Returns the panel properties of all fields.
 * @param methodOf returns the name of a field's list search or mapper
 */
export function propertiesOf(
	fields: Fields<never>,
	methodOf: (name: string) => string = () => '',
): INodeProperties[] {
	return Object.entries(fields).flatMap(([name, shown]) => shown.property(name, methodOf(name)));
}

/**
 * Reads all fields in the order of their declaration. A hidden field is not read.
 * @param refused called with each problem. The field then fails closed, or is left out.
 * @throws InvalidFieldError of the first problem, if `refused` is not given
 */
export function readFields<From extends Source, Declared extends Fields<From>>(
	fields: Declared,
	source: From,
	refused?: (problem: InvalidFieldError) => void,
): Values<Declared> {
	const values: Record<string, unknown> = {};
	for (const [name, field] of Object.entries(fields)) {
		if (!isShown(field, values, source)) {
			values[name] = field.failClosed?.();
			continue;
		}
		const value = orInvalid(() => readField(field, source, name));
		if (!(value instanceof InvalidFieldError)) {
			values[name] = value;
			continue;
		}
		if (!refused) throw value;
		refused(value);
		if (!field.failClosed) continue;
		const given = orInvalid(() => source.get(name));
		values[name] = field.failClosed(given instanceof InvalidFieldError ? undefined : given);
	}
	return values as Values<Declared>;
}

/** True if the panel shows the field. Other fields count with the values read so far. */
function isShown<From extends Source>(
	{ show }: Field<unknown, From>,
	values: Record<string, unknown>,
	source: From,
): boolean {
	if (show === undefined) return true;
	const valueOf = (name: string) => {
		if (name.startsWith('/')) return source.parameter(name.slice(1));
		return name in values ? values[name] : source.get(name);
	};
	return Object.entries(show).every(([other, shown]) =>
		[valueOf(other)].flat().some((value) => shown.some((each) => each === value)),
	);
}

/** @throws InvalidFieldError */
function readField<Value, From extends Source>(
	field: Field<Value, From>,
	source: From,
	name: string,
): Value {
	const raw = source.raw(name);
	// A field that refuses expressions says so itself.
	const refusesExpressions = field.refusesExpressions?.(source) === true;
	let thrown: unknown;
	try {
		if (!refusesExpressions) refuseLiteral(field, raw);
		if (!refusesExpressions || !isExpression(raw)) refuseNothing(field, source, name);
		return field.read(source, name);
	} catch (problem) {
		thrown = problem;
	}
	// A value of an expression may be any object of JavaScript, whose own code may throw.
	throw thrown instanceof InvalidFieldError || source.evaluate === undefined
		? thrown
		: new InvalidFieldError(
				field.label,
				`cannot be read: ${thrown instanceof Error ? thrown.message : 'its value throws'}`,
				'Check its expression.',
			);
}

/** Refuses a value that means nothing. Does nothing in the trigger, whose values are not sent. */
function refuseNothing<From extends Source>(
	{ label, look = {}, holdsFields, mayGiveNothing }: Field<unknown, From>,
	source: From,
	name: string,
): void {
	if (source.evaluate === undefined || holdsFields || look === 'own' || !source.has(name)) return;
	const given = new FieldContext(label, source, name);
	const { value } = given;
	if (!mayGiveNothing || !isEmpty(value)) given.refuseNothing(value, given.raw, look);
}

/** Refusal of `{{ … }}` as plain text: reason and fix. */
export const LITERAL = [
	'holds {{ }} but is not an expression',
	'Switch the field to Expression.',
] as const;

/** Refuses `{{ … }}` in a field set to Fixed, because n8n would send such text unchanged. */
function refuseLiteral({ label, holdsFields }: Field<unknown, never>, raw: unknown): void {
	// Only the value is checked, because a resource locator or mapper also stores names from the service.
	if (holdsFields || !holdsLiteral(isObject(raw) && 'value' in raw ? raw.value : raw)) return;
	throw new InvalidFieldError(label, ...LITERAL);
}
