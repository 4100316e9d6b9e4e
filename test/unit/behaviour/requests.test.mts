import fc from 'fast-check';
import { DateTime } from 'luxon';

import { RESOURCES } from '../../../nodes/CardTreasury/operations/index.ts';
import { InvalidFieldError } from '../../../nodes/shared/fields/invalidField.ts';
import { anyCharacter } from '../../harness/anyCharacter.mts';
import { TOKEN } from '../CardTreasury/operations/guarded.mts';
import { requestOf, workOf, type Item } from '../CardTreasury/operations/reading.mts';
import { DOCUMENT, PNG, REQUESTS, TRANSFER } from '../CardTreasury/operations/requests.mts';

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

type Row = [name: string, parameters: object, message: string, more?: Partial<Item>];
const row =
	(name: string, valid: object) =>
	(given: object, message: string, more?: Partial<Item>): Row => [
		name,
		{ ...valid, ...given },
		message,
		more,
	];
const card = row('card: get', {});
const search = row('cardTransaction: search', { cardId: 'c' });
const query = (parameter: unknown) => ({ options: { queryParameters: { parameter } } });
const transaction = row('cardTransaction: get', { cardId: 'c', transactionId: 't' });
const statement = row('cardTransaction: downloadStatement', { cardId: 'c' });
const document = row('productRequest: submitDocument', DOCUMENT);
const any = row('endpoint: request', { method: 'POST', path: '/x' });

const BAD_INPUT: Row[] = [
	card({ cardId: '' }, 'Card ID is empty'),
	card({ cardId: 'a'.repeat(501) }, 'Card ID is not a valid ID'),
	card({ cardId: '..' }, 'Card ID holds "..", which means nothing'),
	card({ cardId: '.\n' }, 'Card ID holds ".", which means nothing'),
	card({ cardId: 'a\tb' }, 'Card ID holds an invisible character: U+0009 at position 2'),
	card({ cardId: 'a\u00a0b' }, 'Card ID holds an invisible character: U+00A0 at position 2'),
	card({ cardId: '\u00a0\u2003' }, 'Card ID holds only spaces'),
	card({ cardId: 'a\u0000b' }, 'Card ID holds an invisible character: U+0000 at position 2'),
	card({ cardId: 'a\ud800' }, 'Card ID holds an invisible character: U+D800 at position 2'),
	card({ cardId: { id: 'c' } }, 'Card ID is an object, where one value is expected'),
	card({ cardId: 1.5 }, 'Card ID is not a string'),
	card({}, 'Card ID has no value: {{ $json.card }} gave nothing', {
		raw: { cardId: '={{ $json.card }}' },
	}),
	...['no', 'true', '', 0].map((simplify) =>
		card({ cardId: 'c', simplify }, 'Simplify is neither true nor false'),
	),
	card({ cardId: 'c', options: 'x' }, 'Options is not an object'),
	['card: configure3ds', { cardId: 'c', type: 'email' }, 'Deliver Codes By cannot be "email"'],
	['card: configure3ds', { cardId: 'c' }, 'Deliver Codes By is not set'],
	...[TOKEN.slice(0, -1), `0x${TOKEN}`, '0Xabc', 'USDC'].map(
		(tokenAddress): Row => [
			'wallet: transfer',
			{ ...TRANSFER, tokenAddress },
			`Token "${tokenAddress}" is not a contract address`,
		],
	),
	[
		'wallet: transfer',
		{ ...TRANSFER, tokenAddress: 'native coin' },
		'Token contains a space or a character outside ASCII',
	],
	[
		'wallet: transfer',
		{ ...TRANSFER, tokenAddress: { a: TOKEN } },
		'Token is an object, where one value is expected',
	],
	['rampTransfer: updateAmount', { rampTransferId: 'r' }, 'Amount is empty'],
	[
		'rampTransfer: updateAmount',
		{ rampTransferId: 'r', amount: '1,000.50' },
		'Amount "1,000.50" is not valid',
	],
	search({ operations: ['PURCHASE', 'REFUND'] }, 'Transaction Types holds "REFUND"'),
	search({ operations: [1] }, 'Transaction Types contains something that is not a string'),
	search({ operations: 1 }, 'Transaction Types contains something that is not a string'),
	search(
		{ operations: undefined },
		'Transaction Types has no value: {{ $json.types }} gave nothing',
		{
			raw: { operations: '={{ $json.types }}' },
		},
	),
	search(query('a=b'), 'Query Parameters is not a list'),
	transaction({ path: '' }, 'Endpoint Path is empty'),
	transaction(
		{ transactionId: '', path: '/{cardId}/{transactionId}' },
		'Transaction ID is empty, but the path has {transactionId}',
	),
	transaction({ cardId: '', path: '/{cardId}' }, 'Card ID is empty, but the path has {cardId}'),
	transaction(
		{ path: '/{card_id}/{transactionId}' },
		'Endpoint Path contains {card_id}, which is not a placeholder of this node',
	),
	statement(
		{ options: { fileName: ['x.pdf'] } },
		'File Name is a list, where one value is expected',
	),
	...['', undefined].map((fromDate) =>
		statement({ fromDate }, 'From Date has no value: {{ $json.from }} gave nothing', {
			raw: { fromDate: '={{ $json.from }}' },
		}),
	),
	statement({ fromDate: '2026-02-30' }, 'From Date is not a date'),
	// A DATE of a database in New York is midnight in UTC, which is the evening before there.
	...['2026-01-31T00:00:00.000Z', '2026-01-31T00:00:00+00:00', new Date('2026-01-31')].map(
		(fromDate) =>
			statement(
				{ fromDate },
				'From Date is midnight of 2026-01-31 in UTC, but 2026-01-30 in America/New_York',
			),
	),
	// The last moment of a day elsewhere, as reports give it, and midnight in another zone.
	statement(
		{ toDate: '2026-01-31T23:59:59.999Z' },
		'To Date is the end of 2026-01-31 in UTC, but 2026-02-01 in Europe/Berlin',
		{ timezone: 'Europe/Berlin' },
	),
	...['2026-01-31T00:00:00+01:00', DateTime.fromISO('2026-01-31', { zone: 'UTC+1' })].map(
		(fromDate) =>
			statement(
				{ fromDate },
				'From Date is midnight of 2026-01-31 in UTC+1, but 2026-01-30 in America/New_York',
			),
	),
	...['2026-01-31 00:00:00+00', '2026-01-31T00:00:00Z[UTC]'].map((fromDate) =>
		statement(
			{ fromDate },
			'From Date is midnight of 2026-01-31 in UTC, but 2026-01-30 in America/New_York',
		),
	),
	statement({ fromDate: '2026-02-03' }, 'From Date cannot be read: "CEST" is not a time zone', {
		timezone: 'CEST',
	}),
	statement({ fromDate: '2026-03-02', toDate: '2026-03-01' }, 'From Date is after To Date'),
	...['01/03/2026', '2026-W10-1', '20260302', '2026-03-02x', 20260302].map((toDate) =>
		statement({ toDate }, 'To Date is not a date'),
	),
	[
		'productRequest: getAll',
		{ clientId: 'c', limit: 0 },
		'Limit is not a whole number of 1 or more',
	],
	['productRequest: getAll', { clientId: 'c', filters: 'x' }, 'Filters is not an object'],
	document({ productRequestId: '' }, 'Product Request is empty'),
	document(
		{ documentType: undefined },
		'Document Type has no value: {{ $json.type }} gave nothing',
		{
			raw: { documentType: { __rl: true, mode: 'id', value: '={{ $json.type }}' } },
		},
	),
	document({ frontImageField: '' }, 'Front Image Field is empty'),
	document({ frontImageField: 5 }, 'Front Image Field is not a field name'),
	document({}, 'Front Image Field is "front", but the item has no file of that name'),
	document({}, 'Front Image Field holds an empty file', { files: { front: Buffer.alloc(0) } }),
	document(
		{ backImageField: 'back' },
		'Back Image Field holds a file that is not an image in a known format',
		{ files: { front: PNG, back: Buffer.from('<html>') } },
	),
	document({ metadata: { value: 'x' } }, 'Metadata is not a set of fields', {
		files: { front: PNG },
	}),
	any({ method: 'TRACE' }, 'Method cannot be "TRACE"'),
	any({ jsonBody: '{' }, 'JSON Body is not valid JSON'),
	any({ path: 5 }, 'Path is not a string'),
	...[
		['/clients/', '=/clients/{{ $json.id }}'],
		['/clients/\n', '=/clients/{{ $json.id }}\n'],
		['/clients//', '=/clients/{{ $json.client }}/{{ $json.id }}'],
		['/clients/', '={{ $json.collection }}{{ $json.id }}'],
	].map(([path, raw]) =>
		any({ path }, 'Path has a part without a value: {{ $json.id }} gave nothing', {
			raw: { path: raw },
			parts: { '{{ $json.id }}': undefined },
		}),
	),
	...[
		['must start with a single /', 'x', '//evil.example', 'https://evil.example/'],
		['contains \\ or //', '/\\evil.example', '/a//b'],
		[
			'contains . or .. as a segment',
			'/a/../b',
			'/a/%2E%2e/b',
			'/a/x%2f..%5Cb',
			'/./a',
			'/a/..;x/b',
			'/a/%2e.%3Bx',
		],
		['contains ? or #', '/a?b=c', '/a#b'],
		['contains whitespace', '/a b', '/a\tb'],
		['holds an invisible character: U+0001 at position 4', '/..\u0001'],
		['holds an invisible character: U+200B at position 3', '/a\u200bb'],
		['holds an invisible character: U+D800 at position 3', '/a\ud800'],
	].flatMap(([reason, ...paths]) => paths.map((path) => any({ path }, `Path ${reason}`))),
];

const ITEMS = BAD_INPUT.map(([name, parameters, message, more]): [string, Item, string] => [
	name,
	{ parameters: { ...parameters }, ...more },
	message,
]);

it.each(ITEMS)('%s refuses %j: %s', async (name, item, message) => {
	const error: unknown = await workOf(name, item).catch((thrown: unknown) => thrown);
	expect(error).toBeInstanceOf(InvalidFieldError);
	expect(error).toHaveProperty('message', message);
});

it.each(['/a/', '={{ $json.path }}', '=/{{ $json.collection }}/'])(
	'a path that ends in / is sent if it was given so: %s',
	async (raw) => {
		const parameters = { method: 'GET', path: '/a/' };
		const { path } = await requestOf('endpoint: request', {
			parameters,
			raw: { ...parameters, path: raw },
		});
		expect(path).toBe('/a/');
	},
);

it('whitespace around a path, which copying adds, is not sent', async () => {
	const parameters = { method: 'GET', path: ' /a\n' };
	expect((await requestOf('endpoint: request', { parameters })).path).toBe('/a');
});

it('an ID of any text is refused, or stays one segment below the base URL', async () => {
	const text = fc.oneof(
		fc.string({ unit: anyCharacter }),
		fc.constantFrom('..', '%2e%2e', '/', '//x', '?a', '#'),
	);
	await fc.assert(
		fc.asyncProperty(text, async (cardId) => {
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
		}),
		{ numRuns: 200 },
	);
});
