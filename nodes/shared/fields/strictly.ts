import type { Field, Values } from './field';
import { InvalidFieldError, orInvalidNow } from './invalidField';
import type { Source } from './source';

/**
 * Fails closed: an invalid value is replaced by the strictest one. Also blocks publishing; an expression can still fail
 * later.
 */
export interface StrictField<Value> extends Field<Value> {
	/** @param refused refused value; undefined while the field is hidden */
	strictest: (refused?: unknown) => Value;
	show: Show;
}

/** Shows and reads a field while each of these others has one of these values. */
type Show = Readonly<Record<string, string[]>>;

interface Strictness<Value, Absent> {
	strictest: Value;
	/** Value if it is missing: an option that was not added, or a default that was not saved. */
	absent?: Absent;
	show?: Show;
}

export function strictly<Value, const Absent = never>(
	how: Strictness<NoInfer<Value>, Absent>,
	field: Field<Value>,
): StrictField<Value | Absent> {
	const { strictest, absent, show } = how;
	return {
		...field,
		property: (name, method) =>
			[field.property(name, method)]
				.flat()
				.map((shown) => ({ ...shown, ...(show && { displayOptions: { show } }) })),
		read: (source, name) =>
			absent === undefined || source.has(name) ? field.read(source, name) : absent,
		strictest: () => strictest,
		show: show ?? {},
	};
}

/**
 * Reads all fields in the order of their declaration.
 * @param refused called with each problem as full sentences
 */
export function readStrictly<Declared extends Record<string, StrictField<unknown>>>(
	fields: Declared,
	source: Source,
	refused: (problem: string) => void,
): Values<Declared> {
	const values: Record<string, unknown> = {};
	const isShown = ({ show }: StrictField<unknown>) =>
		Object.entries(show).every(([other, shown]) =>
			[values[other]].flat().some((value) => shown.some((each) => each === value)),
		);
	for (const [name, field] of Object.entries(fields)) {
		const value = isShown(field) ? orInvalidNow(() => field.read(source, name)) : field.strictest();
		if (value instanceof InvalidFieldError) refused(sentencesOf(value));
		values[name] = value instanceof InvalidFieldError ? field.strictest(source.get(name)) : value;
	}
	return values as Values<Declared>;
}

/** Problem and fix as full sentences. */
export function sentencesOf({ message, fix }: InvalidFieldError): string {
	return `${message}. ${fix}`;
}
