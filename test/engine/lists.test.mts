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
const load = async (
	method: string,
	parameters: Options['parameters'] = {},
	more: Partial<Options> = {},
) => await loadInCore(method, { baseUrl: simulator.url, parameters, ...more });

const locator = (value: unknown) => ({ __rl: true, mode: 'list', value }) as never;
const client = { resource: 'productRequest', operation: 'submitDocument', clientId: IDS.client };
const chosen = { ...client, productRequestId: locator(IDS.pendingProductRequest) };

describe('the list of tokens', () => {
	it("the list has the native coin first, then the service's order", async () => {
		const { results } = await load(TOKENS);
		const { tokens } = simulator.state.records;
		expect(results.map(({ value }) => value)).toEqual([
			'native',
			...tokens.map(({ address }) => address),
		]);
		expect(results[0]!.name).toBe('Native coin of the wallet');
	});

	it.each(['usdc polygon', 'POLYGON USDC', ' usdc  polygon '])(
		'the words %j find a token',
		async (filter) => {
			const { results } = await load(TOKENS, {}, { filter });
			expect(results.length).toBeGreaterThan(0);
			expect(results.every(({ name }) => /usdc/i.test(name) && /polygon/i.test(name))).toBe(true);
		},
	);

	it('an address finds its token', async () => {
		const { address } = simulator.state.records.tokens[1]!;
		const { results } = await load(TOKENS, {}, { filter: address.toUpperCase() });
		expect(results.map(({ value }) => value)).toEqual([address]);
	});
});

it('product requests, document types and fields of metadata are loaded by what was chosen before', async () => {
	expect((await load(PRODUCT_REQUESTS, client)).results).toHaveLength(3);
	expect((await load(DOCUMENT_TYPES, chosen)).results.map(({ value }) => value)).toEqual([
		'passport',
		'national_id',
		'utility_bill',
		'payslip',
	]);
	const { fields } = await load(METADATA, { ...chosen, documentType: locator('passport') });
	expect(fields.map(({ id, required }) => [id, required])).toEqual([
		['number', true],
		['issuing_country', false],
		['expiration_date', false],
	]);
	const { emptyFieldsNotice } = await load(METADATA, { ...chosen, documentType: locator(null) });
	expect(emptyFieldsNotice).toMatch(/depends on the Document Type/);
});

type Refused = [
	name: string,
	method: string,
	parameters: Options['parameters'],
	more: Partial<Options>,
	message: RegExp,
	description: RegExp,
];

it.each<Refused>([
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
		/^API Key in the credential is empty$/,
		/^Copy it again from the company portal/,
	],
	[
		'the base URL is not one',
		TOKENS,
		{},
		{ baseUrl: 'api.example.com' },
		/^Base URL in the credential is not a URL/,
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
	...['', '={{ $json.id }}', '{{ $json.id }}'].map(
		(clientId): Refused => [
			`the client ID is ${JSON.stringify(clientId)}`,
			PRODUCT_REQUESTS,
			{ ...client, clientId },
			{},
			/^Client ID has no value yet$/,
			/run the nodes before/,
		],
	),
	[
		'the product request is an expression without a value',
		DOCUMENT_TYPES,
		{ ...client, productRequestId: locator(null) },
		{},
		/^Product Request has no value yet$/,
		/^Choose it first\..*expression/,
	],
])('a list says what to do when %s', async (_, method, parameters, more, message, description) => {
	await expect(load(method, parameters, more)).rejects.toMatchObject({
		message: expect.stringMatching(message),
		description: expect.stringMatching(description),
	});
});
