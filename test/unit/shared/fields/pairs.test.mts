import { pairs } from '../../../../nodes/shared/fields/pairs.ts';
import { readingOf } from './reading.mts';

const NOTHING = '={{ $json.typo }}';
const GONE =
	/^Query Parameters (?:has a name that|"status") has no value: \{\{ \$json\.typo \}\} gave nothing$/;
const rows = (...parameter: unknown[]) => ({ parameter });
/** The pairs, or the message of a refusal. */
const read = (given: unknown, stored: unknown = given) => {
	const result = readingOf(pairs('Query Parameters', ''), given, stored as typeof given);
	return typeof result[0] === 'string' ? result[0] : result;
};

it.each<[string, object, object]>([
	['value', { value: undefined }, { value: NOTHING }],
	['value', { value: null }, { value: NOTHING }],
	['name', { name: undefined }, { name: NOTHING }],
	['name', { name: '' }, { name: NOTHING }],
])('a row whose expression of the %s returns nothing is refused: %j', (_, given, stored) => {
	const [first, row] = [
		{ name: 'page', value: '1' },
		{ name: 'status', value: 'open' },
	];
	expect(read(rows(first, { ...row, ...given }), rows(first, { ...row, ...stored }))).toMatch(GONE);
});

it.each([{ parameter: NOTHING }, NOTHING])(
	'an expression for all rows that returns nothing is refused: %j',
	(stored) => {
		expect(read(rows({ name: 'status' }), stored)).toMatch(GONE);
		expect(read({}, stored)).toBe('Query Parameters is not a list');
	},
);

it.each<[unknown, unknown]>([
	[undefined, []],
	[{}, []],
	[rows({ name: '', value: '' }, { value: 'y' }), []],
	[
		rows({ name: 'a' }, { name: 'a', value: 0 }),
		[
			['a', ''],
			['a', '0'],
		],
	],
	[{ parameter: 'a=b' }, 'Query Parameters is not a list'],
	['a=b', 'Query Parameters is not a list'],
	[true, 'Query Parameters is not a list'],
	[[{ name: 'a', value: 'b' }], 'Query Parameters is not a list'],
	[{ a: 'b' }, 'Query Parameters is not a list'],
	[rows({ name: 1, value: 'b' }), 'Query Parameters has a row whose name or value is not a string'],
	[
		rows({ name: 'a', value: {} }),
		'Query Parameters "a" is an object, where one value is expected',
	],
])('the rows %j are read as %j', (given, expected) => {
	expect(read(given)).toEqual(expected);
});

it('a value may be left empty, but its expression may not give an empty one', () => {
	const row = rows({ name: 'b', value: '' });
	expect(read(row)).toEqual([['b', '']]);
	expect(read(row, rows({ name: 'b', value: NOTHING }))).toBe(
		'Query Parameters "b" has no value: {{ $json.typo }} gave nothing',
	);
});
