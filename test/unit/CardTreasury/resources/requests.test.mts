import fc from 'fast-check';

import { FieldRefusal } from '../../../../nodes/CardTreasury/parameters/reader.ts';
import { RESOURCES } from '../../../../nodes/CardTreasury/resources/index.ts';
import { requestOf, type Item } from './reading.mts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n rest', 'latin1');
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);
const TRANSFER = { accountId: 'acc/1', walletId: ' wal 2 ', to: '0xAb', amount: '0.000001' };
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
			body: '{"to":"0xAb","amount":0.000001}',
		},
	],
	[
		'wallet: transfer',
		{ parameters: { ...TRANSFER, amount: 999999999.999999, tokenAddress: '0x"1' } },
		{
			method: 'POST',
			path: '/mpc/accounts/acc%2F1/wallets/wal%202/transfer',
			body: '{"to":"0xAb","token_address":"0x\\"1","amount":999999999.999999}',
		},
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
				path: ' /cards/{cardId}/tx/{transactionId}/{other} ',
			},
		},
		{ method: 'GET', path: '/cards/c/tx/t%2F1/{other}', headers: { 'X-API-Version': '2' } },
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
			headers: { accept: 'application/pdf, application/json' },
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
		{ parameters: { clientId: 'c' } },
		{ method: 'GET', path: '/management/clients/individuals/c/products' },
	],
	[
		'productRequest: submitDocument',
		{
			parameters: {
				...DOCUMENT,
				backImageField: 'back',
				metadata: { mappingMode: 'defineBelow', value: { number: 'X1', empty: '', none: null } },
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
					metadata: { number: 'X1' },
				},
			}),
		},
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
			.filter(({ kind }) => kind === 'service')
			.map((operation) => `${value}: ${operation.value}`),
	);
	expect([...new Set(REQUESTS.map(([name]) => name))].sort()).toEqual(all.sort());
});

describe('bad input is refused with the field and a fix', () => {
	it.each<[string, string, Item]>([
		['card: get', 'Card ID is empty', { parameters: { cardId: '' } }],
		['card: get', 'Card ID is not an identifier', { parameters: { cardId: '..' } }],
		['card: get', 'Card ID is not an identifier', { parameters: { cardId: 'a\u0000b' } }],
		['card: get', 'Card ID is not an identifier', { parameters: { cardId: 'a\ud800' } }],
		['card: get', 'Card ID is not a text', { parameters: { cardId: { id: 'c' } } }],
		['card: get', 'Card ID is not a text', { parameters: { cardId: 1.5 } }],
		['card: configure3ds', 'Type is "email"', { parameters: { cardId: 'c', type: 'email' } }],
		['wallet: transfer', 'To is empty', { parameters: { ...TRANSFER, to: '' } }],
		['wallet: transfer', 'To contains a blank', { parameters: { ...TRANSFER, to: '0xAb ' } }],
		['wallet: transfer', 'To contains a blank', { parameters: { ...TRANSFER, to: '0x\u200bAb' } }],
		[
			'wallet: transfer',
			'Token Address contains a blank',
			{ parameters: { ...TRANSFER, tokenAddress: '0x 1' } },
		],
		[
			'wallet: transfer',
			'Amount is 10, above the Maximum Amount of 9.999999',
			{ parameters: { ...TRANSFER, amount: '10', options: { maximumAmount: '9.999999' } } },
		],
		[
			'wallet: transfer',
			'Maximum Amount is empty',
			{ parameters: { ...TRANSFER, options: { maximumAmount: '' } } },
		],
		[
			'wallet: transfer',
			'Maximum Amount must be a plain decimal',
			{ parameters: { ...TRANSFER, options: { maximumAmount: '5 EUR' } } },
		],
		['wallet: transfer', 'Maximum Amount is not set', { parameters: TRANSFER, isTool: true }],
		[
			'wallet: transfer',
			'To is not among the Allowed Recipients',
			{ parameters: { ...TRANSFER, options: { allowedRecipients: '0xCd, 0xEf' } } },
		],
		[
			'wallet: transfer',
			'To is not among the Allowed Recipients',
			{ parameters: { ...TRANSFER, options: { allowedRecipients: '' } } },
		],
		// Letter case is a checksum in a hexadecimal address only.
		[
			'wallet: transfer',
			'To is not among the Allowed Recipients',
			{ parameters: { ...TRANSFER, options: { allowedRecipients: '0xAB' } } },
		],
		[
			'cardTransaction: search',
			'Operations holds "REFUND"',
			{ parameters: { cardId: 'c', operations: ['REFUND'] } },
		],
		[
			'cardTransaction: get',
			'Path is empty',
			{ parameters: { cardId: 'c', transactionId: 't', path: '' } },
		],
		[
			'cardTransaction: get',
			'Path has no {transactionId}',
			{ parameters: { cardId: 'c', transactionId: 't', path: '/cards/{cardId}' } },
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
			'Limit is not a whole number',
			{ parameters: { clientId: 'c', limit: 0 } },
		],
		[
			'productRequest: submitDocument',
			'Front Image Field is empty',
			{ parameters: { ...DOCUMENT, frontImageField: '' } },
		],
		[
			'productRequest: submitDocument',
			'Front Image Field names "front", but',
			{ parameters: DOCUMENT },
		],
		[
			'productRequest: submitDocument',
			'Front Image Field holds an empty file',
			{ parameters: DOCUMENT, files: { front: Buffer.alloc(0) } },
		],
		[
			'productRequest: submitDocument',
			'Front Image Field holds a file that is not an image',
			{ parameters: DOCUMENT, files: { front: Buffer.from('<html>') } },
		],
		[
			'productRequest: submitDocument',
			'Metadata is not a set of fields',
			{ parameters: { ...DOCUMENT, metadata: { value: 'x' } }, files: { front: PNG } },
		],
		['endpoint: request', 'Method is "TRACE"', { parameters: { method: 'TRACE', path: '/x' } }],
		[
			'endpoint: request',
			'JSON Body is not JSON',
			{ parameters: { method: 'POST', path: '/x', jsonBody: '{' } },
		],
		...[
			'x',
			'//evil.example',
			'/\\evil.example',
			'https://evil.example/',
			'/a/../b',
			'/a/%2E%2e/b',
			'/./a',
			'/a?b=c',
			'/a#b',
			'/a b',
			'/a\n',
		].map((path): [string, string, Item] => [
			'endpoint: request',
			path.endsWith('\n') ? '' : 'Path ',
			{ parameters: { method: 'GET', path } },
		]),
	])('%s: %s', async (name, message, item) => {
		const refusal = await requestOf(name, item).then(
			({ path }) => path,
			(error: unknown) => error,
		);
		// A line break at the end is what copying brings along; it is cut off.
		if (message === '') return expect(refusal).toBe('/a');
		expect(refusal).toBeInstanceOf(FieldRefusal);
		const { message: said, fix } = refusal as FieldRefusal;
		expect(said).toContain(message);
		expect(fix).toMatch(/^[A-Z].*[.:]/);
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
					if (result instanceof FieldRefusal) return;
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
