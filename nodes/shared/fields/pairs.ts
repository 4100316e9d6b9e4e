import { isObject } from '../isObject';
import { field, type Field, type FieldContext, type Ui } from './field';
import { quote } from './invalidField';
import { isEmpty, isExpression, nestedSource } from './source';

const LOOKS: Ui = {
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add parameter',
	default: {},
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
};

/** Field with pairs of name and value, in order. Rows without a name are omitted. A name may repeat. */
export function pairs(
	label: string,
	description: string,
): Field<Array<[name: string, value: string]>> {
	return {
		...field(label, { ...LOOKS, description }, (given) => {
			const { source, name, refuse, value } = given;
			// An expression may give anything, and what has no rows would be left out without a trace.
			const hasRows = isObject(value) && Object.keys(value).every((key) => key === 'parameter');
			const list = nestedSource(source, name);
			const raw = list.raw('parameter');
			const rows = list.get('parameter') ?? (isExpression(raw) ? undefined : []);
			if (!Array.isArray(rows) || !(hasRows || isEmpty(value))) {
				return refuse('is not a list', `Enter ${label} as rows of name and value.`);
			}
			// If one expression returns all rows, each part counts as an expression.
			const rawOf = (index: number): unknown => (Array.isArray(raw) ? raw[index] : raw);
			return rows.flatMap((row: unknown, index) => readPair(row, rawOf(index), given));
		}),
		look: 'own',
	};
}

const TYPES: readonly string[] = ['string', 'number', 'boolean'];

function readPair(row: unknown, raw: unknown, given: FieldContext): Array<[string, string]> {
	const { name, value } = isObject(row) ? row : {};
	const stored = isObject(raw) ? raw : { name: raw, value: raw };
	given.refuseNothing(name, stored.name, {}, 'has a name that');
	if (isEmpty(name)) return [];
	given.refuseNothing(value, stored.value, {}, `${quote(String(name))}`);
	if (typeof name === 'string' && (isEmpty(value) || TYPES.includes(typeof value)))
		return [[name, isEmpty(value) ? '' : String(value)]];
	return given.refuse(
		'has a row whose name or value is not a string',
		'Check the expressions in its rows.',
	);
}
