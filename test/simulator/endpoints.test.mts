import { call, damaged, PNG } from './client.mts';
import { compile } from './description.mts';
import { ENDPOINTS, type Endpoint } from './endpoints.mts';
import { API_KEYS, IDS } from './index.mts';
import { simulator, useSimulator } from './useSimulator.mts';

useSimulator({ requestsPerSecond: 0 });

const clients = '/management/clients/individuals';
const client = `${clients}/${IDS.client}`;
const documentation = `${client}/products/${IDS.pendingProductRequest}/documentation`;
const document = {
	document_type: 'payslip',
	image_front: `data:image/png;base64,${PNG.toString('base64')}`,
};
const ramps = '/virtual-wallets/ramps/transfer';
const cards = '/cards/individual-cards';
const transactions = `/cards/transactions/${IDS.enterpriseCard}`;
const ofIndividual = `/cards/transactions/${IDS.activeCard}`;
const threeDs = `/cards/virtual-cards/${IDS.activeCard}/3ds-configuration`;
const wallets = `/mpc/accounts/${IDS.account}/wallets`;

/** Request of each endpoint that gets 200 at the endpoint's level, by section. */
const GOOD: Record<string, [request: string, body?: object]> = {
	'4.1': ['GET /mpc/tokens/list'],
	'4.2': [`POST ${documentation}`, { document }],
	'4.3': [`GET ${client}/products`],
	'4.4': [`PATCH ${ramps}/${IDS.pendingRamp}`, { amount: 12.5 }],
	'4.5': [`POST ${wallets}/${IDS.wallet}/transfer`, { to: '0x1', amount: 1 }],
	'4.6': [`GET ${cards}/${IDS.activeCard}`],
	'4.7': [`PATCH ${cards}/${IDS.activeCard}/frozen`, { freeze: true }],
	'4.8': [`POST ${threeDs}`, { type: 'webhook' }],
	'4.9': [`GET ${transactions}/pdf?from_date=2026-11-01&to_date=2026-11-20`],
	'4.10': [`PATCH /api/cards/${IDS.blockedCard}/unblock`],
	'4.11': [`GET ${transactions}/search`],
	'4.12': [`GET ${transactions}/operations/${IDS.purchase}`],
};

/** The search and the detail take it; other endpoints ignore it (§9.2). */
const VERSION = { 'X-API-Version': '2' };

type Options = Parameters<typeof call>[1];

const send = (request: string, body?: unknown, options: Options = {}) =>
	call(request, { body, headers: VERSION, ...options });
const sendGood = ({ section }: Endpoint, options?: Options) => {
	const [request, body] = GOOD[section]!;
	return send(request, body, options);
};
const outcomeOf = ({ status, json }: Awaited<ReturnType<typeof call>>) =>
	[status, json?.code].filter(Boolean).join(' ');

/** Requests that depart from the description of an endpoint. */
function* departing(endpoint: Endpoint): Generator<[what: string, ...Parameters<typeof send>]> {
	const [request, body] = GOOD[endpoint.section]!;
	const { querystring, headers, body: schema } = endpoint.schema;
	if (schema) {
		const fits = compile(schema);
		for (const [what, wrong] of damaged(body!)) if (!fits(wrong)) yield [what, request, wrong];
		yield ['an unknown field', request, { ...body, more: 1 }];
		yield ['no body', request];
		yield ['no JSON', request, '{"'];
		yield ['a list', request, []];
		yield ['text', request, body, { headers: { 'content-type': 'text/plain' } }];
	}
	if (endpoint.method === 'GET') yield ['a body', request, {}];
	if (querystring.additionalProperties === false)
		yield ['an unknown parameter', `${request}${request.includes('?') ? '&' : '?'}x=1`, body];
	if (headers.required.includes('x-api-version'))
		yield ['no version', request, body, { headers: {} }];
	if (endpoint.idempotent) yield ['an empty key', request, body, { idempotencyKey: '' }];
}

describe.each(ENDPOINTS.map((endpoint) => [endpoint.method, endpoint.path, endpoint] as const))(
	'%s %s',
	(_method, _path, endpoint) => {
		it('requires its access level', async () => {
			for (const level of [1, 2, 3] as const)
				expect(outcomeOf(await sendGood(endpoint, { key: level }))).toBe(
					level >= endpoint.level ? '200' : '401 AUTH',
				);
			for (const key of ['none', `${API_KEYS[3]}x`, ''])
				expect(outcomeOf(await sendGood(endpoint, { key }))).toBe('401 AUTH');
		});

		it('executes a write with a key once, if it honors the key (1.6)', async () => {
			const answers = [];
			for (let n = 0; n < 2; n++) answers.push(await sendGood(endpoint, { idempotencyKey: 'k' }));
			if (endpoint.idempotent) expect(answers[1]!.text).toBe(answers[0]!.text);
			expect(simulator.ledger).toHaveLength(endpoint.method === 'GET' ? 0 : 1);
			expect(simulator.requests.map(({ replayed }) => replayed)).toEqual([
				undefined,
				endpoint.idempotent || undefined,
			]);
		});

		it('rejects what departs from its description, with no effect', async () => {
			const outcomes = [];
			for (const [what, ...request] of departing(endpoint))
				outcomes.push([what, outcomeOf(await send(...request))]);
			expect(outcomes).toEqual(outcomes.map(([what]) => [what, '400 VAL']));
			expect(simulator.ledger).toEqual([]);
		});

		it('describes each field of its answer', async () => {
			const { json } = await sendGood(endpoint);
			const fits = compile(endpoint.schema.response['200']!);
			// The document shows no answer of *unblock* (§4.10), and a few fields of the search and the detail.
			if (json === undefined || Number(endpoint.section.slice(2)) >= 10) return;
			const unnoticed = [...damaged(json as object)].filter(([, wrong]) => fits(wrong));
			expect(unnoticed.map(([what]) => what)).toEqual([]);
		});
	},
);

const submission = (client: string, request: string) =>
	`POST ${clients}/${client}/products/${request}/documentation ${JSON.stringify({ document })}`;

/** Status, code and request; where the document (§4, §7) is silent, the simulator's choice. */
const REJECTIONS = [
	'404 NOT_FOUND GET /nowhere',
	'404 NOT_FOUND DELETE /mpc/tokens/list',
	'404 NOT_FOUND GET /mpc/tokens/list/',
	`404 NOT_FOUND GET ${cards}/`,
	`404 NOT_FOUND GET ${cards}/a%2Fb`,
	// No longer available (§4.13).
	`404 NOT_FOUND GET /management/clients/${IDS.client}/pending-documents`,
	`404 NOT_FOUND GET /management/clients/${IDS.client}/associated-persons`,
	`404 NOT_FOUND GET ${clients}/nobody/products`,
	`404 NOT_FOUND ${submission(IDS.client, 'none')}`,
	`404 NOT_FOUND ${submission(IDS.otherClient, IDS.pendingProductRequest)}`,
	`409 VAL ${submission(IDS.client, IDS.rejectedProductRequest)}`,
	`409 VAL ${submission(IDS.otherClient, IDS.enabledProductRequest)}`,
	`409 VAL ${submission(IDS.otherClient, IDS.inKycProductRequest)}`,
	`404 NOT_FOUND PATCH ${ramps}/none {"amount":1}`,
	`400 APP_ERROR PATCH ${ramps}/${IDS.processingRamp} {"amount":1}`,
	`400 APP_ERROR PATCH ${ramps}/${IDS.completedRamp} {"amount":1}`,
	`400 VAL PATCH ${ramps}/${IDS.pendingRamp} {"amount":0}`,
	...['0', '-1', '1.0000001', '1000000000', '1e-7', '"1"'].map(
		(amount) => `400 VAL POST ${wallets}/${IDS.wallet}/transfer {"to":"0x1","amount":${amount}}`,
	),
	...['', '0x1 2', '0x12\\n'].map(
		(to) => `400 VAL POST ${wallets}/${IDS.wallet}/transfer {"to":"${to}","amount":1}`,
	),
	`404 NOT_FOUND POST ${wallets}/none/transfer {"to":"0x1","amount":1}`,
	`404 NOT_FOUND POST /mpc/accounts/none/wallets/${IDS.wallet}/transfer {"to":"0x1","amount":1}`,
	`404 NOT_FOUND GET ${cards}/none`,
	`404 NOT_FOUND GET ${cards}/${IDS.enterpriseCard}`,
	`404 NOT_FOUND PATCH ${cards}/${IDS.enterpriseCard}/frozen {"freeze":true}`,
	`404 NOT_FOUND PATCH ${cards}/none/frozen {"freeze":true}`,
	`404 NOT_FOUND POST /cards/virtual-cards/none/3ds-configuration {"type":"sms"}`,
	`400 VAL POST ${threeDs} {"type":"SMS"}`,
	'412 VAL GET /cards/transactions/none/pdf?from_date=2026-01-01&to_date=2026-01-31',
	`400 VAL GET ${transactions}/pdf`,
	`400 VAL GET ${transactions}/pdf?from_date=2026-02-30&to_date=2026-03-31`,
	`400 VAL GET ${transactions}/pdf?from_date=2026-03-02&to_date=2026-03-01`,
	'404 NOT_FOUND PATCH /api/cards/none/unblock',
	'404 NOT_FOUND GET /cards/transactions/none/search',
	`412 VAL GET ${ofIndividual}/search`,
	`412 VAL GET ${transactions}/search?operations=PURCHASE,TRANSACTION_APPROVED`,
	`412 VAL GET ${ofIndividual}/operations/op-0001`,
	`404 NOT_FOUND GET ${transactions}/operations/none`,
	`412 VAL GET ${transactions}/operations/op-0001?operations=TRANSACTION_CLEARED`,
].map((line) => /^(\d+ \w+) (\S+ \S+) ?(.*)$/.exec(line)!.slice(1) as [string, string, string]);

describe('rejections', () => {
	it.each(REJECTIONS)('answers %s to %s %s', async (outcome, request, body) => {
		const answer = await send(request, body || undefined);
		expect([outcomeOf(answer), answer.json.message]).toEqual([outcome, expect.any(String)]);
		expect(answer.headers['x-trace-id']).toBe(simulator.requests[0]!.traceId);
		expect(simulator.ledger).toEqual([]);
	});

	it('cover each error that the document shows', () => {
		const isOf = ({ method, path }: Endpoint, request: string) =>
			new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/]+')}(\\?|$)`).test(request);
		for (const endpoint of ENDPOINTS) {
			const own = REJECTIONS.filter(([, request]) => isOf(endpoint, request));
			// Keys, pending transfers and the limit have tests of their own.
			const shown = endpoint.errors.filter((error) => !/^(200|401|302|429)/.test(error));
			expect(own.map(([outcome]) => outcome)).toEqual(expect.arrayContaining(shown));
		}
	});

	it('a defect of the simulator is answered with 500', async () => {
		simulator.state.card(IDS.activeCard).last4 = 'many';
		expect(outcomeOf(await send(`GET ${cards}/${IDS.activeCard}`))).toBe('500 SIMULATOR_DEFECT');
	});
});
