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

it.each<[string, object[][], number]>([
	[
		'a list in the item',
		[[{ total_elements: 12, items: Array(5).fill({ operation: 'PURCHASE' }) }]],
		1,
	],
	[
		'an item per transaction',
		[
			Array(5).fill({ operation: 'PURCHASE', total_elements: 5 }),
			Array(2).fill({ operation: 'PURCHASE', total_elements: 5 }),
			[{ operation: 'PURCHASE', total_elements: 4 }],
		],
		1,
	],
	[
		'two pages, all transactions together',
		[
			Array(2).fill({ operation: 'PURCHASE', total_elements: 3 }),
			[{ operation: 'PURCHASE', total_elements: 3 }],
		],
		1,
	],
	[
		'whole lists',
		[
			[{ total_elements: 1, items: [{ operation: 'PURCHASE' }] }],
			[{ operation: 1, total_elements: 1 }],
		],
		0,
	],
	['no list', [[{ total_elements: 12 }], [{}], []], 0],
])('one hint points out replies with part of the transactions: %s', (_, items, count) => {
	const hints = operationOf(NAME).hints(items as Array<Array<Record<string, unknown>>>);
	expect(hints.map(({ message }) => message)).toEqual(
		Array(count).fill(
			'A reply holds only part of the transactions (see total_elements). Other pages need parameters under Query Parameters in the options.',
		),
	);
});
