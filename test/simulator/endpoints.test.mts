import { call, type Call } from './client.mts';
import { API_KEYS, ENDPOINTS, IDS } from './index.mts';
import { DEPRECATED_PATHS, DOCUMENTED_ENDPOINTS } from './interfaceDocument.mts';
import { simulator, useSimulator } from './useSimulator.mts';

useSimulator({ requestsPerSecond: 0 });

const transferPath = `/mpc/accounts/${IDS.account}/wallets/${IDS.wallet}/transfer`;
const documentationPath = `/management/clients/individuals/${IDS.client}/products/${IDS.pendingProductRequest}/documentation`;

/** Request per endpoint that gets 200 at the endpoint's level. */
const GOOD: Record<string, [method: string, path: string, body?: unknown]> = {
	'4.1': ['GET', '/mpc/tokens/list'],
	'4.2': [
		'POST',
		documentationPath,
		{ document: { document_type: 'payslip', image_front: 'data:image/png;base64,AAAA' } },
	],
	'4.3': ['GET', `/management/clients/individuals/${IDS.client}/products`],
	'4.4': ['PATCH', `/virtual-wallets/ramps/transfer/${IDS.pendingRamp}`, { amount: 12.5 }],
	'4.5': ['POST', transferPath, { to: '0x1', amount: 1 }],
	'4.6': ['GET', `/cards/individual-cards/${IDS.activeCard}`],
	'4.7': ['PATCH', `/cards/individual-cards/${IDS.activeCard}/frozen`, { freeze: true }],
	'4.8': ['POST', `/cards/virtual-cards/${IDS.activeCard}/3ds-configuration`, { type: 'webhook' }],
	'4.9': [
		'GET',
		`/cards/transactions/${IDS.enterpriseCard}/pdf?from_date=2026-11-01&to_date=2026-11-20`,
	],
	'4.10': ['PATCH', `/api/cards/${IDS.blockedCard}/unblock`],
	'4.11': ['GET', `/cards/transactions/${IDS.enterpriseCard}/search`],
	'4.12': ['GET', `/cards/transactions/${IDS.enterpriseCard}/operations/${IDS.purchase}`],
};

describe('endpoints', () => {
	it('match the interface document', () => {
		expect(ENDPOINTS.map(({ section }) => section).sort()).toEqual(
			Object.keys(DOCUMENTED_ENDPOINTS).sort(),
		);
		for (const { section, method, path, level } of ENDPOINTS) {
			const documented = DOCUMENTED_ENDPOINTS[section]!;
			expect({ section, request: `${method} ${path}`, level }).toEqual({
				section,
				request: documented.request ?? `${method} ${path}`,
				level: documented.level ?? level,
			});
		}
	});

	it.each(DEPRECATED_PATHS)('%s no longer exists', async (path) => {
		const answer = await call(simulator, 'GET', path.replace('{clientId}', IDS.client));
		expect([answer.status, answer.json.code]).toEqual([404, 'NOT_FOUND']);
	});

	it.each(ENDPOINTS.map((endpoint) => [endpoint.section, endpoint] as const))(
		'%s requires its access level',
		async (section, endpoint) => {
			const [method, path, body] = GOOD[section]!;
			for (const level of [1, 2, 3] as const) {
				const answer = await call(simulator, method, path, { key: level, body });
				if (level >= endpoint.level) expect(answer.status).toBe(200);
				else expect([answer.status, answer.json.code]).toEqual([401, 'AUTH']);
			}
			for (const key of ['none', 'wrong', `${API_KEYS[3]}x`, '']) {
				const answer = await call(simulator, method, path, { key, body });
				expect([answer.status, answer.json.code]).toEqual([401, 'AUTH']);
				expect(typeof answer.json.message).toBe('string');
			}
		},
	);
});

/** Rejections of sections 4 and 7; where the document is silent, the simulator's choice. */
const REJECTIONS: Array<
	[what: string, method: string, path: string, call: Call, status: number, code: string]
> = [
	['unknown path', 'GET', '/nowhere', {}, 404, 'NOT_FOUND'],
	['known path, other method', 'DELETE', '/mpc/tokens/list', {}, 404, 'NOT_FOUND'],
	['doubled slash', 'GET', '//mpc/tokens/list', {}, 404, 'NOT_FOUND'],
	['trailing slash', 'GET', '/mpc/tokens/list/', {}, 404, 'NOT_FOUND'],
	['empty path parameter', 'GET', '/cards/individual-cards/', {}, 404, 'NOT_FOUND'],
	['encoded slash in an ID', 'GET', '/cards/individual-cards/a%2Fb', {}, 404, 'NOT_FOUND'],
	['broken encoding', 'GET', '/cards/individual-cards/%E0%A4', {}, 404, 'NOT_FOUND'],
	[
		'4.3 unknown client',
		'GET',
		'/management/clients/individuals/nobody/products',
		{},
		404,
		'NOT_FOUND',
	],
	[
		'4.4 unknown ramp transfer',
		'PATCH',
		'/virtual-wallets/ramps/transfer/none',
		{ body: { amount: 1 } },
		404,
		'NOT_FOUND',
	],
	...[IDS.processingRamp, IDS.completedRamp, IDS.failedRamp, IDS.cancelledRamp].map(
		(id): (typeof REJECTIONS)[number] => [
			`4.4 ${id} not PENDING`,
			'PATCH',
			`/virtual-wallets/ramps/transfer/${id}`,
			{ body: { amount: 1 } },
			400,
			'APP_ERROR',
		],
	),
	[
		'4.4 amount as text',
		'PATCH',
		`/virtual-wallets/ramps/transfer/${IDS.pendingRamp}`,
		{ body: { amount: '1' } },
		400,
		'VAL',
	],
	[
		'4.5 unknown wallet',
		'POST',
		'/mpc/accounts/acc-0001/wallets/none/transfer',
		{ body: { to: '0x1', amount: 1 } },
		404,
		'NOT_FOUND',
	],
	[
		'4.5 wallet of another account',
		'POST',
		`/mpc/accounts/${IDS.account}/wallets/${IDS.otherAccountWallet}/transfer`,
		{ body: { to: '0x1', amount: 1 } },
		404,
		'NOT_FOUND',
	],
	['4.6 unknown card', 'GET', '/cards/individual-cards/none', {}, 404, 'NOT_FOUND'],
	[
		'4.6 enterprise card',
		'GET',
		`/cards/individual-cards/${IDS.enterpriseCard}`,
		{},
		404,
		'NOT_FOUND',
	],
	[
		'4.7 unknown card',
		'PATCH',
		'/cards/individual-cards/none/frozen',
		{ body: { freeze: true } },
		404,
		'NOT_FOUND',
	],
	[
		'4.7 freeze as text',
		'PATCH',
		`/cards/individual-cards/${IDS.activeCard}/frozen`,
		{ body: { freeze: 'true' } },
		400,
		'VAL',
	],
	['4.7 no body', 'PATCH', `/cards/individual-cards/${IDS.activeCard}/frozen`, {}, 400, 'VAL'],
	[
		'4.8 unknown card',
		'POST',
		'/cards/virtual-cards/none/3ds-configuration',
		{ body: { type: 'sms' } },
		404,
		'NOT_FOUND',
	],
	[
		'4.8 unknown type',
		'POST',
		`/cards/virtual-cards/${IDS.activeCard}/3ds-configuration`,
		{ body: { type: 'SMS' } },
		400,
		'VAL',
	],
	[
		'4.9 unknown card',
		'GET',
		'/cards/transactions/none/pdf?from_date=2026-01-01&to_date=2026-01-31',
		{},
		412,
		'VAL',
	],
	['4.9 no dates', 'GET', `/cards/transactions/${IDS.enterpriseCard}/pdf`, {}, 400, 'VAL'],
	[
		'4.9 a day that does not exist',
		'GET',
		`/cards/transactions/${IDS.enterpriseCard}/pdf?from_date=2026-02-30&to_date=2026-03-31`,
		{},
		400,
		'VAL',
	],
	[
		'4.9 reversed dates',
		'GET',
		`/cards/transactions/${IDS.enterpriseCard}/pdf?from_date=2026-03-02&to_date=2026-03-01`,
		{},
		400,
		'VAL',
	],
	['4.10 unknown card', 'PATCH', '/api/cards/none/unblock', {}, 404, 'NOT_FOUND'],
	['4.11 unknown card', 'GET', '/cards/transactions/none/search', {}, 404, 'NOT_FOUND'],
	['4.11 individual card', 'GET', `/cards/transactions/${IDS.activeCard}/search`, {}, 412, 'VAL'],
	[
		'4.11 version 1 requested for an individual card',
		'GET',
		`/cards/transactions/${IDS.activeCard}/search`,
		{ headers: { 'X-API-Version': '1' } },
		412,
		'VAL',
	],
	[
		'4.12 individual card',
		'GET',
		`/cards/transactions/${IDS.activeCard}/operations/op-0001`,
		{},
		412,
		'VAL',
	],
	[
		'4.12 unknown operation',
		'GET',
		`/cards/transactions/${IDS.enterpriseCard}/operations/none`,
		{},
		404,
		'NOT_FOUND',
	],
	[
		'4.12 internal event name',
		'GET',
		`/cards/transactions/${IDS.enterpriseCard}/operations/op-0001?operations=TRANSACTION_CLEARED`,
		{},
		412,
		'VAL',
	],
	['invalid JSON', 'POST', transferPath, { body: '{"to":' }, 400, 'VAL'],
	['array as body', 'POST', transferPath, { body: [] }, 400, 'VAL'],
];

describe('rejections', () => {
	it.each(REJECTIONS)('%s is rejected', async (_what, method, path, options, status, code) => {
		const answer = await call(simulator, method, path, options);
		expect([answer.status, answer.json]).toEqual([status, { code, message: expect.any(String) }]);
		expect(answer.headers['content-type']).toBe('application/json');
		expect(answer.headers['x-trace-id']).toBe(simulator.requests[0]!.traceId);
		expect(simulator.ledger).toEqual([]);
	});
});
