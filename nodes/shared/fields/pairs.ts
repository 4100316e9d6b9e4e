import { isObject } from '../isObject';
import { field, type Field, type Refuse, type Ui } from './field';
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
	return field(label, { ...LOOKS, description }, ({ source, name, refuse }) => {
		const list = nestedSource(source, name);
		const raw = list.raw('parameter');
		const rows = list.get('parameter') ?? (isExpression(raw) ? undefined : []);
		if (!Array.isArray(rows)) {
			return refuse('is not a list', `Enter ${label} as rows of name and value.`);
		}
		// If one expression returns all rows, each part counts as an expression.
		const rawOf = (index: number): unknown => (Array.isArray(raw) ? raw[index] : raw);
		return rows.flatMap((row: unknown, index) => readPair(row, rawOf(index), refuse));
	});
}

function readPair(row: unknown, raw: unknown, refuse: Refuse): Array<[string, string]> {
	const { name, value } = isObject(row) ? row : {};
	const stored = isObject(raw) ? raw : { name: raw, value: raw };
	if (
		isEmpty(name)
			? isExpression(stored.name)
			: (value === undefined || value === null) && isExpression(stored.value)
	) {
		return refuse(
			'has a row without a name or value: its expression gave nothing',
			'Check the expressions in its rows, and that the input has what they refer to.',
		);
	}
	if (isEmpty(name)) return [];
	if (typeof name === 'string' && typeof value !== 'object') {
		return [[name, value === undefined ? '' : String(value)]];
	}
	return refuse(
		'has a row whose name or value is not a string',
		'Check the expressions in its rows.',
	);
}
