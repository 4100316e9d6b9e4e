import { InvalidFieldError } from '../errors';
import type { Field } from './field';

/** An ID for a path segment, without the whitespace that copying brings along. */
export function id(displayName: string, placeholder: string, description?: string): Field<string> {
	return {
		property: (name) => ({
			displayName,
			name,
			type: 'string',
			default: '',
			required: true,
			placeholder,
			...(description && { description }),
		}),
		read: (source, name) => readId(source.get(name), displayName),
	};
}

/** Numbers from expressions become text. @throws InvalidFieldError */
export function readId(value: unknown, label: string): string {
	const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
	if (text === undefined || text === null || text === '') {
		throw new InvalidFieldError(
			label,
			'is empty',
			`Enter the ${label}, or check the expression that gives it.`,
		);
	}
	if (typeof text !== 'string') {
		throw new InvalidFieldError(
			label,
			'is not a string',
			`Check the expression: it must give the ${label} as a string.`,
		);
	}
	const trimmed = text.trim();
	// Half of a surrogate pair cannot be URL-encoded.
	const invalid = ['', '.', '..'].includes(trimmed) || /[\p{Cc}\p{Cs}]/u.test(trimmed);
	if (invalid || trimmed.length > 500) {
		throw new InvalidFieldError(
			label,
			'is not an identifier',
			`Enter the ${label} exactly as the service shows it.`,
		);
	}
	return trimmed;
}

interface ChoiceLabel {
	name: string;
	description: string;
}

/** One of the listed values; expressions can give anything. */
export function choice<Value extends string>(
	displayName: string,
	labels: Record<Value, string | ChoiceLabel>,
	face: { default?: Value; description?: string } = {},
): Field<Value> {
	const values = Object.keys(labels) as Value[];
	return {
		property: (name) => ({
			displayName,
			name,
			type: 'options',
			options: values.map((value) => {
				const label: string | ChoiceLabel = labels[value];
				return typeof label === 'string' ? { name: label, value } : { ...label, value };
			}),
			default: face.default ?? values[0] ?? '',
			...(face.description && { description: face.description }),
		}),
		read: (source, name) => {
			const value = source.get(name);
			const found = values.find((candidate) => candidate === value);
			if (found !== undefined) return found;
			throw new InvalidFieldError(
				displayName,
				`is ${JSON.stringify(value) ?? 'not set'}`,
				`Choose one of: ${values.join(', ')}.`,
			);
		},
	};
}
