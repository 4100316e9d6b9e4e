import { FieldRefusal } from '../../../../nodes/CardTreasury/parameters/reader.ts';
import { itemsOf, type Item } from './reading.mts';

const TRANSFER: Item = { parameters: { accountId: 'a', walletId: 'w', to: '0xAb', amount: '1' } };
const SEARCH: Item = { parameters: { cardId: 'c', splitMovements: true } };
const TOKENS = [
	{ symbol: 'USDC', blockchain: 'POLYGON', unit_price: '1' },
	{ symbol: 'usdc', blockchain: 'Base', extra: { kept: true } },
	{ symbol: 'WETH', blockchain: 'BASE' },
];
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
	{ id: 'p3', product: 'ramps_pix', status: 'rejected', missing_requirements: {} },
];
const missing = { client_id: 'c', product: 'ramps_pix', product_request_id: 'p1' };

it.each<[string, Item, object, object[]]>([
	['token: getAll', { parameters: { limit: 2 } }, { json: TOKENS }, TOKENS.slice(0, 2)],
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
		[{ transaction_hash: '0x1', status: 'SUCCESS', trace_id: 'trace-1' }],
	],
	[
		'wallet: transfer',
		TRANSFER,
		{ status: 302, pending: { code: 'WARNING', message: 'Wait' } },
		[
			{
				transaction_hash: null,
				status: 'PENDING',
				code: 'WARNING',
				message: 'Wait',
				trace_id: 'trace-1',
			},
		],
	],
	// Nobody may take a transfer without a status for done.
	[
		'wallet: transfer',
		TRANSFER,
		{ json: { status: 5 } },
		[{ transaction_hash: null, status: 'MANUAL_CHECK', trace_id: 'trace-1' }],
	],
	[
		'rampTransfer: updateAmount',
		{ parameters: { rampTransferId: 'r', amount: '1' } },
		{ json: { id: 'r', amount: '1.10' } },
		[{ id: 'r', amount: '1.10', trace_id: 'trace-1' }],
	],
	[
		'card: get',
		{ parameters: { cardId: 'c' } },
		{ json: { id: 'c', limits: [] } },
		[{ id: 'c', limits: [] }],
	],
	[
		'card: freeze',
		{ parameters: { cardId: 'c' } },
		{ json: {} },
		[{ card_id: 'c', frozen: true, trace_id: 'trace-1' }],
	],
	[
		'card: unfreeze',
		{ parameters: { cardId: 'c' } },
		{},
		[{ card_id: 'c', frozen: false, trace_id: 'trace-1' }],
	],
	[
		'card: configure3ds',
		{ parameters: { cardId: 'c', type: 'sms' } },
		{ json: { type: 'sms' } },
		[{ card_id: 'c', type: 'sms', trace_id: 'trace-1' }],
	],
	[
		'card: unblock',
		{ parameters: { cardId: 'c' } },
		{},
		[{ card_id: 'c', unblocked: true, trace_id: 'trace-1' }],
	],
	[
		'card: unblock',
		{ parameters: { cardId: 'c' } },
		{ json: { counter: 0 } },
		[{ card_id: 'c', unblocked: true, counter: 0, trace_id: 'trace-1' }],
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
		{ parameters: { clientId: 'c' } },
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
		{ parameters: { clientId: 'c', filters: { products: ['cards_individuals'] } } },
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
		'endpoint: request',
		{ parameters: { method: 'POST', path: '/x' } },
		{},
		[{ trace_id: 'trace-1' }],
	],
])('%s %j', async (name, item, answer, items) => {
	expect((await itemsOf(name, item, answer)).map(({ json }) => json)).toEqual(items);
});

it('a statement is a file with a name that any file system takes', async () => {
	const parameters = {
		cardId: '../a:b',
		fromDate: '2026-01-01',
		toDate: '2026-01-31',
		binaryPropertyName: 'pdf',
	};
	const bytes = Buffer.from('%PDF-1.7');
	expect(await itemsOf('cardTransaction: downloadStatement', { parameters }, { bytes })).toEqual([
		{
			json: {
				card_id: '../a:b',
				from_date: '2026-01-01',
				to_date: '2026-01-31',
				trace_id: 'trace-1',
			},
			file: {
				property: 'pdf',
				bytes,
				fileName: 'statement_.._a_b_2026-01-01_2026-01-31.pdf',
				mimeType: 'application/pdf',
			},
		},
	]);
});

it('an answer without one clear list of movements is not guessed at', async () => {
	for (const json of [
		{ total_elements: 2 },
		{ first: [], second: [] },
		{ items: ['x'] },
		{ a: [{ operation: 1 }], b: [{ operation: 2 }] },
	]) {
		await expect(itemsOf('cardTransaction: search', SEARCH, { json })).rejects.toThrow(
			FieldRefusal,
		);
	}
});
