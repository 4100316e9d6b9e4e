import { isObject } from '../isObject';
import { InvalidFieldError } from './invalidField';

/** Source of field values: the parameters of a node, or one of its collections. */
export interface Source {
	/** Value; undefined if it is not set, or if its expression returns nothing. */
	get(name: string): unknown;
	/** True if it is set at all: an option whose expression returns nothing is present without a value. */
	has(name: string): boolean;
	/** Value as the workflow stores it, with unresolved expressions. */
	raw(name: string): unknown;
	/** Value of a parameter of the node, even from within a collection. */
	parameter(name: string): unknown;
}

/**
 * @param values values by name; an `InvalidFieldError` is thrown when it is read
 * @param raw the values as the workflow stores them; undefined if irrelevant
 */
export function sourceFrom(
	values: unknown,
	raw: unknown,
	parameters: Readonly<Record<string, unknown>>,
): Source {
	return { ...ownValues(values, raw), parameter: (name) => parameters[name] };
}

/** Makes a source of one of its values, for a collection in a collection. */
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
		// If one expression returns the whole collection, every field counts as that expression.
		raw: (name) => (typeof raw === 'string' ? raw : own(raw, name)),
	};
}

/** True if the stored value is an expression. */
export function isExpression(raw: unknown): boolean {
	const text = isObject(raw) ? raw.value : raw;
	return typeof text === 'string' && text.startsWith('=');
}

/** True if plain text contains `{{ … }}`, at any depth. */
export function holdsLiteral(raw: unknown): boolean {
	if (typeof raw === 'string') return !raw.startsWith('=') && /\{\{.*?\}\}/s.test(raw);
	return typeof raw === 'object' && raw !== null && Object.values(raw).some(holdsLiteral);
}

/** True for no value. n8n returns an empty string for an untouched field. */
export function isEmpty(value: unknown): value is undefined | null | '' {
	return value === undefined || value === null || value === '';
}
