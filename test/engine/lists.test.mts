import { IDS } from '../simulator/index.mts';
import { simulator, useSimulator } from '../simulator/useSimulator.mts';
import { loadInCore } from './core.mts';

useSimulator();

const TOKENS = 'walletTransferTokenAddress';
const REQUESTS = 'productRequestSubmitDocumentProductRequestId';

type Options = Parameters<typeof loadInCore>[1];
const load = async (method: string, parameters: object = {}, more: Partial<Options> = {}) =>
	await loadInCore(method, { baseUrl: simulator.url, parameters: { ...parameters }, ...more });

const client = { resource: 'productRequest', operation: 'submitDocument', clientId: IDS.client };

it.each(['usdc polygon', 'POLYGON USDC', ' usdc  polygon '])('%j finds a token', async (filter) => {
	const { results } = await load(TOKENS, {}, { filter });
	expect(results.map(({ name }) => name)).toEqual([expect.stringMatching(/^USDC on POLYGON/)]);
});

const REJECTED = /^The API key was rejected \(HTTP 401\)$/;
const NOT_FOUND = /^Client not found \(HTTP 404\)$/;
const NO_CLIENT = /^Client ID has no value yet$/;

it.each<[method: string, parameters: object, more: Partial<Options>, RegExp, fix: RegExp]>([
	[TOKENS, {}, { apiKey: 'wrong' }, REJECTED, /level 1\. Trace ID: /],
	[TOKENS, {}, { apiKey: '' }, /^API Key in the credential is empty$/, /^Copy it again/],
	[TOKENS, {}, { baseUrl: 'api.example.com' }, /^Base URL .* not a usable address$/, /^Enter it/],
	[REQUESTS, { ...client, clientId: '' }, {}, NO_CLIENT, /run the nodes before/],
	[REQUESTS, { ...client, clientId: 'cl-9999' }, {}, NOT_FOUND, /^Check Client ID,/],
	[REQUESTS, { ...client, clientId: '={{ $json.id }}' }, {}, NO_CLIENT, /run the nodes before/],
])('the list %s with %j and %j says what to do', async (method, parameters, more, said, fix) => {
	await expect(load(method, parameters, more)).rejects.toMatchObject({
		message: expect.stringMatching(said),
		description: expect.stringMatching(fix),
	});
});

it('lists keep to the rate of the service', async () => {
	await Promise.all(Array.from({ length: 30 }, async () => await load(TOKENS)));
	// Most of 30 at once would be rejected. A few may be, because the network delays requests.
	expect(simulator.rateLimit.rejected).toBeLessThan(5);
});
