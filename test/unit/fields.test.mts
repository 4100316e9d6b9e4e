import { DateTime } from 'luxon';

import * as basic from '../../nodes/CardTreasury/fields/field.ts';
import * as kinds from '../../nodes/CardTreasury/fields/kinds.ts';
import { eachRow, reading } from './reading.mts';

const GONE = '={{ $json.gone }}';
const NOTHING = 'has no value: {{ $json.gone }} gave nothing';

describe('fields', () => {
	const word = basic.required('Word', { hint: 'h' }, (value, refuse) =>
		value === 'bad' ? refuse('is bad', 'Take another.') : `${String(value)}!`,
	);
	const maybe = basic.optional('Word', {}, (value) => value);

	it('a field is read, and refuses with its label', () => {
		for (const each of [word, basic.option(word), basic.shownWhen({}, word)]) {
			expect(reading(each, 'a')).toBe('a!');
			expect(reading(each, 'bad')).toBe('Word is bad | Take another.');
		}
		expect(reading(basic.option(kinds.flag('On', '', true)), false)).toBe(false);
	});

	const EMPTY = [undefined, null, '', '  '];
	it.each(EMPTY)('%j is refused where a value must be, and for an expression', (value) => {
		expect(reading(word, value)).toBe('Word is empty | Enter the Word.');
		expect(reading(maybe, value)).toBeUndefined();
		expect(reading(basic.option(word), value)).toMatch('Word is empty | Enter a value, or');
		for (const each of [word, maybe, basic.option(word)])
			expect(reading(each, value, { raw: GONE })).toMatch(`Word ${NOTHING} | Check the field`);
	});
});

describe('IDs', () => {
	const list = kinds.idFromList('Card ID', '', '', async () => []);
	const ids = [kinds.id('Card ID', '', ''), kinds.optionalId('Card ID', '', ''), list];

	it.each([' c/1 ', 'a b', 51, '...', -5])('%j is an ID, without the spaces around it', (given) => {
		for (const id of ids) expect(reading(id, given)).toBe(String(given).trim());
	});

	const NO_IDS = [
		...['..', ' . ', 2026.1, 2 ** 60, 'null', 'n/a', '#N/A', 'c\u200b'],
		...[true, ['c'], { id: 1 }],
	];
	it.each(NO_IDS)('%j is no ID', (given) => {
		for (const id of ids) expect(reading(id, given)).toMatch(/^Card ID (?:is|holds) /);
	});
});

describe('values to choose', () => {
	const LABELS = { approve: 'Approve', other: 'Other Code' };
	const decision = kinds.choice('Decision', LABELS, { default: 'other' });
	const several = kinds.choices('Types', { A_B: 'A', C: 'C' }, '');

	it.each(['approve', 'Approve', ' APPROVE\n'])('%j is understood', (given) => {
		expect(reading(decision, given)).toBe('approve');
		expect(decision.property('d', '').default).toBe('other');
		expect(kinds.choice('Decision', LABELS).property('d', '').default).toBe('approve');
	});

	it.each(['Approved', '', 'constructor', true, 'ap prove'])('%j is no choice', (given) => {
		const message = `Decision is "${String(given)}" | Use approve and other.`;
		expect(reading(decision, given)).toBe(message);
	});

	it.each<[given: unknown, read: unknown]>([
		[['A_B'], ['A_B']],
		['a_b', ['A_B']],
		['A_B,C', 'Types is "A_B,C" | Use A_B and C.'],
		[[], []],
		['', []],
		[['A_B', 'X'], 'Types is "X" | Use A_B and C.'],
		[[null], 'Types is "null" | Use A_B and C.'],
	])('the choices %j are read as %j', (given, read) => {
		expect(reading(several, given)).toEqual(read);
	});
});

describe('calendar days', () => {
	const day = kinds.calendarDay('Day', '');

	it.each([
		...'2026-01-31| 2026-01-31T00:00:00 |2026-01-31 23:59:59|2026-02-01T03:00:00Z'.split('|'),
		...'20260131|2026-01-31T23:30:00-05:00|2026-02-01 03:00:00+00'.split('|'),
		...[new Date('2026-02-01T03:00:00Z'), DateTime.fromISO('2026-02-01T03:00:00Z')],
		// As databases and sheets write a date.
		...'2026-01-31T00:00:00.000Z|2026-01-31T00:00:00+00:00|2026-01-31 00:00:00+00'.split('|'),
		// Midnight elsewhere, and another day in New York.
		'2026-02-01T00:00:00+02:00',
		...[new Date('2026-01-31'), DateTime.fromISO('2026-01-31', { zone: 'utc' })],
	])('%j is the last day of January in New York', (given) => {
		expect(reading(day, given)).toBe('2026-01-31');
	});

	it.each([
		...'31.01.2026|01/31/2026|2026-02-30|today|10|15|00|12:00|2026|2026-01|T00:00'.split('|'),
		...[15, 2026, 46054, 1764256184000, new Date(Number.NaN), DateTime.invalid('x'), { day: 1 }],
		[],
	])('%j is no day', (given) => {
		expect(reading(day, given)).toMatch(/^Day is ".*", not a day \| Enter it as YYYY-MM-DD/);
		expect(reading(day, 'Invalid DateTime', { raw: GONE })).toMatch('Day holds "Invalid DateTime"');
	});
});

describe('paths', () => {
	const endpoint = kinds.path('Path', { placeholder: '', description: '' });

	const BELOW = '/x|/a/b-c/{cardId}/|/a:b|/v1/x:cancel|/17:30|/...|/a%20b|/%252e'.split('|');
	it.each(BELOW)('%s is below the Base URL', (given) => {
		expect(reading(endpoint, ` ${given} `)).toBe(given);
	});

	it.each([
		...'x|/|//x|/a//b|/a?b=1|/a#b|/a b|/a\\b|https://evil.example/x|/..|/./x|/a/../b'.split('|'),
		...'/%2e%2e/x|/a/%2E./b|/a/..;x/b|/a/..%3bx|/a%2f..%2fb|/a%5c..%5cb'.split('|'),
	])('%s is no path below the Base URL', (given) => {
		expect(reading(endpoint, given)).toMatch(`Path is ${JSON.stringify(given)}, not a path below`);
	});
});

describe('rows of name and value', () => {
	const query = kinds.pairs('Query Parameters', '');
	const rows = (...parameter: unknown[]) => ({ parameter });

	eachRow<[given: unknown[], read: unknown]>(`
		[] | []
		[{"name":"a"}] | [["a",""]]
		[{"name":" a ","value":" b "},{"name":"a","value":"c"}] | [["a","b"],["a","c"]]
		[{"name":"a","value":0},{"name":"b","value":false}] | [["a","0"],["b","false"]]
		[{"name":"a","value":"null"},{"name":"b","value":"#N/A"}] | [["a","null"],["b","#N/A"]]
	`)('the rows %j are sent as %j', (given, read) => {
		expect(reading(query, rows(...given))).toEqual(read);
		expect(reading(query, {})).toEqual([]);
	});

	eachRow<[row: object, stored: unknown, message: string]>(`
		{"value":null} | {"parameter":[{},{"value":"${GONE}"}]} | a value that ${NOTHING}
		{"name":""} | {"parameter":[{},{"name":"${GONE}"}]} | a name that ${NOTHING}
		{"value":"null"} | {"parameter":[{},{"value":"${GONE}"}]} | a value that holds "null", which means nothing
		{"value":""} | {"parameter":"${GONE}"} | a value that ${NOTHING}
		{"value":""} | "${GONE}" | a value that ${NOTHING}
		{"name":""} | {} | a row without a name
		{"value":{"a":1}} | {} | a value that is an object
		{"value":7615917337495251231} | {} | a value that is the number 7615917337495251000
	`)('the second row %j, stored in %j, is refused: %s', (row, raw, message) => {
		const given = rows({ name: 'page', value: '1' }, { name: 's', value: 'open', ...row });
		expect(reading(query, given, { raw })).toContain(`Query Parameters has ${message}`);
	});

	it('an option of rows that has none is refused, never ignored', () => {
		for (const given of [{}, rows(), undefined])
			expect(reading(basic.option(query), given)).toMatch('Query Parameters is empty | Enter a');
		expect(reading(basic.option(query), rows({ name: 'a' }))).toEqual([['a', '']]);
	});
});
