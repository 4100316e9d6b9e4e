import { RECIPIENT } from '../CardTreasury/operations/guarded.mts';
import { operationOf } from '../CardTreasury/operations/reading.mts';

const PENDING = { outcome: 'pending', status: 'PENDING' };
const ODD = { outcome: 'pending', status: 'REJECTED' };
const EMPTY = { ...ODD, status: '' };
const REFUSED = { ...ODD, status: null, answer: { message: 'Insufficient funds' } };
const UNCHECKED = { outcome: 'done', status: 'SUCCESS', to: RECIPIENT.toLowerCase() };
const REJECTED = { rejected_items: [{ key: 'number' }] };
const SILENT = { rejected_items: null };
const PART = [{ operation: 'PURCHASE', total_elements: 2 }];

type Row = [name: string, one: object, another: object, forOne: string, forBoth: string];

/** Hints are put together from parts, so each one is given in full: for one item, and for two. */
const ROWS: Row[] = [
	[
		'card: get',
		{ code: 1 },
		{ other: 2 },
		'1 answer has none of the fields of a card, and is shown as it came.',
		'2 answers have none of the fields of a card, and are shown as they came.',
	],
	...['card: freeze', 'card: unfreeze'].map(
		(name): Row => [
			name,
			{ answer: { frozen: 1 } },
			{ answer: null },
			'1 reply was not the documented one. See answer, and check the card with Get.',
			'2 replies were not the documented one. See answer, and check the card with Get.',
		],
	),
	[
		'card: configure3ds',
		{ type: 'sms' },
		{ type: null },
		'The service did not confirm the delivery of 3DS codes that was chosen for 1 card: look at type, and check it with Get.',
		'The service did not confirm the delivery of 3DS codes that was chosen for 2 cards: look at type, and check each with Get.',
	],
	[
		'cardTransaction: search',
		PART,
		PART,
		'A reply holds only part of the transactions (see total_elements). Other pages need parameters under Query Parameters in the options.',
		'A reply holds only part of the transactions (see total_elements). Other pages need parameters under Query Parameters in the options.',
	],
	[
		'productRequest: getMissingRequirements',
		{ count: null },
		{ count: null },
		'The service did not say what is missing for 1 client, although it must send something. Look at the product requests with Get Many, or ask the provider.',
		'The service did not say what is missing for 2 clients, although they must send something. Look at the product requests with Get Many, or ask the provider.',
	],
	[
		'productRequest: submitDocument',
		REJECTED,
		REJECTED,
		'The service rejected parts of 1 document. Read the reasons in rejected_items, correct the parts and submit it again.',
		'The service rejected parts of 2 documents. Read the reasons in rejected_items, correct the parts and submit them again.',
	],
	[
		'productRequest: submitDocument',
		SILENT,
		SILENT,
		'1 answer does not say whether anything was rejected: check with Get Missing Requirements.',
		'2 answers do not say whether anything was rejected: check with Get Missing Requirements.',
	],
	[
		'wallet: transfer',
		PENDING,
		{ ...PENDING, status: 'MANUAL_CHECK' },
		'1 transfer is pending or needs a manual check. Do not send it again: wait for the treasury.transfer event.',
		'2 transfers are pending or need a manual check. Do not send them again: wait for their treasury.transfer events.',
	],
	[
		'wallet: transfer',
		ODD,
		REFUSED,
		'1 transfer came back without a documented status (REJECTED). Do not treat it as done, and do not send it again: wait for the treasury.transfer event.',
		'2 transfers came back without a documented status (REJECTED, none). Do not treat them as done, and do not send them again: wait for their treasury.transfer events. The service replied: "Insufficient funds".',
	],
	[
		'wallet: transfer',
		EMPTY,
		{ ...ODD, status: 'failed' },
		'1 transfer came back without a documented status (none). Do not treat it as done, and do not send it again: wait for the treasury.transfer event.',
		'2 transfers came back without a documented status (none, failed). Do not treat them as done, and do not send them again: wait for their treasury.transfer events.',
	],
	[
		'wallet: transfer',
		UNCHECKED,
		{ outcome: 'dry_run', to: 'TX' },
		'The recipient address of 1 transfer carries no checksum: a typo in it goes unnoticed. Compare it with its source, or enter its mixed-case form.',
		'2 transfers go to addresses that carry no checksum: a typo in one goes unnoticed. Compare them with their source, or enter their mixed-case form.',
	],
];

/** Outputs without a hint, of any operation. */
const NONE: Array<[name: string, item: object]> = [
	// A card with some of the fields is a card.
	['card: get', { id: 'card-1' }],
	['card: freeze', { card_id: 'card-1', frozen: true }],
	['card: configure3ds', { type: 'webhook' }],
	['cardTransaction: search', [{ operation: 'PURCHASE', total_elements: 1 }]],
	['productRequest: getMissingRequirements', { count: 0 }],
	['productRequest: submitDocument', { rejected_items: [] }],
	['productRequest: submitDocument', {}],
	['wallet: transfer', { outcome: 'done', status: 'SUCCESS', to: RECIPIENT }],
	['wallet: transfer', { status: 'NOTHING_TO_SEND', to: 'TX' }],
	['wallet: transfer', {}],
];

const hintsOf = (name: string, ...items: object[]) =>
	operationOf(name)
		.hints(
			items.map((item) => [item].flat() as Array<Record<string, unknown>>),
			items.map(() => ({ type: 'webhook' })),
		)
		.map(({ message }) => message);

describe('hints on the output', () => {
	it.each(ROWS)(
		'%s shows one hint for %j, and one for it and %j',
		(name, one, another, forOne, forBoth) => {
			expect(hintsOf(name, one)).toEqual([forOne]);
			expect(hintsOf(name, one, another)).toEqual([forBoth]);
		},
	);

	it.each(NONE)('%s shows no hint for %j', (name, item) => {
		expect(hintsOf(name, item)).toEqual([]);
	});
});
