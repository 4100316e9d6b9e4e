import { DateTime } from 'luxon';

import { itemsOf, operationOf, requestOf, workOf } from '../reading.mts';

const NAME = 'cardTransaction: downloadStatement';
const fileOf = async (parameters: Record<string, unknown>) =>
	(await workOf(NAME, { parameters: { cardId: 'c', ...parameters } })).file;

it('the item names the card and the days', async () => {
	const days = { fromDate: '2026-01-01', toDate: '2026-01-31' };
	expect(await itemsOf(NAME, { parameters: { cardId: 'c', ...days } }, {})).toEqual([
		{ card_id: 'c', from_date: '2026-01-01', to_date: '2026-01-31', trace_id: 'trace-1' },
	]);
	expect(await itemsOf(NAME, { parameters: { cardId: 'c' } }, {})).toEqual([
		{ card_id: 'c', from_date: null, to_date: null, trace_id: 'trace-1' },
	]);
});

it.each([
	[
		{ cardId: '../a:b', fromDate: '2026-01-01', toDate: '2026-01-31' },
		'statement_.._a_b_2026-01-01_2026-01-31.pdf',
	],
	[{}, 'statement_c.pdf'],
	[{ options: { fileName: 'x.pdf' } }, 'x.pdf'],
	[{ options: { fileName: 7 } }, '7'],
])('the file of %j has a name that is valid in any file system: %s', async (given, fileName) => {
	expect(await fileOf(given)).toEqual({
		property: 'data',
		fileName,
		mimeType: 'application/pdf',
	});
	expect(await fileOf({ ...given, binaryPropertyName: 'pdf' })).toMatchObject({ property: 'pdf' });
});

it.each([
	['2026-01-31T23:30:00', 'America/New_York', '2026-01-31'],
	['2026-01-31T23:30:00Z', 'Asia/Tokyo', '2026-02-01'],
	['2026-01-31T02:30:00+00:00', 'America/Santo_Domingo', '2026-01-30'],
	[' 2026-01-31 ', 'Asia/Tokyo', '2026-01-31'],
	[new Date('2026-03-08T04:59:59Z'), 'America/New_York', '2026-03-07'],
	[DateTime.fromISO('2026-03-08T04:59:59Z', { zone: 'utc' }), 'America/New_York', '2026-03-07'],
])('the day of %s in %s is %s', async (toDate, timezone, day) => {
	const { query } = await requestOf(NAME, {
		parameters: { cardId: 'c', fromDate: '2026-01-01', toDate },
		timezone,
	});
	expect(query).toContainEqual(['to_date', day]);
});

it.each(['fromDate', 'toDate'])(
	'the field %s states what the document leaves open (§4.9)',
	(name) => {
		expect(operationOf(NAME).fields[name]!.property(name, '')).toMatchObject({
			description: expect.stringContaining('not documented'),
		});
	},
);
