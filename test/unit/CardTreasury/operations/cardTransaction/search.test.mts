import { itemsOf, operationOf } from '../reading.mts';
import { SEARCH } from '../sampleAnswers.mts';

const NAME = 'cardTransaction: search';

it.each([
	{ total_elements: 2 },
	{ items: ['x'] },
	{ items: [{ operation: 'PURCHASE' }, 'x'] },
	{ a: [{ operation: 1 }], b: [{ operation: 2 }] },
])('an answer without exactly one list of transactions is refused: %j', async (json) => {
	await expect(itemsOf(NAME, SEARCH, { json })).rejects.toThrow(
		'One Item per Transaction needs exactly one list of transactions in the answer',
	);
});

it('an empty list next to the transactions is ignored', async () => {
	const json = { notices: [], items: [{ operation: 'PURCHASE' }], total_elements: 1 };
	expect(await itemsOf(NAME, SEARCH, { json })).toEqual([
		{ operation: 'PURCHASE', total_elements: 1 },
	]);
});

it.each<[string, object[][], string[]]>([
	[
		'a list in the item',
		[[{ total_elements: 12, items: Array(5).fill({ operation: 'PURCHASE' }) }]],
		['5 of 12'],
	],
	[
		'an item per transaction',
		[
			Array(5).fill({ operation: 'PURCHASE', total_elements: 5 }),
			Array(2).fill({ operation: 'PURCHASE', total_elements: 5 }),
			[{ operation: 'PURCHASE', total_elements: 4 }],
		],
		['3 of 9'],
	],
	['no list', [[{ total_elements: 12 }], [{}], []], []],
])('the hint counts the transactions that are not shown: %s', (_, items, counts) => {
	const hints = operationOf(NAME).hints(items as Array<Array<Record<string, unknown>>>);
	expect(hints.map(({ message }) => message)).toEqual(
		counts.map((count) => expect.stringContaining(`${count} transactions are shown`)),
	);
});
