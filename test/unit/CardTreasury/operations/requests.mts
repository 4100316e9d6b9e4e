import type { Item } from './reading.mts';

export const PNG = Buffer.from('\x89PNG\r\n\x1a\n rest', 'latin1');
export const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);
export const RECIPIENT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
export const TOKEN = '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174';
export const TRANSFER = {
	accountId: 'acc/1',
	walletId: ' wal 2 ',
	to: RECIPIENT,
	tokenAddress: 'native',
	amountMode: 'fixed',
	amount: '0.000001',
	referenceFrom: 'data',
	paymentReference: 'INV-1',
	maximumAmount: '999999999.999999',
};
export const SWEEP = {
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

/** Rows: operation, item, and the complete request. */
export const REQUESTS: Array<[name: string, item: Item, request: object]> = [
	[
		'token: getAll',
		{ parameters: { returnAll: true } },
		{ method: 'GET', path: '/mpc/tokens/list' },
	],
	['token: getAll', { parameters: { limit: 5 } }, { method: 'GET', path: '/mpc/tokens/list' }],
	[
		'wallet: transfer',
		{ parameters: TRANSFER },
		{
			method: 'POST',
			path: '/mpc/accounts/acc%2F1/wallets/wal%202/transfer',
			body: `{"to":"${RECIPIENT}","amount":0.000001}`,
		},
	],
	[
		'wallet: transfer',
		{ parameters: { ...TRANSFER, amount: 999999999.999999, tokenAddress: TOKEN } },
		{
			method: 'POST',
			path: '/mpc/accounts/acc%2F1/wallets/wal%202/transfer',
			body: `{"to":"${RECIPIENT}","token_address":"${TOKEN}","amount":999999999.999999}`,
		},
	],
	[
		'wallet: transfer',
		{ parameters: { ...SWEEP, options: { sweepMinimum: '250', sweepMaximum: '300' } } },
		{
			method: 'POST',
			path: '/mpc/accounts/acc%2F1/wallets/wal%202/transfer',
			body: `{"to":"${RECIPIENT}","amount":250.123456}`,
		},
	],
	[
		'wallet: transfer',
		{ parameters: { ...SWEEP, options: { sweepMaximum: '200.0000009' } } },
		{
			method: 'POST',
			path: '/mpc/accounts/acc%2F1/wallets/wal%202/transfer',
			body: `{"to":"${RECIPIENT}","amount":200}`,
		},
	],
	[
		'rampTransfer: updateAmount',
		{ parameters: { rampTransferId: 'r', amount: 5, options: { maximumAmount: 5 } }, isTool: true },
		{ method: 'PATCH', path: '/virtual-wallets/ramps/transfer/r', body: '{"amount":5}' },
	],
	[
		'rampTransfer: updateAmount',
		{ parameters: { rampTransferId: 7, amount: '10.10' } },
		{ method: 'PATCH', path: '/virtual-wallets/ramps/transfer/7', body: '{"amount":10.10}' },
	],
	[
		'card: get',
		{ parameters: { cardId: 'a?b#c' } },
		{ method: 'GET', path: '/cards/individual-cards/a%3Fb%23c' },
	],
	[
		'card: freeze',
		{ parameters: { cardId: 'c' } },
		{ method: 'PATCH', path: '/cards/individual-cards/c/frozen', body: '{"freeze":true}' },
	],
	[
		'card: unfreeze',
		{ parameters: { cardId: 'c' } },
		{ method: 'PATCH', path: '/cards/individual-cards/c/frozen', body: '{"freeze":false}' },
	],
	[
		'card: configure3ds',
		{ parameters: { cardId: 'c', type: 'sms' } },
		{ method: 'POST', path: '/cards/virtual-cards/c/3ds-configuration', body: '{"type":"sms"}' },
	],
	[
		'card: unblock',
		{ parameters: { cardId: 'c' } },
		{ method: 'PATCH', path: '/api/cards/c/unblock' },
	],
	[
		'cardTransaction: search',
		{
			parameters: {
				cardId: 'c',
				operations: ['PURCHASE', 'WALLET_DEPOSIT'],
				options: {
					queryParameters: {
						parameter: [
							{ name: 'page', value: 2 },
							{ name: '', value: 'x' },
							{ value: 'y' },
							{ name: 'empty' },
							{ name: 'page', value: '3' },
						],
					},
				},
			},
		},
		{
			method: 'GET',
			path: '/cards/transactions/c/search',
			headers: { 'X-API-Version': '2' },
			query: [
				['operations', 'PURCHASE,WALLET_DEPOSIT'],
				['page', '2'],
				['empty', ''],
				['page', '3'],
			],
		},
	],
	[
		'cardTransaction: search',
		{ parameters: { cardId: 'c'.repeat(500) } },
		{
			method: 'GET',
			path: `/cards/transactions/${'c'.repeat(500)}/search`,
			headers: { 'X-API-Version': '2' },
		},
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
		{
			method: 'GET',
			path: '/cards/c/tx/t%2F1',
			headers: { 'X-API-Version': '2' },
			query: [['a', 'b']],
		},
	],
	[
		'cardTransaction: get',
		{ parameters: { cardId: '', transactionId: 't', path: '/tx/{transactionId}' } },
		{ method: 'GET', path: '/tx/t', headers: { 'X-API-Version': '2' } },
	],
	[
		'cardTransaction: downloadStatement',
		{ parameters: { cardId: 'c', fromDate: '', toDate: '' } },
		{
			method: 'GET',
			path: '/cards/transactions/c/pdf',
		},
	],
	...Object.entries({ fromDate: 'from_date', toDate: 'to_date' }).map(
		([name, sent]): [string, Item, object] => [
			'cardTransaction: downloadStatement',
			{ parameters: { cardId: 'c', [name]: '2026-01-31' } },
			{
				method: 'GET',
				path: '/cards/transactions/c/pdf',
				query: [[sent, '2026-01-31']],
			},
		],
	),
	[
		'cardTransaction: downloadStatement',
		{ parameters: { cardId: 'c', fromDate: '2026-01-31', toDate: '2026-01-31' } },
		{
			method: 'GET',
			path: '/cards/transactions/c/pdf',
			query: [
				['from_date', '2026-01-31'],
				['to_date', '2026-01-31'],
			],
		},
	],
	[
		'cardTransaction: downloadStatement',
		// New York is behind UTC, so the same moment is still the day before there.
		{
			parameters: {
				cardId: 'c',
				fromDate: '2026-01-01',
				toDate: '2026-02-01T02:00:00Z',
				binaryPropertyName: 'data',
			},
		},
		{
			method: 'GET',
			path: '/cards/transactions/c/pdf',
			query: [
				['from_date', '2026-01-01'],
				['to_date', '2026-01-31'],
			],
		},
	],
	[
		'productRequest: getAll',
		{ parameters: { clientId: 'c', limit: 5 } },
		{ method: 'GET', path: '/management/clients/individuals/c/products' },
	],
	[
		'productRequest: getMissingRequirements',
		{ parameters: { clientId: 'c', itemPer: 'client' } },
		{ method: 'GET', path: '/management/clients/individuals/c/products' },
	],
	[
		'productRequest: submitDocument',
		{
			parameters: {
				...DOCUMENT,
				backImageField: 'back',
				metadata: { mappingMode: 'defineBelow', value: { number: 7, empty: '', none: null } },
			},
			files: { front: PNG, back: JPEG },
		},
		{
			method: 'POST',
			path: '/management/clients/individuals/c/products/p/documentation',
			body: JSON.stringify({
				document: {
					document_type: 'national_id',
					image_front: `data:image/png;base64,${PNG.toString('base64')}`,
					image_back: `data:image/jpeg;base64,${JPEG.toString('base64')}`,
					metadata: { number: '7' },
				},
			}),
		},
	],
	[
		'productRequest: submitDocument',
		{
			parameters: { ...DOCUMENT, options: { replace: true } },
			files: { front: PNG },
		},
		{
			method: 'POST',
			path: '/management/clients/individuals/c/products/p/documentation',
			body: JSON.stringify({
				document: {
					document_type: 'national_id',
					image_front: `data:image/png;base64,${PNG.toString('base64')}`,
					replace: true,
				},
			}),
		},
	],
	[
		'endpoint: request',
		{ parameters: { method: 'GET', path: '/x', jsonBody: '{"left": "over"}' } },
		{ method: 'GET', path: '/x' },
	],
	[
		'endpoint: request',
		{ parameters: { method: 'PUT', path: '/x', jsonBody: { a: [1] } } },
		{ method: 'PUT', path: '/x', body: '{"a":[1]}' },
	],
	[
		'endpoint: request',
		{
			parameters: {
				method: 'POST',
				path: '/x/y',
				queryParameters: { parameter: [{ name: 'a', value: 'b' }] },
				jsonBody: '{"amount": 1.10}',
			},
		},
		{ method: 'POST', path: '/x/y', query: [['a', 'b']], body: '{"amount": 1.10}' },
	],
];
