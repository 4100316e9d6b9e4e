import { Settings } from 'luxon';

import { InvalidFieldError } from '../../../../nodes/CardTreasury/errors.ts';
import { RESOURCES } from '../../../../nodes/CardTreasury/resources/index.ts';
import { itemsOf, operationOf, workOf, type Item } from './reading.mts';

const TRANSFER: Item = {
	parameters: {
		accountId: 'a',
		walletId: 'w',
		to: 'Tx',
		tokenAddress: 'Ty',
		amountMode: 'fixed',
		amount: '1.50',
	},
};
const NATIVE = { parameters: { ...TRANSFER.parameters, tokenAddress: 'native' } };
const ABOUT = { wallet_id: 'w', to: 'Tx', token_address: 'Ty', amount: '1.50' };
const CARD = {
	id: 'c',
	client_id: 'k',
	type: 'virtual',
	status: 'ACTIVE',
	last4: '1234',
	card_holder_name: 'A B',
	expiration_month: 3,
	expiration_year: 2029,
	daily_limit: 1,
	weekly_limit: 2,
	monthly_limit: 3,
	approval_method: 'x',
};
const SEARCH: Item = { parameters: { cardId: 'c', splitMovements: true } };
const TOKENS = [
	{ symbol: 'USDC', blockchain: 'POLYGON', unit_price: '1' },
	{ symbol: 'usdc', blockchain: 'Base', extra: { kept: true } },
	{ symbol: 'WETH', blockchain: 'BASE' },
];
const MANY = Array.from({ length: 60 }, (_, index) => ({ id: index }));
const PENDING = {
	id: 'p1',
	product: 'ramps_pix',
	status: 'pending_documentation',
	missing_requirements: {
		documents: [
			{
				id: 'd',
				name: 'Identity',
				description: 'An ID',
				required: true,
				valid_documents: [{ id: 'passport' }],
			},
		],
		data: [{ id: 'address', name: 'Address', required: false, fields: [{ id: 'street' }] }],
	},
};
const REQUESTS = [
	PENDING,
	{ id: 'p2', product: 'cards_individuals', status: 'enabled' },
	{ ...PENDING, id: 'p3', status: 'rejected' },
];
const missing = { client_id: 'c', product: 'ramps_pix', product_request_id: 'p1' };

it.each<[string, Item, object, object[]]>([
	['token: getAll', { parameters: { limit: 2 } }, { json: TOKENS }, TOKENS.slice(0, 2)],
	['token: getAll', { parameters: {} }, { json: MANY }, MANY.slice(0, 50)],
	['token: getAll', { parameters: { returnAll: true, limit: 2 } }, { json: MANY }, MANY],
	[
		'token: getAll',
		{ parameters: { returnAll: true, filters: { symbol: ' UsDc ' } } },
		{ json: TOKENS },
		TOKENS.slice(0, 2),
	],
	[
		'token: getAll',
		{ parameters: { returnAll: true, filters: { blockchains: ['base'], symbol: 'weth' } } },
		{ json: TOKENS },
		[TOKENS[2]!],
	],
	[
		'wallet: transfer',
		TRANSFER,
		{ json: { transaction_hash: '0x1', status: 'SUCCESS', more: 1 } },
		[{ status: 'SUCCESS', transaction_hash: '0x1', ...ABOUT }],
	],
	[
		'wallet: transfer',
		NATIVE,
		{ status: 302, pending: { code: 'WARNING', message: 'Wait' } },
		[
			{
				status: 'PENDING',
				transaction_hash: null,
				...ABOUT,
				token_address: null,
				code: 'WARNING',
				message: 'Wait',
			},
		],
	],
	// Nobody may take a transfer without a status for done.
	[
		'wallet: transfer',
		TRANSFER,
		{ json: { status: 5 } },
		[{ status: null, transaction_hash: null, ...ABOUT }],
	],
	[
		'rampTransfer: updateAmount',
		{ parameters: { rampTransferId: 'r', amount: '1' } },
		{ json: { id: 'r', amount: '1.10' } },
		[{ id: 'r', amount: '1.10' }],
	],
	['card: get', { parameters: { cardId: 'c', simplify: false } }, { json: CARD }, [CARD]],
	[
		'card: get',
		{ parameters: { cardId: 'c' } },
		{ json: CARD },
		[
			{
				id: 'c',
				client_id: 'k',
				type: 'virtual',
				status: 'ACTIVE',
				last4: '1234',
				card_holder_name: 'A B',
				expiration: '03/2029',
				daily_limit: 1,
				weekly_limit: 2,
				monthly_limit: 3,
			},
		],
	],
	[
		'card: get',
		{ parameters: { cardId: 'c' } },
		{ json: { id: 'c', expiration_month: 3 } },
		[
			{
				id: 'c',
				client_id: null,
				type: null,
				status: null,
				last4: null,
				card_holder_name: null,
				expiration: null,
				daily_limit: null,
				weekly_limit: null,
				monthly_limit: null,
			},
		],
	],
	['card: freeze', { parameters: { cardId: 'c' } }, { json: {} }, [{ card_id: 'c', frozen: true }]],
	['card: unfreeze', { parameters: { cardId: 'c' } }, {}, [{ card_id: 'c', frozen: false }]],
	[
		'card: configure3ds',
		{ parameters: { cardId: 'c', type: 'sms' } },
		{ json: { type: 'sms' } },
		[{ card_id: 'c', type: 'sms' }],
	],
	['card: unblock', { parameters: { cardId: 'c' } }, {}, [{ card_id: 'c', unblocked: true }]],
	[
		'card: unblock',
		{ parameters: { cardId: 'c' } },
		{ json: 'done' },
		[{ answer: 'done', card_id: 'c', unblocked: true }],
	],
	[
		'card: unblock',
		{ parameters: { cardId: 'c' } },
		{ json: { counter: 0, unblocked: 'maybe' } },
		[{ card_id: 'c', unblocked: true, counter: 0 }],
	],
	[
		'cardTransaction: search',
		{ parameters: { cardId: 'c' } },
		{ json: { total_elements: 1, any: [] } },
		[{ total_elements: 1, any: [] }],
	],
	[
		'cardTransaction: search',
		SEARCH,
		{
			json: {
				sort: ['x'],
				total_elements: 7,
				items: [{ operation: 'PURCHASE', bill_amount: '1' }],
			},
		},
		[{ operation: 'PURCHASE', bill_amount: '1', total_elements: 7 }],
	],
	['cardTransaction: search', SEARCH, { json: { total_elements: 0, items: [] } }, []],
	['cardTransaction: search', SEARCH, { json: { items: [], sort: [] } }, []],
	['cardTransaction: search', SEARCH, { json: { total_elements: 0 } }, []],
	['cardTransaction: search', SEARCH, { json: { total_elements: 0, sort: ['x'], items: [] } }, []],
	[
		'cardTransaction: get',
		{ parameters: { cardId: 'c', transactionId: 't', path: '/{transactionId}' } },
		{ json: { lifecycle: {} } },
		[{ lifecycle: {} }],
	],
	[
		'productRequest: getAll',
		{ parameters: { clientId: 'c', returnAll: true } },
		{ json: REQUESTS },
		REQUESTS,
	],
	[
		'productRequest: getAll',
		{ parameters: { clientId: 'c', limit: 1, filters: { statuses: ['rejected', 'enabled'] } } },
		{ json: REQUESTS },
		[REQUESTS[1]!],
	],
	[
		'productRequest: getMissingRequirements',
		{ parameters: { clientId: 'c', itemPer: 'requirement' } },
		{ json: REQUESTS },
		[
			{
				...missing,
				kind: 'document',
				id: 'd',
				name: 'Identity',
				description: 'An ID',
				required: true,
				accepted: [{ id: 'passport' }],
			},
			{
				...missing,
				kind: 'data',
				id: 'address',
				name: 'Address',
				description: null,
				required: false,
				fields: [{ id: 'street' }],
			},
		],
	],
	[
		'productRequest: getMissingRequirements',
		{
			parameters: {
				clientId: 'c',
				itemPer: 'requirement',
				filters: { products: ['cards_individuals'] },
			},
		},
		{ json: REQUESTS },
		[],
	],
	[
		'endpoint: request',
		{ parameters: { method: 'GET', path: '/x' } },
		{ json: [{ a: 1 }, 'text', [1]] },
		[{ a: 1 }, { value: 'text' }, { value: [1] }],
	],
	[
		'productRequest: submitDocument',
		{
			parameters: {
				clientId: 'c',
				productRequestId: 'p',
				documentType: 't',
				frontImageField: 'f',
			},
			files: { f: Buffer.from('%PDF-1.7') },
		},
		{ json: { product: { id: 'p' } } },
		[{ product: { id: 'p' }, rejected_items: [] }],
	],
	[
		'endpoint: request',
		{ parameters: { method: 'POST', path: '/x' } },
		{ status: 302, pending: { code: 'WARNING', message: 'Wait' } },
		[{ status: 'PENDING', code: 'WARNING', message: 'Wait' }],
	],
	[
		'endpoint: request',
		{ parameters: { method: 'POST', path: '/x' } },
		{},
		[{ trace_id: 'trace-1' }],
	],
])('%s %j', async (name, item, answer, items) => {
	expect(await itemsOf(name, item, answer)).toEqual(items);
});

it('a statement is a file with a name that any file system takes', async () => {
	const parameters = {
		cardId: '../a:b',
		fromDate: '2026-01-01',
		toDate: '2026-01-31',
		binaryPropertyName: 'pdf',
	};
	const name = 'cardTransaction: downloadStatement';
	expect(await itemsOf(name, { parameters }, {})).toEqual([
		{ card_id: '../a:b', from_date: '2026-01-01', to_date: '2026-01-31', trace_id: 'trace-1' },
	]);
	const fileOf = async (more: object) => (await workOf(name, { parameters: more as never })).file;
	expect(await fileOf(parameters)).toEqual({
		property: 'pdf',
		fileName: 'statement_.._a_b_2026-01-01_2026-01-31.pdf',
		mimeType: 'application/pdf',
	});
	expect(await fileOf({ cardId: 'c', options: { fileName: 'x.pdf' } })).toMatchObject({
		property: 'data',
		fileName: 'x.pdf',
	});
	expect(await fileOf({ cardId: 'c' })).toMatchObject({ fileName: 'statement_c.pdf' });
	expect(await itemsOf(name, { parameters: { cardId: 'c' } }, {})).toEqual([
		{ card_id: 'c', from_date: null, to_date: null, trace_id: 'trace-1' },
	]);
});

it('an answer without one clear list of movements is not guessed at', async () => {
	for (const json of [
		{ total_elements: 2 },
		{ items: ['x'] },
		{ a: [{ operation: 1 }], b: [{ operation: 2 }] },
	]) {
		await expect(itemsOf('cardTransaction: search', SEARCH, { json })).rejects.toThrow(
			new InvalidFieldError(
				'One Item per Transaction',
				'finds no list of transactions in the answer, or more than one',
				'',
			),
		);
	}
});

describe('what is missing, per client', () => {
	const NAME = 'productRequest: getMissingRequirements';
	const perClient = { parameters: { clientId: 'c', itemPer: 'client' } };
	beforeAll(() => {
		Settings.now = () => Date.parse('2026-05-20T12:00:00Z');
	});
	afterAll(() => {
		Settings.now = () => Date.now();
	});

	it('is one item with a summary for a message', async () => {
		const document = PENDING.missing_requirements.documents[0]!;
		const types = [{ id: 'passport', name: 'Passport' }, { id: 'visa' }];
		const json = [
			{
				...PENDING,
				updated_at: '2026-05-17T12:00:01Z',
				missing_requirements: {
					documents: [{ ...document, valid_documents: types }],
					data: [
						{
							id: 'address',
							name: 'Address',
							required: false,
							fields: [{ key: 'street' }, { key: 'city' }],
						},
						{ id: 'tax' },
					],
				},
			},
			{
				...PENDING,
				id: 'p4',
				product: 'other',
				created_at: '2026-05-20T10:00:00Z',
				missing_requirements: { data: [] },
			},
			{ ...PENDING, id: 'p5', status: 'enabled', updated_at: '2020-01-01T00:00:00Z' },
		];
		const [item, ...others] = await itemsOf(NAME, perClient, { json });
		expect(others).toEqual([]);
		expect(item).toMatchObject({
			client_id: 'c',
			count: 3,
			required_count: 1,
			requirements: await itemsOf(
				NAME,
				{ parameters: { clientId: 'c', itemPer: 'requirement' } },
				{ json },
			),
			waiting_days: 2,
			summary: [
				'• Identity (Ramps: Pix): Passport or visa',
				'• Address (Ramps: Pix, optional): street, city',
				'• tax (Ramps: Pix)',
			].join('\n'),
		});
	});

	it.each([
		['2026-05-17T12:00:00Z', 3],
		['2026-05-20T12:00:00Z', 0],
		['2026-05-21T12:00:00Z', 0],
		['soon', null],
	])('waits since %s for %s days', async (changed, days) => {
		const json = [{ ...PENDING, updated_at: changed }];
		expect(await itemsOf(NAME, perClient, { json })).toMatchObject([{ waiting_days: days }]);
	});

	it('is one item also when nothing is missing', async () => {
		expect(await itemsOf(NAME, perClient, { json: [] })).toEqual([
			{
				client_id: 'c',
				count: 0,
				required_count: 0,
				requirements: [],
				waiting_days: null,
				summary: 'Nothing is missing.',
			},
		]);
	});
});

describe('hints after the run', () => {
	const PENDING_ONE =
		'1 transfer is pending or needs a manual check. Do not send it again: wait for the treasury.transfer event.';
	it.each<[string, object[][], string[]]>([
		['wallet: transfer', [[{ status: 'SUCCESS' }], [{ status: 'NOTHING_TO_SEND' }], [{}]], []],
		['wallet: transfer', [[{ status: 'PENDING' }]], [PENDING_ONE]],
		['wallet: transfer', [[{ status: 'MANUAL_CHECK' }]], [PENDING_ONE]],
		[
			'wallet: transfer',
			[[{ status: 'PENDING' }], [{ status: 'MANUAL_CHECK' }]],
			[
				'2 transfers are pending or need a manual check. Do not send them again: wait for their treasury.transfer events.',
			],
		],
		[
			'wallet: transfer',
			[[{ status: 'FAILED' }]],
			[
				'1 transfer FAILED and is on the success branch. Retrying this execution returns the same result; a new execution sends a new transfer.',
			],
		],
		[
			'wallet: transfer',
			[[{ status: null }]],
			[
				'1 transfer came back without a status. Do not treat it as done, and do not send it again: wait for the treasury.transfer event.',
			],
		],
		[
			'cardTransaction: search',
			[[{ total_elements: 12, items: Array(5).fill({ operation: 'PURCHASE' }) }]],
			[
				'5 of 12 transactions are shown: request the next page. Its parameters go under Query Parameters in the options.',
			],
		],
		[
			'cardTransaction: search',
			[
				Array(5).fill({ operation: 'PURCHASE', total_elements: 5 }),
				Array(2).fill({ operation: 'PURCHASE', total_elements: 5 }),
				[{ operation: 'PURCHASE', total_elements: 4 }],
			],
			[
				'3 of 9 transactions are shown: request the next page. Its parameters go under Query Parameters in the options.',
			],
		],
		['cardTransaction: search', [[{ total_elements: 12 }], [{}], []], []],
		[
			'productRequest: submitDocument',
			[[{ rejected_items: [] }], [{ rejected_items: [{ key: 'x' }] }]],
			['1 document has rejected items. Its rejected_items say why: correct them and submit again.'],
		],
		['card: freeze', [[{ card_id: 'c', frozen: true }]], []],
	])('of %s %j', (name, items, messages) => {
		const hints = operationOf(name).hints(items as Array<Array<Record<string, unknown>>>);
		expect(hints.map(({ message }) => message)).toEqual(messages);
	});
});

it('every operation but a request of any endpoint names the fields of its items', () => {
	for (const { operations } of RESOURCES) {
		for (const [name, { output }] of operations) {
			if (name !== 'request') expect([name, Object.keys(output).length]).not.toEqual([name, 0]);
		}
	}
});
