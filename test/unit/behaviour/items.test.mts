import { RESOURCES } from '../../../nodes/CardTreasury/operations/index.ts';
import type { ServiceAnswer } from '../../../nodes/CardTreasury/request/request.ts';
import { RECIPIENT, TOKEN, TRANSFER } from '../CardTreasury/operations/guarded.mts';
import { itemsOf } from '../CardTreasury/operations/reading.mts';
import { PENDING, SEARCH } from '../CardTreasury/operations/sampleAnswers.mts';

type Row = [name: string, parameters: object, answer: Partial<ServiceAnswer>, items: object[]];
const row =
	(name: string, common: object) =>
	(given: object, answer: Partial<ServiceAnswer>, ...items: object[]): Row => [
		name,
		{ ...common, ...given },
		answer,
		items,
	];
/** Row of a write, whose items begin with the outcome. */
const write = (name: string, common: object) => {
	const make = row(name, common);
	return (given: object, answer: Partial<ServiceAnswer>, ...items: object[]): Row => {
		const outcome = answer.pending ? 'pending' : 'done';
		return make(given, answer, ...items.map((item) => ({ outcome, ...item })));
	};
};
const tokens = row('token: getAll', {});
const transfer = write('wallet: transfer', { ...TRANSFER, amount: '1.50' });
const card = row('card: get', { cardId: 'c' });
const freeze = write('card: freeze', { cardId: 'ca/1' });
const unfreeze = write('card: unfreeze', { cardId: 'c' });
const codes = write('card: configure3ds', { cardId: 'c', type: 'sms' });
const unblock = write('card: unblock', { cardId: 'c' });
const search = row('cardTransaction: search', SEARCH.parameters);
const requests = row('productRequest: getAll', { clientId: 'c' });
const requirements = row('productRequest: getMissingRequirements', {
	clientId: 'c',
	itemPer: 'requirement',
});
const any = write('endpoint: request', { method: 'POST', path: '/x' });

const WAIT = { code: 'WARNING', message: 'Wait' };
const PAID = {
	wallet_id: 'w',
	to: RECIPIENT,
	token_address: TOKEN,
	amount: '1.50',
	payment_reference: 'INV-1',
};
const SIMPLE_CARD = {
	id: 'c',
	client_id: 'k',
	type: 'virtual',
	status: 'ACTIVE',
	last4: '1234',
	card_holder_name: 'A B',
};
const LIMITS = { daily_limit: 1, weekly_limit: 2, monthly_limit: 3 };
const CARD = {
	...SIMPLE_CARD,
	expiration_month: 3,
	expiration_year: 2029,
	...LIMITS,
	approval_method: 'x',
};
const UNKNOWN_CARD = Object.fromEntries(
	[...Object.keys(SIMPLE_CARD), 'expiration', ...Object.keys(LIMITS)].map((name) => [name, null]),
);
const [USDC, OTHER_USDC, WETH] = [
	{ symbol: 'USDC', blockchain: 'POLYGON', unit_price: '1' },
	{ symbol: 'usdc', blockchain: 'Base', extra: { kept: true } },
	{ symbol: 'WETH', blockchain: 'BASE' },
];
const TOKENS = { json: [USDC, OTHER_USDC, WETH] };
const MANY = Array.from({ length: 60 }, (_, index) => ({ id: index }));
const ENABLED = { id: 'p2', product: 'cards_individuals', status: 'enabled' };
const REQUESTS = [PENDING, ENABLED, { ...PENDING, id: 'p3', status: 'rejected' }];
const missing = { client_id: 'c', product: 'ramps_pix', product_request_id: 'p1' };

it.each<Row>([
	tokens({ limit: 2 }, TOKENS, USDC, OTHER_USDC),
	tokens({}, { json: MANY }, ...MANY.slice(0, 50)),
	tokens({ returnAll: true, limit: 2 }, { json: MANY }, ...MANY),
	tokens({}, { json: [null, 'x', USDC] }, USDC),
	tokens({ filters: { symbol: ' UsDc ' } }, TOKENS, USDC, OTHER_USDC),
	tokens({ filters: { blockchains: ['base'], symbol: 'weth' } }, TOKENS, WETH),
	tokens({ filters: { blockchains: ['base'], symbol: '' } }, TOKENS, OTHER_USDC, WETH),
	tokens({ limit: 1, filters: { symbol: 'weth' } }, TOKENS, WETH),
	transfer(
		{},
		{ json: { transaction_hash: '0x1', status: 'SUCCESS', more: 1 } },
		{ status: 'SUCCESS', transaction_hash: '0x1', ...PAID, answer: { more: 1 } },
	),
	transfer(
		{ tokenAddress: 'native' },
		{ status: 302, pending: WAIT, json: { ...WAIT, transaction_hash: '0x2' } },
		{
			status: 'PENDING',
			transaction_hash: '0x2',
			...PAID,
			token_address: null,
			...WAIT,
		},
	),
	// The hash may be elsewhere.
	transfer(
		{},
		{ json: { data: { status: 'SUCCESS', transaction_hash: '0x3' } } },
		{
			outcome: 'pending',
			status: null,
			transaction_hash: '0x3',
			...PAID,
			answer: { data: { status: 'SUCCESS', transaction_hash: '0x3' } },
		},
	),
	// A transfer without a status must not look final.
	transfer(
		{},
		{ json: { status: 5, transaction_hash: 7 } },
		{
			outcome: 'pending',
			status: null,
			transaction_hash: null,
			...PAID,
			answer: { status: 5, transaction_hash: 7 },
		},
	),
	[
		'rampTransfer: updateAmount',
		{ rampTransferId: 'r', amount: '1' },
		{ json: { id: 'r', amount: '1.10' } },
		[{ outcome: 'done', id: 'r', amount: '1.10' }],
	],
	card({ simplify: false }, { json: CARD }, CARD),
	card(
		{},
		{ json: CARD },
		{
			summary: 'Card •1234 of A B is ACTIVE, expires 03/2029, limits 1 a day, 2 a week, 3 a month',
			...SIMPLE_CARD,
			expiration: '03/2029',
			...LIMITS,
		},
	),
	card(
		{},
		{ json: { id: 'c', expiration_month: 3 } },
		{ summary: 'Card c has no status', ...UNKNOWN_CARD, id: 'c' },
	),
	// An answer that is no card is shown as it came.
	card(
		{},
		{ json: { code: 'APP_ERROR', message: 'Try later' } },
		{ code: 'APP_ERROR', message: 'Try later' },
	),
	freeze({}, {}, { card_id: 'ca/1', frozen: true }),
	unfreeze({}, {}, { card_id: 'c', frozen: false }),
	// The state that was set, and another reply beside it.
	unfreeze(
		{},
		{ json: { frozen: true, card_id: 'other' } },
		{ card_id: 'c', frozen: false, answer: { frozen: true, card_id: 'other' } },
	),
	codes({}, { json: { type: 'webhook' } }, { card_id: 'c', type: 'webhook' }),
	codes({}, {}, { card_id: 'c', type: null }),
	codes(
		{},
		{ json: { type: null, message: '3DS is off' } },
		{ card_id: 'c', type: null, answer: { message: '3DS is off' } },
	),
	unblock({}, {}, { card_id: 'c', unblocked: true }),
	unblock({}, { json: 'done' }, { card_id: 'c', unblocked: true, answer: 'done' }),
	unblock(
		{},
		{ json: { unblocked: 'maybe', card_id: 'other' } },
		{ card_id: 'c', unblocked: true, answer: { unblocked: 'maybe', card_id: 'other' } },
	),
	search(
		{ splitMovements: false },
		{ json: { total_elements: 1, any: [] } },
		{ total_elements: 1, any: [] },
	),
	search(
		{},
		{ json: { sort: ['x'], total_elements: 2, items: [{ operation: 'B' }, { operation: 'A' }] } },
		{ operation: 'B', total_elements: 2 },
		{ operation: 'A', total_elements: 2 },
	),
	search({}, { json: { total_elements: 0, sort: ['x'], items: [] } }),
	search({}, { json: { items: [], sort: [] } }),
	search({}, { json: { total_elements: 0 } }),
	[
		'cardTransaction: get',
		{ cardId: 'c', transactionId: 't', path: '/{transactionId}' },
		{ json: { lifecycle: {} } },
		[{ lifecycle: {} }],
	],
	requests({ returnAll: true }, { json: REQUESTS }, ...REQUESTS),
	requests(
		{ limit: 1, filters: { statuses: ['rejected', 'enabled'] } },
		{ json: REQUESTS },
		ENABLED,
	),
	requirements(
		{},
		{ json: REQUESTS },
		{
			...missing,
			kind: 'document',
			id: 'd',
			name: 'Identity',
			description: 'An ID',
			required: true,
			accepted: [{ id: 'passport', require_back_image: false, metadata: [] }],
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
	),
	requirements({ filters: { products: ['cards_individuals'] } }, { json: REQUESTS }),
	row('endpoint: request', { path: '/x' })(
		{ method: 'GET' },
		{ json: [{ a: 1 }, 'text', [1]] },
		{ a: 1 },
		{ value: 'text' },
		{ value: [1] },
	),
	// n8n would take an item with `error` for a failed one.
	any(
		{},
		{ json: [{ error: 'none' }, { errors: [] }] },
		{ answer: { error: 'none' } },
		{ errors: [] },
	),
	any({}, { status: 302, pending: WAIT }, { status: 'PENDING', ...WAIT }),
	any({}, {}, { trace_id: 'trace-1' }),
])('%s %j makes items of %j', async (name, parameters, answer, items) => {
	expect(await itemsOf(name, { parameters: { ...parameters } }, answer)).toStrictEqual(items);
});

it('a submitted document shows that the answer has no list of rejections', async () => {
	const parameters = {
		clientId: 'c',
		productRequestId: 'p',
		documentType: 't',
		frontImageField: 'f',
	};
	const item = { parameters, files: { f: Buffer.from('%PDF-1.7') } };
	const json = { product: { id: 'p' }, message: 'Unreadable' };
	expect(await itemsOf('productRequest: submitDocument', item, { json })).toEqual([
		{
			outcome: 'done',
			document_type: 't',
			product: { id: 'p' },
			rejected_items: null,
			product_request_id: 'p',
			client_id: 'c',
			answer: { message: 'Unreadable' },
		},
	]);
});

it('every operation except Endpoint: Request declares the fields of its items', () => {
	const without = RESOURCES.flatMap(({ operations }) =>
		operations.filter(([, { output }]) => Object.keys(output).length === 0),
	);
	expect(without.map(([name]) => name)).toEqual(['request']);
});
