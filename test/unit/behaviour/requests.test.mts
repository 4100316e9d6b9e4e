import fc from 'fast-check';
import { DateTime } from 'luxon';

import { RESOURCES } from '../../../nodes/CardTreasury/operations/index.ts';
import { InvalidFieldError } from '../../../nodes/shared/fields/invalidField.ts';
import { anyCharacter } from '../../harness/anyCharacter.mts';
import { requestOf, workOf, type Item } from '../CardTreasury/operations/reading.mts';
import { DOCUMENT, PNG, REQUESTS, TOKEN, TRANSFER } from '../CardTreasury/operations/requests.mts';

it.each(REQUESTS)('%s sends the documented request', async (name, item, request) => {
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

/** Rows: operation, message, item. */
const BAD_INPUT: Array<[name: string, message: string, item: Item]> = [
	['card: get', 'Card ID is empty', { parameters: { cardId: '' } }],
	['card: get', 'Card ID is not a valid ID', { parameters: { cardId: '..' } }],
	['card: get', 'Card ID is not a valid ID', { parameters: { cardId: ' .. ' } }],
	['card: get', 'Card ID is not a valid ID', { parameters: { cardId: '.\n' } }],
	['card: get', 'Card ID is not a valid ID', { parameters: { cardId: '\u00a0\u2003' } }],
	['card: get', 'Card ID is not a valid ID', { parameters: { cardId: 'a\u0000b' } }],
	['card: get', 'Card ID is not a valid ID', { parameters: { cardId: 'a\ud800' } }],
	['card: get', 'Card ID is not a valid ID', { parameters: { cardId: 'a'.repeat(501) } }],
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
		'Deliver Codes By cannot be "email"',
		{ parameters: { cardId: 'c', type: 'email' } },
	],
	['card: configure3ds', 'Deliver Codes By is not set', { parameters: { cardId: 'c' } }],
	...Object.entries({
		[TOKEN.slice(0, -1)]: `"${TOKEN.slice(0, -1)}" is not a contract address`,
		[`0x${TOKEN}`]: `"0x${TOKEN}" is not a contract address`,
		'0Xabc': '"0Xabc" is not a contract address',
		USDC: '"USDC" is not a contract address',
		'native coin': 'contains a space or a character outside ASCII',
	}).map(([tokenAddress, reason]): [string, string, Item] => [
		'wallet: transfer',
		`Token ${reason}`,
		{ parameters: { ...TRANSFER, tokenAddress } },
	]),
	[
		'wallet: transfer',
		'Token is not a string',
		{ parameters: { ...TRANSFER, tokenAddress: { address: TOKEN } } },
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
		'Transaction Types contains something that is not a string',
		{ parameters: { cardId: 'c', operations: 1 } },
	],
	[
		'cardTransaction: downloadStatement',
		'File Name is not a string',
		{ parameters: { cardId: 'c', options: { fileName: ['x.pdf'] } } },
	],
	[
		'cardTransaction: search',
		'Query Parameters is not a list',
		{ parameters: { cardId: 'c', options: { queryParameters: { parameter: 'a=b' } } } },
	],
	[
		'cardTransaction: search',
		'Query Parameters has a row whose name or value is not a string',
		{
			parameters: {
				cardId: 'c',
				options: { queryParameters: { parameter: [{ name: 'a', value: { b: 1 } }] } },
			},
		},
	],
	[
		'cardTransaction: search',
		'Query Parameters has a row whose name or value is not a string',
		{
			parameters: {
				cardId: 'c',
				options: { queryParameters: { parameter: [{ name: 1, value: 'b' }] } },
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
		'Endpoint Path contains {card_id}, which is not a placeholder of this node',
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
	...['2026-W10-1', '20260302', 'on 2026-03-02', '2026-03-02x', 20260302, { day: 2 }].map(
		(toDate): [string, string, Item] => [
			'cardTransaction: downloadStatement',
			'To Date is not a date',
			{ parameters: { cardId: 'c', fromDate: '2026-03-02', toDate } },
		],
	),
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
		'Front Image Field is "front", but the item has no such binary field',
		{ parameters: DOCUMENT },
	],
	[
		'productRequest: submitDocument',
		'Front Image Field is not a field name',
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
	[
		'endpoint: request',
		'Method cannot be "TRACE"',
		{ parameters: { method: 'TRACE', path: '/x' } },
	],
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

describe('bad input', () => {
	it.each(BAD_INPUT)('of %s is refused with field and fix: %s', async (name, message, item) => {
		const error: unknown = await workOf(name, item).catch((thrown: unknown) => thrown);
		expect(error).toBeInstanceOf(InvalidFieldError);
		const { message: said, fix } = error as InvalidFieldError;
		expect(said).toBe(message);
		expect(fix).toMatch(/^[A-Z].*[.]$/);
	});

	it('excludes whitespace around a path, which copying adds', async () => {
		const { path } = await requestOf('endpoint: request', {
			parameters: { method: 'GET', path: ' /a\n' },
		});
		expect(path).toBe('/a');
	});

	it('excludes an ID of any text, which stays one segment below the base URL', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.oneof(
					fc.string({ unit: anyCharacter }),
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
			{ numRuns: 200 },
		);
	});
});

it.each([
	['2026-01-31', 'America/New_York', '2026-01-31'],
	['2026-01-31T23:30:00', 'America/New_York', '2026-01-31'],
	['2026-01-31 23:30', 'Asia/Tokyo', '2026-01-31'],
	['2026-01-31T23:30:00Z', 'Asia/Tokyo', '2026-02-01'],
	['2026-01-31T02:30:00+00:00', 'America/Santo_Domingo', '2026-01-30'],
	[' 2026-01-31 ', 'Asia/Tokyo', '2026-01-31'],
	[new Date('2026-03-08T04:59:59Z'), 'America/New_York', '2026-03-07'],
	[DateTime.fromISO('2026-03-08T04:59:59Z', { zone: 'utc' }), 'America/New_York', '2026-03-07'],
])('the day of %s in %s is %s', async (toDate, timezone, day) => {
	const { query } = await requestOf('cardTransaction: downloadStatement', {
		parameters: { cardId: 'c', fromDate: '2026-01-01', toDate },
		timezone,
	});
	expect(query).toContainEqual(['to_date', day]);
});
