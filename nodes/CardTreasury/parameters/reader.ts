import type { IDataObject } from 'n8n-workflow';

/** One item's parameters as operations see them; the node fills it from n8n, tests from a plain object. */
export interface ParameterReader {
	/** The value of a parameter by its path, e.g. `options.fileName`; undefined when it is not set. Resource locators give their value. */
	get(path: string): unknown;
	/** The bytes of the item's binary field, or undefined when the item has none of that name. */
	file(field: string): Promise<{ bytes: Buffer; fileName?: string } | undefined>;
	/** IANA name of the workflow's time zone. */
	timezone: string;
	/** Whether an AI agent calls the node as a tool. */
	isTool: boolean;
	/** The input item, for operations that pass it on. */
	json: IDataObject;
}

/** Bad input: names the field as the editor labels it, what is wrong and how to put it right. Nothing was sent. */
export class FieldRefusal extends Error {
	constructor(
		/** The parameter's display name. */
		readonly field: string,
		/** Completes a sentence that begins with the field's name. */
		readonly reason: string,
		/** A full sentence: what to enter instead. */
		readonly fix: string,
	) {
		super(`${field} ${reason}`);
		this.name = 'FieldRefusal';
	}
}

/** An ID for a path segment, without the blanks that copying brings along. Numbers from expressions become text. */
export function readId(parameters: ParameterReader, path: string, label: string): string {
	const value = parameters.get(path);
	const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
	if (text === undefined || text === null || text === '') {
		throw new FieldRefusal(
			label,
			'is empty',
			`Enter the ${label}, or check the expression that gives it.`,
		);
	}
	if (typeof text !== 'string') {
		throw new FieldRefusal(
			label,
			'is not a text',
			`Check the expression: it must give the ${label} as text.`,
		);
	}
	const id = text.trim();
	// Half of a surrogate pair cannot be URL-encoded.
	if (
		id === '' ||
		id === '.' ||
		id === '..' ||
		id.length > 500 ||
		hasControlCharacter(id) ||
		/\p{Cs}/u.test(id)
	) {
		throw new FieldRefusal(
			label,
			'is not an identifier',
			`Enter the ${label} as the service gave it.`,
		);
	}
	return id;
}

/** An optional text; undefined when absent or empty. */
export function readOptionalText(
	parameters: ParameterReader,
	path: string,
	label: string,
): string | undefined {
	const value = parameters.get(path);
	if (value === undefined || value === null || value === '') return undefined;
	if (typeof value === 'number') return String(value);
	if (typeof value !== 'string') {
		throw new FieldRefusal(
			label,
			'is not a text',
			`Check the expression: it must give ${label} as text.`,
		);
	}
	return value;
}

/** One of the listed values; expressions can give anything. */
export function readChoice<Value extends string>(
	parameters: ParameterReader,
	path: string,
	label: string,
	values: readonly Value[],
): Value {
	const value = parameters.get(path);
	const found = values.find((candidate) => candidate === value);
	if (found === undefined) {
		throw new FieldRefusal(
			label,
			`is ${JSON.stringify(value) ?? 'not set'}`,
			`Choose one of: ${values.join(', ')}.`,
		);
	}
	return found;
}

/** A list of texts, as a multi-select or an expression gives it; absent is empty. */
export function readTexts(parameters: ParameterReader, path: string, label: string): string[] {
	const value = parameters.get(path);
	if (value === undefined || value === null || value === '') return [];
	const list: unknown[] = Array.isArray(value)
		? value
		: typeof value === 'string'
			? value.split(/[,\n]/)
			: [value];
	return list
		.map((entry) => {
			if (typeof entry !== 'string') {
				throw new FieldRefusal(
					label,
					'holds something that is not a text',
					`Enter ${label} as a list of texts.`,
				);
			}
			return entry.trim();
		})
		.filter((entry) => entry !== '');
}

/** How many items to return at most; undefined = all. */
export function readLimit(parameters: ParameterReader): number | undefined {
	if (parameters.get('returnAll') === true) return undefined;
	const limit = Number(parameters.get('limit') ?? 50);
	if (!Number.isInteger(limit) || limit < 1) {
		throw new FieldRefusal(
			'Limit',
			'is not a whole number of 1 or more',
			'Enter a number, or turn on Return All.',
		);
	}
	return limit;
}

/** Name–value pairs of a fixed collection, in order; rows without a name are left out. */
export function readPairs(
	parameters: ParameterReader,
	path: string,
	label: string,
): Array<[string, string]> {
	const rows = parameters.get(path);
	if (rows === undefined || rows === null) return [];
	if (!Array.isArray(rows))
		throw new FieldRefusal(label, 'is not a list', `Enter ${label} as rows of name and value.`);
	return rows.flatMap((row: unknown): Array<[string, string]> => {
		const { name, value } = (row ?? {}) as { name?: unknown; value?: unknown };
		if (name === undefined || name === '') return [];
		if (typeof name !== 'string' || typeof value === 'object') {
			throw new FieldRefusal(
				label,
				'holds a row that is not name and value',
				`Enter ${label} as texts.`,
			);
		}
		return [[name, value === undefined ? '' : String(value)]];
	});
}

export function hasControlCharacter(text: string): boolean {
	return [...text].some((character) => character < ' ' || character === '\u007f');
}
