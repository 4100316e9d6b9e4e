import fc from 'fast-check';

import { InvalidFieldError } from '../../../../nodes/CardTreasury/errors.ts';
import { RESOURCES } from '../../../../nodes/CardTreasury/resources/index.ts';
import { requestOf, workOf, type Item } from './reading.mts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n rest', 'latin1');
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);
const RECIPIENT = '0x52908400098527886E0F7030069857D2E4169EE7';
const TOKEN = '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174';
const TRANSFER = {
	accountId: 'acc/1',
	walletId: ' wal 2 ',
	to: RECIPIENT,
	tokenAddress: 'native',
	amountMode: 'fixed',
	amount: '0.000001',
};
const SWEEP = {
	...TRANSFER,
	amount: '',
	amountMode: 'aboveFloor',
	balance: '750.1234567',
	floor: 500,
};
const DOCUMENT = {
	clientId: 'c',
	productRequestId: 'p',
	documentType: 'national_id',
	frontImageField: 'front',
};

/** Each row: the operation, an item, and the whole request that it makes. */
const REQUESTS: Array<[name: string, item: Item, request: object]> = [
	[
		'token: getAll',
		{ parameters: { returnAll: true } },
		{ method: 'GET', path: '/mpc/tokens/list' },
	],
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
		{ parameters: { ...TRANSFER, to: 'T"x', amount: 999999999.999999, tokenAddress: TOKEN } },
		{
			method: 'POST',
			path: '/mpc/accounts/acc%2F1/wallets/wal%202/transfer',
			body: `{"to":"T\\"x","token_address":"${TOKEN}","amount":999999999.999999}`,
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
						parameter: [{ name: 'page', value: 2 }, { name: '', value: 'x' }, { name: 'empty' }],
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
			],
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
	[
		'cardTransaction: downloadStatement',
		// New York is behind UTC: the same moment is still the day before there.
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

it.each(REQUESTS)('%s', async (name, item, request) => {
	expect(await requestOf(name, item)).toEqual({ ...request });
});

it('every operation of the service has a row above', () => {
	const all = RESOURCES.flatMap(({ value, operations }) =>
		operations
			.filter(([, { kind }]) => kind === 'service')
			.map(([operation]) => `${value}: ${operation}`),
	);
	expect([...new Set(REQUESTS.map(([name]) => name))].sort()).toEqual(all.sort());
});

/** Each row: the operation, what the message says, and an item. */
const BAD_INPUT: Array<[name: string, message: string, item: Item]> = [
	['card: get', 'Card ID is empty', { parameters: { cardId: '' } }],
	['card: get', 'Card ID is not an identifier', { parameters: { cardId: '..' } }],
	['card: get', 'Card ID is not an identifier', { parameters: { cardId: 'a\u0000b' } }],
	['card: get', 'Card ID is not an identifier', { parameters: { cardId: 'a\ud800' } }],
	['card: get', 'Card ID is not an identifier', { parameters: { cardId: 'a'.repeat(501) } }],
	['card: get', 'Card ID is not a string', { parameters: { cardId: { id: 'c' } } }],
	['card: get', 'Card ID is not a string', { parameters: { cardId: 1.5 } }],
	[
		'card: get',
		'Card ID has no value: its expression gave nothing',
		{ parameters: {}, raw: { cardId: '={{ $json.card }}' } },
	],
	[
		'card: get',
		'Simplify is neither true nor false',
		{ parameters: { cardId: 'c', simplify: 'no' } },
	],
	['card: get', 'Options is not an object', { parameters: { cardId: 'c', options: 'x' } }],
	[
		'card: configure3ds',
		'Deliver Codes By is "email"',
		{ parameters: { cardId: 'c', type: 'email' } },
	],
	['rampTransfer: updateAmount', 'Amount is empty', { parameters: { rampTransferId: 'r' } }],
	[
		'rampTransfer: updateAmount',
		'Amount "1,000.50" is not valid',
		{ parameters: { rampTransferId: 'r', amount: '1,000.50' } },
	],
	[
		'cardTransaction: search',
		'Transaction Types contains "REFUND", which version 2 does not have',
		{ parameters: { cardId: 'c', operations: ['PURCHASE', 'REFUND'] } },
	],
	[
		'cardTransaction: search',
		'Transaction Types contains something that is not a string',
		{ parameters: { cardId: 'c', operations: [1] } },
	],
	[
		'cardTransaction: search',
		'Query Parameters is not a list',
		{ parameters: { cardId: 'c', options: { queryParameters: { parameter: 'a=b' } } } },
	],
	[
		'cardTransaction: search',
		'Query Parameters contains a row whose name or value is not a string',
		{
			parameters: {
				cardId: 'c',
				options: { queryParameters: { parameter: [{ name: 'a', value: { b: 1 } }] } },
			},
		},
	],
	[
		'cardTransaction: get',
		'Endpoint Path is empty',
		{ parameters: { cardId: 'c', transactionId: 't', path: '' } },
	],
	[
		'cardTransaction: get',
		'Transaction ID is empty, but the path has {transactionId}',
		{ parameters: { cardId: 'c', transactionId: '', path: '/{cardId}/{transactionId}' } },
	],
	[
		'cardTransaction: get',
		'Card ID is empty, but the path has {cardId}',
		{ parameters: { transactionId: 't', path: '/{cardId}/{transactionId}' } },
	],
	[
		'cardTransaction: get',
		'Endpoint Path contains {card_id}, which nothing fills in',
		{ parameters: { cardId: 'c', transactionId: 't', path: '/{card_id}/{transactionId}' } },
	],
	[
		'cardTransaction: downloadStatement',
		'From Date is not a date',
		{ parameters: { cardId: 'c', fromDate: '2026-02-30', toDate: '2026-03-01' } },
	],
	[
		'cardTransaction: downloadStatement',
		'From Date is after To Date',
		{ parameters: { cardId: 'c', fromDate: '2026-03-02', toDate: '2026-03-01' } },
	],
	[
		'cardTransaction: downloadStatement',
		'To Date is not a date',
		{ parameters: { cardId: 'c', fromDate: '2026-03-02', toDate: '01/03/2026' } },
	],
	[
		'productRequest: getAll',
		'Limit is not a whole number of 1 or more',
		{ parameters: { clientId: 'c', limit: 0 } },
	],
	[
		'productRequest: getAll',
		'Filters is not an object',
		{ parameters: { clientId: 'c', filters: 'ramps_pix' } },
	],
	[
		'productRequest: submitDocument',
		'Product Request is empty',
		{ parameters: { ...DOCUMENT, productRequestId: '' } },
	],
	[
		'productRequest: submitDocument',
		'Document Type has no value: its expression gave nothing',
		{
			parameters: { ...DOCUMENT, documentType: undefined },
			raw: { documentType: { __rl: true, mode: 'id', value: '={{ $json.type }}' } },
		},
	],
	[
		'productRequest: submitDocument',
		'Front Image Field is empty',
		{ parameters: { ...DOCUMENT, frontImageField: '' } },
	],
	[
		'productRequest: submitDocument',
		'Front Image Field names "front", but the item has no file in that field',
		{ parameters: DOCUMENT },
	],
	[
		'productRequest: submitDocument',
		'Front Image Field is not the name of a field',
		{ parameters: { ...DOCUMENT, frontImageField: 5 } },
	],
	[
		'productRequest: submitDocument',
		'Front Image Field holds an empty file',
		{ parameters: DOCUMENT, files: { front: Buffer.alloc(0) } },
	],
	[
		'productRequest: submitDocument',
		'Back Image Field holds a file that is not an image in a known format',
		{
			parameters: { ...DOCUMENT, backImageField: 'back' },
			files: { front: PNG, back: Buffer.from('<html>') },
		},
	],
	[
		'productRequest: submitDocument',
		'Metadata is not a set of fields',
		{ parameters: { ...DOCUMENT, metadata: { value: 'x' } }, files: { front: PNG } },
	],
	['endpoint: request', 'Method is "TRACE"', { parameters: { method: 'TRACE', path: '/x' } }],
	[
		'endpoint: request',
		'JSON Body is not valid JSON',
		{ parameters: { method: 'POST', path: '/x', jsonBody: '{' } },
	],
	...Object.entries({
		x: 'must start with a single /',
		'//evil.example': 'must start with a single /',
		'https://evil.example/': 'must start with a single /',
		'/\\evil.example': 'contains \\ or //',
		'/a//b': 'contains \\ or //',
		'/a/../b': 'contains . or .. as a segment',
		'/a/%2E%2e/b': 'contains . or .. as a segment',
		'/a/x%2f..%5Cb': 'contains . or .. as a segment',
		'/./a': 'contains . or .. as a segment',
		'/a?b=c': 'contains ? or #',
		'/a#b': 'contains ? or #',
		'/a b': 'contains whitespace',
		'/a\tb': 'contains whitespace',
		'/..\u0001': 'contains an invisible character',
		'/a\u200bb': 'contains an invisible character',
		'/a\ud800': 'contains an invisible character',
	}).map(([path, reason]): [string, string, Item] => [
		'endpoint: request',
		`Path ${reason}`,
		{ parameters: { method: 'GET', path } },
	]),
	['endpoint: request', 'Path is not a string', { parameters: { method: 'GET', path: 5 } }],
];

describe('bad input is refused with the field and a fix', () => {
	it.each(BAD_INPUT)('%s: %s', async (name, message, item) => {
		const error: unknown = await workOf(name, item).catch((thrown: unknown) => thrown);
		expect(error).toBeInstanceOf(InvalidFieldError);
		const { message: said, fix } = error as InvalidFieldError;
		expect(said).toBe(message);
		expect(fix).toMatch(/^[A-Z].*[.]$/);
	});

	it('but whitespace around a path, which copying brings along, is cut off', async () => {
		const { path } = await requestOf('endpoint: request', {
			parameters: { method: 'GET', path: ' /a\n' },
		});
		expect(path).toBe('/a');
	});

	it('and an ID of any text stays one segment below the base URL', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.oneof(
					fc.string({ unit: 'binary' }),
					fc.constantFrom('..', '%2e%2e', '/', '//x', '?a', '#'),
				),
				async (cardId) => {
					const result = await requestOf('card: get', { parameters: { cardId } }).catch(
						(error: unknown) => error,
					);
					if (result instanceof InvalidFieldError) return;
					const { path } = result as { path: string };
					const { pathname, search, hash, host } = new URL(`https://service.example${path}`);
					expect([host, search, hash]).toEqual(['service.example', '', '']);
					const segments = pathname.split('/');
					expect(segments.slice(0, -1)).toEqual(['', 'cards', 'individual-cards']);
					expect(decodeURIComponent(segments.at(-1)!)).toBe(cardId.trim());
				},
			),
			{ numRuns: 500 },
		);
	});
});

it.each([
	['2026-01-31', 'America/New_York', '2026-01-31'],
	['2026-01-31T23:30:00', 'America/New_York', '2026-01-31'],
	['2026-01-31 23:30', 'Asia/Tokyo', '2026-01-31'],
	['2026-01-31T23:30:00Z', 'Asia/Tokyo', '2026-02-01'],
	['2026-01-31T02:30:00+00:00', 'America/Santo_Domingo', '2026-01-30'],
	[new Date('2026-03-08T04:59:59Z'), 'America/New_York', '2026-03-07'],
])('the day of %s in %s is %s', async (toDate, timezone, day) => {
	const { query } = await requestOf('cardTransaction: downloadStatement', {
		parameters: { cardId: 'c', fromDate: '2026-01-01', toDate },
		timezone,
	});
	expect(query).toContainEqual(['to_date', day]);
});
