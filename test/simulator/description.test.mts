import lodash from 'lodash';

import { call, transfer, TRANSFER } from './client.mts';
import {
	answerDepartures,
	deliveryDepartures,
	DESCRIBED_EVENTS,
	eventDepartures,
	requestDepartures,
} from './description.mts';
import { IDS, sampleEvent, type EventEnvelope } from './index.mts';
import { simulator, useSimulator } from './useSimulator.mts';

useSimulator({ requestsPerSecond: 0 });

const card = `/cards/individual-cards/${IDS.activeCard}`;
const transactions = `/cards/transactions/${IDS.enterpriseCard}`;
const documents = `/management/clients/individuals/${IDS.client}/products/${IDS.pendingProductRequest}/documentation`;
const document = { document_type: 'payslip', image_front: 'data:image/png;base64,AAAA' };

describe('requests that depart from the description', () => {
	it.each<[string, string, string, Parameters<typeof call>[1]]>([
		[
			'an unknown field',
			'tokenAddress',
			TRANSFER,
			{ body: { to: '0x1', amount: 1, tokenAddress: '' } },
		],
		[
			'a field of another operation',
			'type',
			`PATCH ${card}/frozen`,
			{ body: { freeze: true, type: 'sms' } },
		],
		[
			'an unknown field of a document',
			'side',
			`POST ${documents}`,
			{ body: { document: { ...document, side: 'front' } } },
		],
		[
			'no Content-Type',
			'Content-Type',
			TRANSFER,
			{ body: { to: '0x1', amount: 1 }, headers: { 'content-type': undefined } },
		],
		[
			'another Content-Type',
			'Content-Type',
			TRANSFER,
			{ body: { to: '0x1', amount: 1 }, headers: { 'content-type': 'text/plain' } },
		],
		['no body', 'body is missing', `PATCH ${card}/frozen`, {}],
		['a body that is not JSON', 'not valid JSON', TRANSFER, { body: '{"to":' }],
		[
			'a body that is not documented',
			'body is not documented',
			'GET /mpc/tokens/list',
			{ body: {} },
		],
		['no X-API-Version', 'X-API-Version', `GET ${transactions}/search`, {}],
		[
			'an empty Idempotency-Key',
			'Idempotency-Key',
			TRANSFER,
			{ body: { to: '0x1', amount: 1 }, idempotencyKey: '' },
		],
		['an unknown query parameter', 'limit', 'GET /mpc/tokens/list?limit=5', {}],
		[
			'a day that does not exist',
			'from_date',
			`GET ${transactions}/pdf?from_date=2026-02-30&to_date=2026-03-01`,
			{},
		],
		[
			'a ramp amount with an exponent',
			'amount',
			`PATCH /virtual-wallets/ramps/transfer/${IDS.pendingRamp}`,
			{ body: '{"amount":1e3}' },
		],
		[
			'a ramp amount as text',
			'amount',
			`PATCH /virtual-wallets/ramps/transfer/${IDS.pendingRamp}`,
			{ body: { amount: '1' } },
		],
	])(
		'%s is answered with 400 naming "%s" and has no effect: %s',
		async (_what, name, request, options) => {
			const answer = await call(request, options);
			expect([answer.status, answer.json]).toEqual([
				400,
				{ code: 'VAL', message: expect.stringContaining(name) },
			]);
			expect(simulator.ledger).toEqual([]);
		},
	);

	it('other query parameters of the search, and any body of unblock, are accepted', async () => {
		const found = await call(`GET ${transactions}/search?page=0&sort=x`, {
			headers: { 'X-API-Version': '2' },
		});
		const unblocked = await call(`PATCH /api/cards/${IDS.blockedCard}/unblock`, { body: [1] });
		expect([found.status, unblocked.status]).toEqual([200, 200]);
	});

	it('the whole digits of an amount count, beyond the precision of a number', () => {
		const departures = (amount: string) =>
			requestDepartures('4.5', {
				params: { accountId: 'a', walletId: 'w' },
				query: new URLSearchParams(),
				headers: { 'content-type': 'application/json' },
				bodyText: `{"to":"0x1","amount":${amount}}`,
			});
		expect(departures('999999999.999999')).toEqual([]);
		expect(departures('1.0000000000000000000001')).toHaveLength(1);
		expect(departures('1000000000')).toHaveLength(1);
	});
});

/** A value with one of its fields missing or of another type, for every field at any depth. */
function* damaged(value: object): Generator<{ what: string; wrong: any }> {
	for (const path of pathsIn(value)) {
		const missing = structuredClone(value);
		lodash.unset(missing, path);
		yield { what: `${path.join('.')} missing`, wrong: missing };
		const retyped = structuredClone(value);
		lodash.set(retyped, path, [['of another type']]);
		yield { what: `${path.join('.')} retyped`, wrong: retyped };
	}
}

/** Paths of the fields, without the rows of lists. */
const pathsIn = (value: object): string[][] =>
	Object.entries(value).flatMap(([name, child]) => [
		...(Array.isArray(value) ? [] : [[name]]),
		...(typeof child === 'object' && child !== null
			? pathsIn(child as object).map((path) => [name, ...path])
			: []),
	]);

/** Answers of the simulator by section. */
const ANSWERS: Array<[section: string, request: string, options: Parameters<typeof call>[1]]> = [
	['4.1', 'GET /mpc/tokens/list', {}],
	['4.2', `POST ${documents}`, { body: { document } }],
	['4.3', `GET /management/clients/individuals/${IDS.client}/products`, {}],
	['4.4', `PATCH /virtual-wallets/ramps/transfer/${IDS.pendingRamp}`, { body: { amount: 1 } }],
	['4.5', TRANSFER, { body: { to: '0x1', amount: 1 } }],
	['4.6', `GET ${card}`, {}],
	[
		'4.8',
		`POST /cards/virtual-cards/${IDS.activeCard}/3ds-configuration`,
		{ body: { type: 'sms' } },
	],
];

describe('answers that depart from the description', () => {
	it.each(ANSWERS)(
		'%s: a field that is missing or of another type is found',
		async (section, request, options) => {
			const { status, json } = await call(request, options);
			const departuresOf = (value: unknown) =>
				answerDepartures(section, {
					status,
					headers: { 'Content-Type': 'application/json' },
					body: JSON.stringify(value),
				});
			expect(departuresOf(json)).toEqual([]);
			const unnoticed = [...damaged(json as object)].filter(
				({ wrong }) => departuresOf(wrong).length === 0,
			);
			expect(unnoticed.map(({ what }) => what)).toEqual([]);
		},
	);

	it.each([
		[200, 'text/html', '{}', 'text/html'],
		[200, 'application/json', '{"status":"success","transaction_hash":"0x"}', 'status'],
		[200, 'application/json', '{"transaction_hash":"0x"}', 'status'],
		[200, 'application/json', '{"transaction_hash":"0x","status":"SUCCESS","more":1}', 'more'],
		[200, 'application/json', '', 'object'],
		[201, 'application/json', '{}', '201'],
		[302, 'application/json', '{"code":"PENDING","message":""}', 'WARNING'],
		[404, 'application/json', '{"code":"VAL","message":""}', 'NOT_FOUND'],
		[418, 'application/json', '{"code":"TEAPOT"}', 'message'],
	])('%d %s %s is reported by "%s"', (status, type, body, word) => {
		const wrong = answerDepartures('4.5', { status, headers: { 'Content-Type': type }, body });
		expect(wrong.join()).toContain(word);
	});

	it('a defect of the simulator is answered with 500 and the departure', async () => {
		simulator.state.nextTransferOutcomes = ['DONE' as 'SUCCESS'];
		const answer = await transfer();
		expect([answer.status, answer.json]).toEqual([
			500,
			{ code: 'SIMULATOR_DEFECT', message: expect.stringContaining('200 body/status') },
		]);
	});
});

/** Fields whose type or presence the document leaves open. */
const NOT_SHOWN: Record<string, string[]> = {
	'cards.authorization': ['data.metadata.account retyped'],
	'virtual_wallets.withdraw': ['data.token.address missing', 'data.token.address retyped'],
	'treasury.transfer': ['data.token.address missing', 'data.token.address retyped'],
};

describe('events that depart from the description', () => {
	it.each(DESCRIBED_EVENTS.map(({ name }) => name))(
		'%s: a field that is missing, or of another type, is found',
		(name) => {
			const sample = sampleEvent(name);
			expect(eventDepartures(sample)).toEqual([]);
			const unnoticed = [...damaged(sample)].filter(
				({ wrong }) => eventDepartures(wrong as EventEnvelope).length === 0,
			);
			expect(unnoticed.map(({ what }) => what)).toEqual(NOT_SHOWN[name] ?? []);
		},
	);

	it.each([
		['a field that is not documented', { data: { card: 'x' } }, 'card'],
		['a number as amount', { data: { bill_amount: 12.5 } }, 'bill_amount'],
		['a time without a zone', { data: { created_at: '2026-11-20T10:00:00' } }, 'created_at'],
		['another status', { status: 'SUCCESS' }, 'status'],
		['a product that does not exist', { product: 'loans' }, 'product'],
	])('%s is found', (_what, overrides, word) => {
		const wrong = eventDepartures({ ...sampleEvent('cards.cleared', overrides) });
		expect(wrong.join()).toContain(word);
	});

	it('a block of another card than its operation_id is found', () => {
		const event = sampleEvent('cards.card_blocked_by_velocity', { operation_id: 'another' });
		expect(eventDepartures(event)).toEqual([expect.stringContaining('operation_id')]);
	});
});

describe('headers of a delivery', () => {
	const HEADERS = {
		'x-webhook-key': 'key',
		'x-request-timestamp': '1764150000000',
		'x-trace-id': 'trace',
		'content-type': 'application/json',
	};

	it.each(Object.keys(HEADERS))('a missing %s is found', (name) => {
		expect(deliveryDepartures(HEADERS)).toEqual([]);
		expect(deliveryDepartures({ ...HEADERS, [name]: undefined })).toHaveLength(1);
	});

	it('a time in seconds is found', () => {
		expect(deliveryDepartures({ ...HEADERS, 'x-request-timestamp': '1764150000' })).toHaveLength(1);
	});
});
