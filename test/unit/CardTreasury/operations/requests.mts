import { TRANSFER as GUARDED, RECIPIENT, TOKEN } from './guarded.mts';
import type { Item } from './reading.mts';

export const PNG = Buffer.from('\x89PNG\r\n\x1a\n rest', 'latin1');
export const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);
export const TRANSFER = {
	...GUARDED,
	accountId: 'acc/1',
	walletId: ' wal 2 ',
	tokenAddress: 'native',
	amount: '0.000001',
	maximumAmount: '999999999.999999',
};
const SWEEP = {
	...TRANSFER,
	amount: '',
	amountMode: 'aboveFloor',
	balance: '750.1234567',
	floor: 500,
};
export const DOCUMENT = {
	clientId: 'c',
	productRequestId: 'p',
	documentType: 'national_id',
	frontImageField: 'front',
};

type Row = [name: string, item: Item, request: object];
type Query = Array<[string, string]>;

const VERSION_2 = { headers: { 'X-API-Version': '2' } };
const get = (path: string, more: object = {}) => ({ method: 'GET', path, ...more });
const urlOf = (bytes: Buffer, type: string) => `data:${type};base64,${bytes.toString('base64')}`;

const transfer = (parameters: object, amount: string, token = ''): Row => [
	'wallet: transfer',
	{ parameters: { ...parameters } },
	{
		method: 'POST',
		path: '/mpc/accounts/acc%2F1/wallets/wal%202/transfer',
		body: `{"to":"${RECIPIENT}",${token && `"token_address":"${token}",`}"amount":${amount}}`,
	},
];
const ramp = (rampTransferId: unknown, amount: unknown, more: Partial<Item> = {}): Row => [
	'rampTransfer: updateAmount',
	{ ...more, parameters: { rampTransferId, amount, ...more.parameters } },
	{
		method: 'PATCH',
		path: `/virtual-wallets/ramps/transfer/${String(rampTransferId)}`,
		body: `{"amount":${String(amount)}}`,
	},
];
const card = (
	name: string,
	parameters: object,
	method: string,
	path: string,
	body?: string,
): Row => [
	`card: ${name}`,
	{ parameters: { cardId: 'c', ...parameters } },
	{ method, path, ...(body && { body }) },
];
const statement = (parameters: object, query?: Query): Row => [
	'cardTransaction: downloadStatement',
	{ parameters: { cardId: 'c', ...parameters } },
	get('/cards/transactions/c/pdf', query && { query }),
];
const document = (parameters: object, files: Record<string, Buffer>, sent: object): Row => [
	'productRequest: submitDocument',
	{ parameters: { ...DOCUMENT, ...parameters }, files },
	{
		method: 'POST',
		path: '/management/clients/individuals/c/products/p/documentation',
		body: JSON.stringify({
			document: { document_type: 'national_id', image_front: urlOf(PNG, 'image/png'), ...sent },
		}),
	},
];
const any = (parameters: object, request: object): Row => [
	'endpoint: request',
	{ parameters: { path: '/x', ...parameters } },
	{ path: '/x', ...request },
];

/** Rows: operation, item, and the complete request. */
export const REQUESTS: Row[] = [
	['token: getAll', { parameters: { returnAll: true } }, get('/mpc/tokens/list')],
	['token: getAll', { parameters: { limit: 5 } }, get('/mpc/tokens/list')],
	transfer(TRANSFER, '0.000001'),
	transfer(
		{ ...TRANSFER, amount: 999999999.999999, tokenAddress: TOKEN },
		'999999999.999999',
		TOKEN,
	),
	transfer({ ...SWEEP, options: { sweepMinimum: '250', sweepMaximum: '300' } }, '250.123456'),
	transfer({ ...SWEEP, options: { sweepMaximum: '200.0000009' } }, '200'),
	ramp('r', 5, { isTool: true, parameters: { options: { maximumAmount: 5 } } }),
	ramp(7, '10.10'),
	card('get', { cardId: 'a?b#c' }, 'GET', '/cards/individual-cards/a%3Fb%23c'),
	card('freeze', {}, 'PATCH', '/cards/individual-cards/c/frozen', '{"freeze":true}'),
	card('unfreeze', {}, 'PATCH', '/cards/individual-cards/c/frozen', '{"freeze":false}'),
	card(
		'configure3ds',
		{ type: 'sms' },
		'POST',
		'/cards/virtual-cards/c/3ds-configuration',
		'{"type":"sms"}',
	),
	card('unblock', {}, 'PATCH', '/api/cards/c/unblock'),
	[
		'cardTransaction: search',
		{
			parameters: {
				cardId: 'c',
				operations: ['PURCHASE', 'WALLET_DEPOSIT'],
				options: { queryParameters: { parameter: [{ name: 'page', value: 2 }] } },
			},
		},
		get('/cards/transactions/c/search', {
			...VERSION_2,
			query: [
				['operations', 'PURCHASE,WALLET_DEPOSIT'],
				['page', '2'],
			],
		}),
	],
	[
		'cardTransaction: search',
		{ parameters: { cardId: 'c'.repeat(500) } },
		get(`/cards/transactions/${'c'.repeat(500)}/search`, VERSION_2),
	],
	[
		'cardTransaction: get',
		{
			parameters: {
				cardId: 'c',
				transactionId: 't/1',
				path: ' /cards/{cardId}/tx/{transactionId} ',
				options: { queryParameters: { parameter: [{ name: 'a', value: 'b' }] } },
			},
		},
		get('/cards/c/tx/t%2F1', { ...VERSION_2, query: [['a', 'b']] }),
	],
	[
		'cardTransaction: get',
		{ parameters: { cardId: '', transactionId: 't', path: '/tx/{transactionId}' } },
		get('/tx/t', VERSION_2),
	],
	statement({ fromDate: '', toDate: '' }),
	statement({ fromDate: '2026-01-31' }, [['from_date', '2026-01-31']]),
	statement({ toDate: '2026-01-31' }, [['to_date', '2026-01-31']]),
	statement({ fromDate: '2026-01-31', toDate: '2026-01-31', binaryPropertyName: 'data' }, [
		['from_date', '2026-01-31'],
		['to_date', '2026-01-31'],
	]),
	[
		'productRequest: getAll',
		{ parameters: { clientId: 'c', limit: 5 } },
		get('/management/clients/individuals/c/products'),
	],
	[
		'productRequest: getAll',
		// One expression for all filters may leave some of them out.
		{
			parameters: { clientId: 'c', filters: { products: ['ramps_pix'] } },
			raw: { clientId: 'c', filters: '={{ $json.filters }}' },
		},
		get('/management/clients/individuals/c/products'),
	],
	[
		'productRequest: getMissingRequirements',
		{ parameters: { clientId: 'c', itemPer: 'client' } },
		get('/management/clients/individuals/c/products'),
	],
	document(
		{
			backImageField: 'back',
			metadata: { mappingMode: 'defineBelow', value: { number: 7, empty: '', none: null } },
		},
		{ front: PNG, back: JPEG },
		{ image_back: urlOf(JPEG, 'image/jpeg'), metadata: { number: '7' } },
	),
	document({ options: { replace: true } }, { front: PNG }, { replace: true }),
	any({ method: 'GET', jsonBody: '{"left": "over"}' }, { method: 'GET' }),
	any({ method: 'PUT', jsonBody: { a: [1] } }, { method: 'PUT', body: '{"a":[1]}' }),
	any(
		{
			method: 'POST',
			queryParameters: { parameter: [{ name: 'a', value: 'b' }] },
			jsonBody: '{"amount": 1.10}',
		},
		{ method: 'POST', query: [['a', 'b']], body: '{"amount": 1.10}' },
	),
];
