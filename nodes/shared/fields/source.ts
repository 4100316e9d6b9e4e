import { isObject } from '../isObject';
import { InvalidFieldError } from './invalidField';

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
 * @param values an object of values by name; one that is an `InvalidFieldError` is thrown when it is read
 * @param raw the same as the workflow stores them; undefined where that does not matter
 */
export function sourceFrom(
	values: unknown,
	raw: unknown,
	parameters: Readonly<Record<string, unknown>>,
): Source {
	return { ...ownValues(values, raw), parameter: (name) => parameters[name] };
}

/** One of a source's own values as a source, for a collection in a collection. */
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
		// Where one expression gives the whole collection, it gives each of its fields.
		raw: (name) => (typeof raw === 'string' ? raw : own(raw, name)),
	};
}

/** Whether this is an expression, as the workflow stores it. */
export function isExpression(raw: unknown): boolean {
	const text = isObject(raw) ? raw.value : raw;
	return typeof text === 'string' && text.startsWith('=');
}

/** Whether plain text holds `{{ … }}`, as it stands or anywhere inside. */
export function holdsLiteral(raw: unknown): boolean {
	if (typeof raw === 'string') return !raw.startsWith('=') && /\{\{.*?\}\}/s.test(raw);
	return typeof raw === 'object' && raw !== null && Object.values(raw).some(holdsLiteral);
}

/** Whether nothing was given: n8n gives an empty string for a field that was left as it is. */
export function isEmpty(value: unknown): value is undefined | null | '' {
	return value === undefined || value === null || value === '';
}
