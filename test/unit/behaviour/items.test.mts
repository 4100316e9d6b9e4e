import { RESOURCES } from '../../../nodes/CardTreasury/operations/index.ts';
import { TRANSFER as GUARDED, RECIPIENT, TOKEN } from '../CardTreasury/operations/guarded.mts';
import { itemsOf, type Item } from '../CardTreasury/operations/reading.mts';
import { PENDING, SEARCH } from '../CardTreasury/operations/sampleAnswers.mts';

const TRANSFER: Item = {
	parameters: { ...GUARDED, amount: '1.50' },
};
const NATIVE = { parameters: { ...TRANSFER.parameters, tokenAddress: 'native' } };
const ABOUT = {
	wallet_id: 'w',
	to: RECIPIENT,
	token_address: TOKEN,
	amount: '1.50',
	payment_reference: 'INV-1',
};
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
const TOKENS = [
	{ symbol: 'USDC', blockchain: 'POLYGON', unit_price: '1' },
	{ symbol: 'usdc', blockchain: 'Base', extra: { kept: true } },
	{ symbol: 'WETH', blockchain: 'BASE' },
];
const MANY = Array.from({ length: 60 }, (_, index) => ({ id: index }));
const REQUESTS = [
	PENDING,
	{ id: 'p2', product: 'cards_individuals', status: 'enabled' },
	{ ...PENDING, id: 'p3', status: 'rejected' },
];
const missing = { client_id: 'c', product: 'ramps_pix', product_request_id: 'p1' };

it.each<[string, Item, object, object[]]>([
	['token: getAll', { parameters: { limit: 2 } }, { json: TOKENS }, TOKENS.slice(0, 2)],
	['token: getAll', { parameters: {} }, { json: MANY }, MANY.slice(0, 50)],
	['token: getAll', { parameters: {} }, { json: [null, 'x', TOKENS[0]] }, TOKENS.slice(0, 1)],
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
		'token: getAll',
		{ parameters: { limit: 1, filters: { symbol: 'weth' } } },
		{ json: TOKENS },
		[TOKENS[2]!],
	],
	[
		'token: getAll',
		{ parameters: { returnAll: true, filters: { blockchains: ['base'], symbol: ' ' } } },
		{ json: TOKENS },
		TOKENS.slice(1),
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
	// A transfer without a status must not look final.
	[
		'wallet: transfer',
		TRANSFER,
		{ json: { status: 5, transaction_hash: 7 } },
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
	[
		'card: freeze',
		{ parameters: { cardId: 'c' } },
		{ json: { frozen: false } },
		[{ card_id: 'c', frozen: true, answer: { frozen: false } }],
	],
	['card: unfreeze', { parameters: { cardId: 'c' } }, {}, [{ card_id: 'c', frozen: false }]],
	[
		'card: configure3ds',
		{ parameters: { cardId: 'c', type: 'sms' } },
		{ json: { type: 'sms' } },
		[{ card_id: 'c', type: 'sms' }],
	],
	[
		'card: configure3ds',
		{ parameters: { cardId: 'c', type: 'sms' } },
		{ json: { type: 'webhook' } },
		[{ card_id: 'c', type: 'webhook' }],
	],
	[
		'card: configure3ds',
		{ parameters: { cardId: 'c', type: 'sms' } },
		{},
		[{ card_id: 'c', type: null }],
	],
	['card: unblock', { parameters: { cardId: 'c' } }, {}, [{ card_id: 'c', unblocked: true }]],
	[
		'card: unblock',
		{ parameters: { cardId: 'c' } },
		{ json: 'done' },
		[{ card_id: 'c', unblocked: true, answer: 'done' }],
	],
	[
		'card: unblock',
		{ parameters: { cardId: 'c' } },
		{ json: { counter: 0, unblocked: 'maybe' } },
		[{ card_id: 'c', unblocked: true, answer: { counter: 0, unblocked: 'maybe' } }],
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
	[
		'cardTransaction: search',
		SEARCH,
		{ json: { total_elements: 2, items: [{ operation: 'B' }, { operation: 'A' }] } },
		[
			{ operation: 'B', total_elements: 2 },
			{ operation: 'A', total_elements: 2 },
		],
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
		[{ product: { id: 'p' }, rejected_items: null }],
	],
	// n8n would take them for failed items.
	[
		'endpoint: request',
		{ parameters: { method: 'POST', path: '/x' } },
		{ json: [{ error: 'none', id: 1 }, { errors: [] }] },
		[{ answer: { error: 'none', id: 1 } }, { errors: [] }],
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
	expect(await itemsOf(name, item, answer)).toStrictEqual(items);
});

it('every operation except Endpoint: Request declares the fields of its items', () => {
	for (const { operations } of RESOURCES) {
		for (const [name, { output }] of operations) {
			if (name !== 'request') expect([name, Object.keys(output).length]).not.toEqual([name, 0]);
		}
	}
});
