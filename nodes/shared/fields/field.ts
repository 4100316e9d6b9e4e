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
	/** When the panel shows it; default always. */
	show?: Show;
	/**
	 * Value used instead of an invalid or hidden one. An invalid value also blocks publishing, but an expression can fail
	 * later.
	 * @param refused the invalid value; undefined while the field is hidden
	 */
	failClosed?: (refused?: unknown) => Value;
	/** True if it takes no expression and refuses one. */
	refusesExpressions?: (source: From) => boolean;
	/** Its value is a set of fields, read one by one. */
	holdsFields?: true;
}

/** Each of these other fields has one of these values; `/name` is a parameter outside the collection. */
export type Show = Readonly<Record<string, Array<string | boolean>>>;

export type Fields<From extends Source = Source> = Record<string, Field<unknown, From>>;

export type Values<Declared> = {
	[Name in keyof Declared]: Declared[Name] extends Field<infer Value, never> ? Value : never;
};

/** Properties besides the names; by default an empty string. */
export type Ui = Partial<Omit<INodeProperties, 'displayName' | 'name'>>;

/**
 * Throws an `InvalidFieldError` with the field's label.
 * @param reason completes a sentence that begins with the label
 * @param fix a full sentence: what to enter instead
 */
export type Refuse = (reason: string, fix: string) => never;

/** Input of a field's parser. A class, because one is created for each field of each item and delivery. */
export class FieldContext<From extends Source = Source> {
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

/** Field that must have a value. @param fix what to do about an empty one */
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

/** Field that is undefined if it is empty. */
export function optional<Value, From extends Source = Source>(
	label: string,
	ui: Ui,
	read: (given: FieldContext<From>) => Value,
): Field<Value | undefined, From> {
	return field<Value | undefined, From>(label, ui, (given) =>
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

/** Shows a field only while others have these values. */
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
 * Makes a field fail closed: an invalid or hidden value is replaced by the strictest one, and an invalid one is reported.
 * @param how `absent`: value if it is missing, because the option was not added or its default was not saved
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

/** Returns the fields' panel properties. @param methodOf returns the list search or mapper of a field */
export function propertiesOf(
	fields: Fields<never>,
	methodOf: (name: string) => string = () => '',
): INodeProperties[] {
	return Object.entries(fields).flatMap(([name, shown]) => shown.property(name, methodOf(name)));
}

/**
 * Reads all fields in the order of their declaration; a hidden one is not read.
 * @param refused called with each field that cannot be read: it fails closed, or is left out
 * @throws InvalidFieldError of the first one that cannot be read, without `refused`
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
		if (field.failClosed) values[name] = field.failClosed(source.get(name));
	}
	return values as Values<Declared>;
}

/** True if the panel shows the field. An invalid value read before counts as its strictest one. */
function isShown<From extends Source>(
	{ show = {} }: Field<unknown, From>,
	values: Record<string, unknown>,
	source: From,
): boolean {
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
	if (field.refusesExpressions?.(source) !== true) refuseLiteral(field, source.raw(name));
	return field.read(source, name);
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
