import type { Field } from '../../../../nodes/shared/fields/field.ts';
import { InvalidFieldError, orInvalid } from '../../../../nodes/shared/fields/invalidField.ts';
import { sourceFrom } from '../../../../nodes/shared/fields/source.ts';

/** Returns a field's value, or its refusal with the fix. */
export function readingOf<Value>(
	field: Field<Value>,
	value: unknown,
	raw = value,
): Value | [message: string, fix: string] {
	const source = sourceFrom({ name: value }, { name: raw }, {});
	const read = orInvalid(() => field.read(source, 'name'));
	return read instanceof InvalidFieldError ? [read.message, read.fix] : read;
}
