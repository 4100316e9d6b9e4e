import { methodName } from '../../nodes/CardTreasury/n8n/panel.ts';
import { IDS } from '../simulator/index.mts';
import { simulator, useSimulator } from '../simulator/useSimulator.mts';
import { loadInCore } from './core.mts';

useSimulator({ requestsPerSecond: 0 });

const TOKENS = methodName('wallet', 'transfer', 'tokenAddress');
const PRODUCT_REQUESTS = methodName('productRequest', 'submitDocument', 'productRequestId');
const DOCUMENT_TYPES = methodName('productRequest', 'submitDocument', 'documentType');
const METADATA = methodName('productRequest', 'submitDocument', 'metadata');

type Options = Parameters<typeof loadInCore>[1];
type Method = Parameters<typeof loadInCore>[0];
const load = async (
	method: Method,
	parameters: Options['parameters'],
	more: Partial<Options> = {},
) => await loadInCore(method, { baseUrl: simulator.url, parameters, ...more });
const names = async (...args: Parameters<typeof load>) =>
	(await load(...args)).results.map(({ name }) => name);

const locator = (value: unknown) => ({ __rl: true, mode: 'list', value }) as never;
const client = { resource: 'productRequest', operation: 'submitDocument', clientId: IDS.client };
const chosen = { ...client, productRequestId: locator(IDS.pendingProductRequest) };

describe('token list', () => {
	it("has the native coin, then the service's order, with symbol, chain, name and price, and the address as value", async () => {
		const { results } = await load(TOKENS, {});
		const { tokens } = simulator.state.records;
		expect(results.map(({ value }) => value)).toEqual([
			'native',
			...tokens.map(({ address }) => address),
		]);
		expect(results[0]!.name).toBe('Native coin of the wallet');
		expect(results[1]!.name).toMatch(
			new RegExp(`^${tokens[0]!.symbol} on \\w+ · ${tokens[0]!.name} · \\$[\\d.]+$`),
		);
	});

	it.each(['usdc polygon', 'POLYGON USDC', ' usdc  polygon '])('finds %j', async (filter) => {
		const found = await names(TOKENS, {}, { filter });
		expect(found.length).toBeGreaterThan(0);
		expect(found.every((name) => /usdc/i.test(name) && /polygon/i.test(name))).toBe(true);
	});

	it('finds an address', async () => {
		const { address } = simulator.state.records.tokens[1]!;
		expect(
			(await load(TOKENS, {}, { filter: address.toUpperCase() })).results.map(({ value }) => value),
		).toEqual([address]);
	});

	it('includes tokens without a price or of a new chain', async () => {
		Object.assign(simulator.state.records.tokens[0]!, {
			usd_price: undefined,
			blockchain: 'SOLANA',
		});
		expect((await names(TOKENS, {}))[1]).toMatch(/ on SOLANA · [^$]+$/);
	});
});

it('product requests that accept documents come first, then the others, newest first', async () => {
	expect(await names(PRODUCT_REQUESTS, client)).toEqual([
		'Cards for Individuals · Pending Documentation · 2026-11-18',
		'Ramps: Pix · Enabled · 2026-11-02',
		'Cards for Individuals · Rejected · 2026-10-12',
	]);
	simulator.state.records.productRequests.find(
		({ id }) => id === IDS.rejectedProductRequest,
	)!.status = 'pending_documentation';
	expect((await names(PRODUCT_REQUESTS, client)).map((name) => name.slice(-10))).toEqual([
		'2026-11-18',
		'2026-10-12',
		'2026-11-02',
	]);
});

it('document types are listed with the images they need', async () => {
	expect(await names(DOCUMENT_TYPES, chosen)).toEqual([
		'Passport · front image · Proof of identity',
		'National identity card · front and back image · Proof of identity',
		'Utility bill · front image · Proof of address',
		'Payslip · front image · Proof of income (optional)',
	]);
});

it("fields of the document type are mapped with the requirement's names and marks, unknown types as text", async () => {
	const { fields } = await load(METADATA, {
		...chosen,
		documentType: locator('passport'),
	});
	expect(
		fields.map(({ id, displayName, required, type }) => [id, displayName, required, type]),
	).toEqual([
		['number', 'Passport number', true, 'string'],
		['issuing_country', 'Issuing country', false, 'string'],
		['expiration_date', 'Expiration date (date, as text)', false, 'string'],
	]);
	const bill = await load(METADATA, {
		...chosen,
		documentType: locator('utility_bill'),
	});
	expect(bill.fields.map(({ displayName }) => displayName)).toEqual([
		'Contact phone (phone number)',
	]);
});

it.each<[string, unknown, RegExp]>([
	['no type is chosen', '', /depends on the Document Type/],
	['the type is an expression without a value', null, /depends on the Document Type/],
	['the type needs none', 'payslip', /^Payslip needs no further fields/],
	['the type is not asked for', 'visa', /does not ask for this document type/],
])('a message explains missing fields when %s', async (_, type, notice) => {
	const { fields, emptyFieldsNotice } = await load(METADATA, {
		...chosen,
		documentType: locator(type),
	});
	expect(fields).toEqual([]);
	expect(emptyFieldsNotice).toMatch(notice);
});

it('a message says that the fields depend on client and product request', async () => {
	const notice = async (parameters: Options['parameters']) =>
		(await load(METADATA, parameters)).emptyFieldsNotice;
	expect(await notice({ ...client, clientId: '' })).toMatch(/depends on the Client ID/);
	expect(await notice({ ...chosen, clientId: '={{ $json.id }}' })).toMatch(
		/depends on the Client ID/,
	);
	expect(await notice(client)).toMatch(/depends on the Product Request/);
});

it.each<[string, Method, Options['parameters'], Partial<Options>, RegExp, RegExp]>([
	[
		'the key is wrong',
		TOKENS,
		{},
		{ apiKey: 'test-wrong-key' },
		/^The API key was rejected \(HTTP 401\): Missing or invalid API key$/,
		/API Key in the credential.*Trace ID: simulator-trace-1/s,
	],
	[
		'the credential has no key',
		TOKENS,
		{},
		{ apiKey: '' },
		/API Key in the credential is empty/,
		/Enter it again in the credential/,
	],
	[
		'the base URL is not one',
		TOKENS,
		{},
		{ baseUrl: 'api.example.com' },
		/Base URL in the credential is not a URL/,
		/Enter it in full/,
	],
	[
		'nothing answers',
		TOKENS,
		{},
		{ baseUrl: 'http://127.0.0.1:9' },
		/could not be reached/,
		/Base URL/,
	],
	[
		'there is no client ID',
		PRODUCT_REQUESTS,
		{ ...client, clientId: '' },
		{},
		/^Client ID has no value yet$/,
		/^Enter it first\..*expression/,
	],
	[
		'the client ID is an expression without a value',
		PRODUCT_REQUESTS,
		{ ...client, clientId: null as never },
		{},
		/^Client ID has no value yet$/,
		/run the nodes before/,
	],
	[
		'the client ID is an expression as it stands',
		DOCUMENT_TYPES,
		{ ...chosen, clientId: '={{ $json.id }}' },
		{},
		/^Client ID has no value yet$/,
		/run the nodes before/,
	],
	[
		'the client ID is an expression in a fixed field',
		DOCUMENT_TYPES,
		{ ...chosen, clientId: '{{ $json.id }}' },
		{},
		/^Client ID has no value yet$/,
		/run the nodes before/,
	],
	[
		'the client is unknown',
		PRODUCT_REQUESTS,
		{ ...client, clientId: 'x' },
		{},
		/^Client not found$/,
		/Client ID/,
	],
	[
		'no product request is chosen',
		DOCUMENT_TYPES,
		client,
		{},
		/^Product Request has no value yet$/,
		/^Choose it first\..*expression/,
	],
	[
		'the product request is an expression without a value',
		DOCUMENT_TYPES,
		{ ...client, productRequestId: locator(null) },
		{},
		/^Product Request has no value yet$/,
		/^Choose it first\..*expression/,
	],
	[
		'the product request takes no documents',
		DOCUMENT_TYPES,
		{ ...client, productRequestId: locator(IDS.rejectedProductRequest) },
		{},
		/takes no documents: it is Rejected/,
		/Pending Documentation/,
	],
	[
		"the product request is another client's",
		METADATA,
		{
			...client,
			productRequestId: locator(IDS.inKycProductRequest),
			documentType: locator('passport'),
		},
		{},
		/^Product Request does not belong to this client$/,
		/belong together/,
	],
])(
	'a message names the missing value when %s',
	async (_, method, parameters, more, message, description) => {
		const refused = load(method, parameters, more);
		await expect(refused).rejects.toMatchObject({
			message: expect.stringMatching(message),
			description: expect.stringMatching(description),
		});
	},
);

it('a message says that the key may not read', async () => {
	simulator.faults.add({ kind: 'status', status: 403 });
	await expect(load(TOKENS, {})).rejects.toMatchObject({
		message: expect.stringMatching(
			/^The API key is not allowed to do this \(HTTP 403\): Switched on in the simulator$/,
		),
		description: expect.stringMatching(/permissions, the level and the IP allowlist/),
	});
});
