import { isObject } from '../../service/isObject';
import { InvalidFieldError } from '../errors';
import { nestedSource, type Field } from './field';

/** Name–value pairs, in order; rows without a name are left out, and a name may come several times. */
export function pairs(
	displayName: string,
	description?: string,
): Field<Array<[name: string, value: string]>> {
	return {
		property: (name) => ({
			displayName,
			name,
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add parameter',
			default: {},
			...(description && { description }),
			options: [
				{
					displayName: 'Parameter',
					name: 'parameter',
					values: [
						{ displayName: 'Name', name: 'name', type: 'string', default: '' },
						{ displayName: 'Value', name: 'value', type: 'string', default: '' },
					],
				},
			],
		}),
		read: (source, name) => {
			const rows = nestedSource(source, name).get('parameter') ?? [];
			if (Array.isArray(rows)) return rows.flatMap((row: unknown) => readPair(row, displayName));
			throw new InvalidFieldError(
				displayName,
				'is not a list',
				`Enter ${displayName} as rows of name and value.`,
			);
		},
	};
}

function readPair(row: unknown, label: string): Array<[string, string]> {
	const { name, value }: { name?: unknown; value?: unknown } = isObject(row) ? row : {};
	if (name === undefined || name === '') return [];
	if (typeof name === 'string' && typeof value !== 'object') {
		return [[name, value === undefined ? '' : String(value)]];
	}
	throw new InvalidFieldError(
		label,
		'has a row whose name or value is not a string',
		'Check the expressions in its rows.',
	);
}
