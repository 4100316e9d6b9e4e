import { OPERATION_SAMPLES } from '../samples/operations.mts';
import { call, damaged, PNG } from './client.mts';
import { compile } from './description.mts';
import { ENDPOINTS, type Endpoint } from './endpoints.mts';
import { API_KEYS, IDS } from './index.mts';
import { simulator, useSimulator } from './useSimulator.mts';

useSimulator({ requestsPerSecond: 0 });

type Options = Parameters<typeof call>[1];
/** Endpoints other than the search and the detail ignore the version (§9.2). */
const send = (request: string, body?: unknown, options: Options = {}) =>
	call(request, { body, headers: { 'X-API-Version': '2' }, ...options });
const outcomeOf = ({ status, json }: Awaited<ReturnType<typeof call>>) =>
	[status, json?.code].filter(Boolean).join(' ');
const isOf = ({ method, path }: Endpoint, request: string) =>
	new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/]+')}(\\?|$)`).test(request);

/** Samples that send a request. That of *Endpoint: Request* is a request of another one. */
const ASKING = Object.entries(OPERATION_SAMPLES).filter(
	([name, { request }]) => request && name !== 'endpoint: request',
);

/** Requests of the samples, with the level that the contract names and a reply as the document shows it. */
const GOOD = ASKING.flatMap(([name, { request, given, is, reply }]) => {
	const [line = '', body] = request ?? [];
	const valueOf = (_: string, field: string) => {
		const value = given[field] as { value?: string };
		return value.value ?? String(value);
	};
	const filled = line.replace(/\{(\w+)\}/g, valueOf);
	return ENDPOINTS.filter((endpoint) => isOf(endpoint, filled)).map((endpoint) => ({
		...{ name, endpoint, request: filled, reply, level: Number(/\d/.exec(is) ?? 0) },
		body:
			body &&
			(JSON.parse(JSON.stringify(body).replace(/iVBO[^"]*/, PNG.toString('base64'))) as object),
	}));
});
type Good = (typeof GOOD)[number];

it('each endpoint has the request of a sample, and each request its endpoint', () => {
	expect(ENDPOINTS.filter((each) => !GOOD.some(({ endpoint }) => endpoint === each))).toEqual([]);
	expect(ASKING.filter(([name]) => !GOOD.some((good) => good.name === name))).toEqual([]);
});

/** Requests that depart from the description of an endpoint. */
function* departing({ endpoint, request, body }: Good): Generator<Parameters<typeof send>> {
	const { querystring, body: schema } = endpoint.schema;
	if (schema) {
		const fits = compile(schema);
		for (const [, wrong] of damaged(body!)) if (!fits(wrong)) yield [request, wrong];
		for (const wrong of [{ ...body, more: 1 }, undefined, '{"', []]) yield [request, wrong];
		yield [request, body, { headers: { 'content-type': 'text/plain' } }];
	}
	if (endpoint.method === 'GET') yield [request, {}];
	if (querystring.additionalProperties === false)
		yield [`${request}${request.includes('?') ? '&' : '?'}x=1`, body];
	if (endpoint.idempotent) yield [request, body, { idempotencyKey: '' }];
}

describe.each(GOOD.map((good) => [good.request, good] as const))('%s', (request, good) => {
	const { endpoint, body, level, reply } = good;

	it('requires its access level', async () => {
		if (level > 0) expect(endpoint.level).toBe(level);
		for (const key of [1, 2, 3] as const)
			expect(outcomeOf(await send(request, body, { key }))).toBe(
				key >= endpoint.level ? '200' : '401 AUTH',
			);
		for (const key of ['none', `${API_KEYS[3]}x`, ''])
			expect(outcomeOf(await send(request, body, { key }))).toBe('401 AUTH');
	});

	it('executes a write with a key once, if it honors the key (1.6)', async () => {
		const texts = [];
		for (let n = 0; n < 2; n++)
			texts.push((await send(request, body, { idempotencyKey: 'k' })).text);
		if (endpoint.idempotent) expect(texts[1]).toBe(texts[0]);
		expect(simulator.ledger).toHaveLength(endpoint.method === 'GET' ? 0 : 1);
	});

	it('rejects what departs from its description, with no effect', async () => {
		for (const wrong of departing(good))
			expect([wrong, outcomeOf(await send(...wrong))]).toEqual([wrong, '400 VAL']);
		expect(simulator.ledger).toEqual([]);
	});

	it('describes each field of its answer, and the reply of the sample', async () => {
		const fits = compile(endpoint.schema.response['200']!);
		const { json } = await send(request, body);
		expect([fits(reply), fits.errors]).toEqual([true, null]);
		// The document shows no answer of *unblock* (§4.10), and a few fields of the search and the detail.
		if (json === undefined || Number(endpoint.section.slice(2)) >= 10) return;
		expect([...damaged(json as object)].filter(([, wrong]) => fits(wrong))).toEqual([]);
	});
});

const cards = '/cards/individual-cards';
const ofEnterprise = `/cards/transactions/${IDS.enterpriseCard}`;
const clients = '/management/clients/individuals';
const documents = (client: string, request: string) =>
	`POST ${clients}/${client}/products/${request}/documentation {"document":{"document_type":"x","image_front":"data:image/png;base64,AAAA"}}`;
const transfer = `POST /mpc/accounts/${IDS.account}/wallets/${IDS.wallet}/transfer`;

/** Status, code and request. */
const REJECTIONS = [
	'404 NOT_FOUND GET /nowhere',
	// No longer available (§4.13).
	`404 NOT_FOUND GET /management/clients/${IDS.client}/pending-documents`,
	`404 NOT_FOUND GET ${clients}/nobody/products`,
	`404 NOT_FOUND ${documents(IDS.client, 'none')}`,
	`409 VAL ${documents(IDS.client, IDS.rejectedProductRequest)}`,
	`404 NOT_FOUND PATCH /virtual-wallets/ramps/transfer/none {"amount":1}`,
	`400 APP_ERROR PATCH /virtual-wallets/ramps/transfer/${IDS.processingRamp} {"amount":1}`,
	...['0', '1.0000001', '1000000000', '"1"'].map(
		(amount) => `400 VAL ${transfer} {"to":"0x1","amount":${amount}}`,
	),
	...['', '0x1 2'].map((to) => `400 VAL ${transfer} {"to":"${to}","amount":1}`),
	`404 NOT_FOUND POST /mpc/accounts/${IDS.account}/wallets/none/transfer {"to":"0x1","amount":1}`,
	`404 NOT_FOUND GET ${cards}/none`,
	`404 NOT_FOUND PATCH ${cards}/none/frozen {"freeze":true}`,
	`404 NOT_FOUND POST /cards/virtual-cards/none/3ds-configuration {"type":"sms"}`,
	'412 VAL GET /cards/transactions/none/pdf?from_date=2026-01-01&to_date=2026-01-31',
	`400 VAL GET ${ofEnterprise}/pdf?from_date=2026-02-30&to_date=2026-03-31`,
	'404 NOT_FOUND PATCH /api/cards/none/unblock',
	'404 NOT_FOUND GET /cards/transactions/none/search',
	`412 VAL GET /cards/transactions/${IDS.activeCard}/search`,
	`412 VAL GET ${ofEnterprise}/search?operations=PURCHASE,TRANSACTION_APPROVED`,
	`412 VAL GET /cards/transactions/${IDS.activeCard}/operations/op-0001`,
	`404 NOT_FOUND GET ${ofEnterprise}/operations/none`,
].map((line) => /^(\d+ \w+) (\S+ \S+) ?(.*)$/.exec(line)!.slice(1) as [string, string, string]);

it.each(REJECTIONS)('answers %s to %s %s', async (outcome, request, body) => {
	const answer = await send(request, body || undefined);
	expect([outcomeOf(answer), answer.json.message]).toEqual([outcome, expect.any(String)]);
	expect(answer.headers['x-trace-id']).toBe(simulator.requests[0]!.traceId);
	expect(simulator.ledger).toEqual([]);
});

it('the rejections cover each error that the document shows', () => {
	for (const endpoint of ENDPOINTS) {
		const own = REJECTIONS.filter(([, request]) => isOf(endpoint, request));
		const shown = endpoint.errors.filter((error) => !/^(200|401|302|429)/.test(error));
		expect(own.map(([outcome]) => outcome)).toEqual(expect.arrayContaining(shown));
	}
});

it('a defect of the simulator is answered with 500', async () => {
	simulator.state.card(IDS.activeCard).last4 = 'many';
	expect(outcomeOf(await send(`GET ${cards}/${IDS.activeCard}`))).toBe('500 SIMULATOR_DEFECT');
});
