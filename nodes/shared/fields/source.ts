import { isObject } from '../isObject';
import { InvalidFieldError } from './invalidField';

/** Source of field values: the parameters of a node, or one of the node's collections. */
export interface Source {
	/** Returns a value. Undefined if the value is not set, or if the expression returns nothing. */
	get(name: string): unknown;
	/** True if the value is set. An option is present even if the option's expression returns nothing. */
	has(name: string): boolean;
	/** Returns a value as stored in the workflow, with unresolved expressions. */
	raw(name: string): unknown;
	/** Returns a parameter of the node, even from within a collection. */
	parameter(name: string): unknown;
	/** Evaluates one `{{ }}`. Absent in the trigger, whose values are not sent. */
	evaluate?(part: string): unknown;
	/** True if the input item has no data. */
	isItemEmpty?: boolean;
}

/**
 * Makes a source from plain values.
 * @param values values by name. An `InvalidFieldError` among them is thrown when it is read.
 * @param raw the values as stored in the workflow; undefined if irrelevant
 */
export function sourceFrom(
	values: unknown,
	raw: unknown,
	parameters: Readonly<Record<string, unknown>>,
): Source {
	return { ...ownValues(values, raw), parameter: (name) => parameters[name] };
}

/** Returns the source for a collection inside a collection. */
export function nestedSource<From extends Source>(source: From, name: string): From {
	return { ...source, ...ownValues(source.get(name), source.raw(name)) };
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
		// If one expression returns the whole collection, each field counts as an expression.
		raw: (name) => (typeof raw === 'string' ? raw : own(raw, name)),
	};
}

/** True if the stored value is an expression. */
export function isExpression(raw: unknown): boolean {
	const text = isObject(raw) ? raw.value : raw;
	return typeof text === 'string' && text.startsWith('=');
}

/** One `{{ }}`. As in n8n, the code ends at the first `}}` without a backslash before it. */
const PART = /(?<!\\)(?:\\\\)*\{\{(.*?)(?<!\\)(?:\\\\)*\}\}/gs;

/** Returns the code in each `{{ }}`. */
export function codeIn(raw: unknown): string[] {
	return [...expressionOf(raw).matchAll(PART)].map(([, code = '']) => code);
}

/** Returns what an expression has outside its complete `{{ }}`. */
export const textBeside = (raw: unknown): string => expressionOf(raw).slice(1).replace(PART, '');

function expressionOf(raw: unknown): string {
	const text = isObject(raw) ? raw.value : raw;
	return isExpression(raw) && typeof text === 'string' ? text : '';
}

/** True if plain text contains `{{ … }}`, at any depth. */
export function holdsLiteral(raw: unknown): boolean {
	if (typeof raw === 'string') return !raw.startsWith('=') && /\{\{.*?\}\}/s.test(raw);
	return typeof raw === 'object' && raw !== null && Object.values(raw).some(holdsLiteral);
}

/** True if there is no value. n8n returns an empty string for an untouched field. */
export function isEmpty(value: unknown): value is undefined | null | '' {
	return value === undefined || value === null || value === '';
}
