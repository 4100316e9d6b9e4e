import type { INodePropertyOptions } from 'n8n-workflow';

import { InvalidFieldError } from './invalidField';
import { isEmpty, missing, type Field, type Source } from './field';

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
		read: (source, name) => readId(source, name, displayName),
	};
}

/** An ID that is needed only where the user's path has its placeholder. */
export function optionalId(
	displayName: string,
	placeholder: string,
	description: string,
): Field<string | undefined> {
	return {
		property: (name) => ({
			displayName,
			name,
			type: 'string',
			default: '',
			placeholder,
			description,
		}),
		read: (source, name) =>
			isEmpty(source.get(name)) ? undefined : readId(source, name, displayName),
	};
}

/** Numbers from expressions become text. @throws InvalidFieldError */
export function readId(source: Source, name: string, label: string): string {
	const value = source.get(name);
	if (isEmpty(value)) throw missing(source, name, label, `Enter the ${label}.`);
	const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
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
			'is not a valid ID',
			`Enter the ${label} exactly as the service shows it.`,
		);
	}
	return trimmed;
}

interface TextInfo {
	default?: string;
	placeholder?: string;
	description?: string;
	hint?: string;
	required?: boolean;
}

/** A string; undefined when it is left empty. */
export function text(displayName: string, info: TextInfo = {}): Field<string | undefined> {
	return {
		property: (name) => ({ displayName, name, type: 'string', default: '', ...info }),
		read: (source, name) => {
			const value = source.get(name);
			if (isEmpty(value)) return undefined;
			if (typeof value === 'number') return String(value);
			if (typeof value === 'string') return value;
			throw new InvalidFieldError(
				displayName,
				'is not a string',
				`Check the expression: it must give ${displayName} as a string.`,
			);
		},
	};
}

/** A switch; what is not set counts as its default. */
export function flag(displayName: string, description: string, byDefault: boolean): Field<boolean> {
	const info = { displayName, description };
	return {
		property: (name) => ({ ...info, name, type: 'boolean', default: byDefault }),
		read: (source, name) => {
			const value = source.get(name) ?? byDefault;
			if (typeof value === 'boolean') return value;
			throw new InvalidFieldError(
				displayName,
				'is neither true nor false',
				'Check its expression.',
			);
		},
	};
}

interface ChoiceLabel {
	name: string;
	description: string;
}

export type Labels<Value extends string = string> = Record<Value, string | ChoiceLabel>;

/** A documented value as a person writes it; one that is not documented as it came. */
export function labelOf(labels: Labels, value: unknown): string {
	const label = labels[String(value)] ?? String(value);
	return typeof label === 'string' ? label : label.name;
}

/** One of the listed values; expressions can give anything. */
export function choice<Value extends string>(
	displayName: string,
	labels: Labels<Value>,
	info: { default?: NoInfer<Value>; description?: string; noDataExpression?: true } = {},
): Field<Value> {
	const values = valuesOf(labels);
	const shown = { displayName, default: values[0] ?? '', ...info };
	return {
		property: (name) => ({ ...shown, name, type: 'options', options: optionsFor(labels) }),
		read: (source, name) => {
			const value = source.get(name);
			const found = values.find((candidate) => candidate === value);
			if (found !== undefined) return found;
			throw new InvalidFieldError(
				displayName,
				value === undefined ? 'is not set' : `cannot be ${JSON.stringify(value)}`,
				`Choose one of: ${values.join(', ')}.`,
			);
		},
	};
}

/** Several of the listed values, none of them at first. An expression may give others: the service may know more. */
export function choices(displayName: string, labels: Labels, description: string): Field<string[]> {
	return {
		property: (name) => ({
			displayName,
			name,
			type: 'multiOptions',
			options: optionsFor(labels),
			default: [],
			description,
		}),
		read: (source, name) => readTexts(source, name, displayName),
	};
}

const valuesOf = <Value extends string>(labels: Labels<Value>) => Object.keys(labels) as Value[];

function optionsFor<Value extends string>(labels: Labels<Value>): INodePropertyOptions[] {
	return valuesOf(labels).map((value) => {
		const label: string | ChoiceLabel = labels[value];
		return typeof label === 'string' ? { name: label, value } : { ...label, value };
	});
}

/** A list of strings, as a multi-select, an expression or a comma-separated line gives it; absent is empty. */
export function readTexts(source: Source, name: string, label: string): string[] {
	const value = source.get(name);
	if (isEmpty(value)) return [];
	const list: unknown[] = Array.isArray(value)
		? value
		: typeof value === 'string'
			? value.split(/[,\n]/)
			: [value];
	return list
		.map((entry) => {
			if (typeof entry === 'string') return entry.trim();
			throw new InvalidFieldError(
				label,
				'contains something that is not a string',
				`Enter ${label} as a list of strings.`,
			);
		})
		.filter((entry) => entry !== '');
}

/** The pair of parameters that every list of n8n's has. */
export const listLimit = {
	returnAll: flag('Return All', 'Whether to return all results or only up to a given limit', false),
	limit: limit(),
};

/** How many items to return at most; undefined = all. */
function limit(): Field<number | undefined> {
	return {
		property: (name) => ({
			displayName: 'Limit',
			name,
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			description: 'Max number of results to return',
			displayOptions: { show: { returnAll: [false] } },
		}),
		read: (source, name) => {
			if (source.get('returnAll') === true) return undefined;
			const value = Number(source.get(name) ?? 50);
			if (Number.isInteger(value) && value >= 1) return value;
			throw new InvalidFieldError(
				'Limit',
				'is not a whole number of 1 or more',
				'Enter a number, or turn on Return All.',
			);
		},
	};
}
