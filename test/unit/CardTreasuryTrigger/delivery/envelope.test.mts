import { z as zod4 } from 'zod/v4';

import { parse } from '../../../../nodes/CardTreasuryTrigger/delivery/envelope.ts';
import { EVENTS } from '../../../../nodes/CardTreasuryTrigger/events/index.ts';
import { EVENT_NAMES, sampleEvent } from '../../../simulator/index.mts';
import { loadWith } from '../../shared/otherHost.mts';

const issuesOf = (body: unknown) => {
	const parsed = parse(body);
	return parsed.ok ? parsed.issues : parsed.message;
};

describe('catalog (§6.5)', () => {
	it('the catalog has the events of the interface document, in its order', () => {
		expect(EVENTS.map(({ product, event_type }) => `${product}.${event_type}`)).toEqual(
			EVENT_NAMES,
		);
	});

	it.each(EVENT_NAMES)('a documented %s has no issues', (name) => {
		expect(issuesOf(sampleEvent(name))).toEqual([]);
	});

	it('other statuses, and values that the document gives no type, are no deviation', () => {
		const documented = [
			// §6.2, by hand.
			...['pending', 'failed', 'canceled', 'time_canceled', 'manual_check'].map((status) =>
				sampleEvent('treasury.transfer', { status }),
			),
			sampleEvent('cards.authorization', { data: { signature: '0xsigned' } }),
			sampleEvent('cards.card_blocked_by_velocity', { data: { last_authorization_id: null } }),
			sampleEvent('cards.card_blocked_by_velocity', {
				data: { card_id: 'A1B2C3D4-0000-4000-8000-00000000000F' },
			}),
			// The document gives no types for these.
			...[5942, '742', 'x942'].map((mcc_code) =>
				sampleEvent('cards.cleared', { data: { merchant_data: { mcc_code, name: 7 } } }),
			),
			sampleEvent('cards.declined', {
				data: { decline_reason: { response_code: 51, code: null } },
			}),
			sampleEvent('cards.notification_3ds_authorization', { data: { code: 482_913 } }),
			sampleEvent('treasury.transfer', { data: { wallet_id: 7, token: 'USDC' } }),
			sampleEvent('treasury.ramp_on', { data: { exchange_rate: 5.4, source_from: null } }),
			sampleEvent('virtual_wallets.withdraw', { status: 'canceled', data: { reason: null } }),
			sampleEvent('virtual_wallets.withdraw', { status: 'failed', data: { reason: { code: 1 } } }),
			sampleEvent('company_activity.client_status', {
				status: 'success',
				data: { status: 'in_review', rejection_code: null, type: 7 },
			}),
			sampleEvent('company_activity.client_status', {
				data: { first_name: null, address: { city: 'Lisbon' } },
			}),
		];
		expect(documented.flatMap(issuesOf)).toEqual([]);
	});
});

describe('deviations from §6.5', () => {
	const cleared = (data: Record<string, unknown>) => sampleEvent('cards.cleared', { data });
	it.each([
		[cleared({ bill_amount: 52.35 }), 'data.bill_amount: must be a decimal string, e.g. "12.50"'],
		[
			cleared({ fees: { fx_fees: 1 } }),
			'data.fees.fx_fees: must be a decimal string, e.g. "12.50"',
		],
		[
			cleared({ created_at: '2026-11-21T10:00:00+02:00' }),
			'data.created_at: must be an ISO 8601 time in UTC',
		],
		[cleared({ merchant_data: [] }), 'data.merchant_data: must be an object'],
		[cleared({ decline_reason: 'no' }), 'data.decline_reason: must be an object'],
		[
			sampleEvent('cards.cleared', { status: 'settled' }),
			'status: "settled" is not a documented status',
		],
		[{ ...sampleEvent('cards.cleared'), status: undefined }, 'status: is missing'],
		[
			{ ...sampleEvent('cards.cleared'), status: 'x'.repeat(46) },
			`status: "${'x'.repeat(44)}…" is not a documented status`,
		],
		[
			{ ...sampleEvent('cards.cleared'), status: 5 },
			'status: a value of type number is not a documented status',
		],
		[{ ...sampleEvent('cards.cleared'), operation_id: 7 }, 'operation_id: must be a string'],
		[
			{ ...sampleEvent('cards.card_blocked_by_velocity'), company_id: undefined },
			'company_id: is missing',
		],
		[{ ...sampleEvent('cards.cleared'), company_id: 7 }, 'company_id: must be a string'],
		...['Polygon', 'POLYGON', '', 137, null].map((blockchain): [object, string] => [
			sampleEvent('treasury.transfer', { data: { blockchain } }),
			'data.blockchain: must be a name in lower case',
		]),
		[
			sampleEvent('cards.notification_3ds_authorization', {
				data: { transaction_timestamp: '21/11/2026 10:00' },
			}),
			'data.transaction_timestamp: must be an ISO 8601 time in UTC',
		],
		...['cards.authorization', 'cards.notification_3ds_authorization'].map(
			(name): [object, string] => [
				sampleEvent(name, { status: 'success' }),
				'status: must be "pending" for this event',
			],
		),
		[
			sampleEvent('cards.card_blocked_by_velocity', { operation_id: 'op-1' }),
			'operation_id: must be the card_id for this event',
		],
		[
			sampleEvent('company_activity.client_status', {
				status: 'success',
				data: { status: 'rejected' },
			}),
			'status: must be "failed" for a rejected client',
		],
		...[null, ''].map((reason): [object, string] => [
			sampleEvent('virtual_wallets.withdraw', { status: 'failed', data: { reason } }),
			'data.reason: is missing, although the withdrawal failed',
		]),
		[
			sampleEvent('cards.authorization', { data: { metadata: { account: undefined } } }),
			'data.metadata.account: is missing',
		],
		[
			sampleEvent('cards.cleared', { product: 'cash' }),
			'product: "cash" is not a documented product',
		],
		[
			sampleEvent('cards.cleared', { event_type: 'expired' }),
			'event_type: "expired" is not a documented event of cards, so its data was not checked',
		],
		[
			sampleEvent('cards.card_blocked_by_velocity', {
				data: { triggered_rule: { max_authorizations: 1.5 } },
			}),
			'data.triggered_rule.max_authorizations: must be a whole number',
		],
	])('deviation %# is an issue that names the field', (body, issue) => {
		expect(issuesOf(body)).toEqual([issue]);
	});

	it('at most twenty issues are listed', () => {
		const data = { fees: {}, merchant_data: {} };
		const issues = issuesOf({ ...sampleEvent('cards.authorization'), status: 1, data });
		expect(issues).toHaveLength(21);
		expect(issues.at(-1)).toMatch(/^and \d more$/);
	});
});

describe('body that is not an envelope', () => {
	const event = sampleEvent('cards.cleared');
	const text = (field: string) => `"${field}" must be a string that is not empty`;
	const object = 'The body must be a JSON object, sent as application/json';
	it.each([
		[undefined, object],
		[null, object],
		['text', object],
		[[event], object],
		[{ ...event, product: 5 }, text('product')],
		[{ ...event, event_type: undefined }, text('event_type')],
		[{ ...event, operation_id: '' }, `${text('operation_id')}, or a number`],
		[{ ...event, data: undefined }, '"data" must be an object'],
		[{ ...event, data: [] }, '"data" must be an object'],
	])('body %# is refused with a message', (body, message) => {
		expect(parse(body)).toEqual({ ok: false, message });
	});
});

describe('envelope as it came', () => {
	it('the envelope is the same object, with decimal strings and unknown fields', () => {
		const body = {
			...sampleEvent('cards.cleared', { data: { bill_amount: '0.10', extra: 1 } }),
			more: [1],
		};
		const parsed = parse(body);
		expect(parsed).toMatchObject({ ok: true, envelope: body });
	});
});

describe('zod 4 of a newer host', () => {
	let parseWithZod4: typeof parse;

	beforeAll(async () => {
		({ parse: parseWithZod4 } = await loadWith(
			'zod',
			() => ({ z: zod4 }),
			async () => await import('../../../../nodes/CardTreasuryTrigger/delivery/envelope.ts'),
		));
	});

	it('the issues are the same', () => {
		const bodies = EVENT_NAMES.flatMap((name) => [
			sampleEvent(name),
			{ ...sampleEvent(name), data: {} },
			{ ...sampleEvent(name), data: allSevens(name) },
			{
				...sampleEvent(name),
				data: Object.fromEntries(Object.keys(sampleEvent(name).data).map((key) => [key, null])),
			},
		]);
		const withZod3 = bodies.map(issuesOf);
		expect(parseWithZod4).not.toBe(parse);
		const withZod4 = bodies.map((body) => {
			const parsed = parseWithZod4(body);
			return parsed.ok ? parsed.issues : parsed.message;
		});
		expect(withZod4).toEqual(withZod3);
		expect(withZod3.flat().length).toBeGreaterThan(100);
	});
});

/** So many levels, the outermost an object. */
function nested(levels: number, wrap: (inner: unknown) => object): object {
	let body: object = {};
	for (let level = 1; level < levels; level++) body = wrap(body);
	return body;
}

describe('body of a delivery', () => {
	const envelope = { product: 'p', event_type: 'e', operation_id: 'o', status: 'success' };

	it.each([
		['objects', (inner: unknown) => ({ inner })],
		['lists', (inner: unknown) => ['text', inner, null]],
	])('the body may be nested 100 levels deep, in %s', (_, wrap) => {
		// The body and `data` are two of them.
		const levels = (count: number) => ({ ...envelope, data: { inner: nested(count - 2, wrap) } });
		expect(parse(levels(100)).ok).toBe(true);
		expect(parse(levels(101))).toEqual({
			ok: false,
			message: 'The body is nested deeper than 100 levels',
		});
	});

	it('keys named __proto__ are removed and counted', () => {
		const body = JSON.parse('{"__proto__":{},"data":{"__proto__":1,"b":[{"__proto__":null}]}}');
		Object.assign(body, envelope);
		expect(issuesOf(body)[0]).toBe(
			'__proto__: 3 key(s) of this name were removed as unsafe to copy',
		);
		expect(JSON.stringify(body)).toBe(JSON.stringify({ data: { b: [{}] }, ...envelope }));
	});

	it('an object without a prototype is read', () => {
		const body = Object.assign(Object.create(null), envelope, { data: {} });
		expect(parse(body).ok).toBe(true);
	});
});

function allSevens(name: string): Record<string, unknown> {
	return Object.fromEntries(Object.keys(sampleEvent(name).data).map((field) => [field, 7]));
}
