import crypto from 'node:crypto';

import {
	checkEnvelope,
	checkKey,
	deliveryKey,
	itemOf,
} from '../../../nodes/CardTreasuryTrigger/delivery.ts';
import type { Envelope } from '../../../nodes/CardTreasuryTrigger/events.ts';
import { sampleEvent } from '../../simulator/index.mts';

const CLEARED = { ...sampleEvent('cards.cleared', { operation_id: 'op-1' }) };

const KEYS = ['current', 'previous'];

it.each<[given: unknown, keys: string[], status: number | undefined]>([
	['current', KEYS, undefined],
	['previous', KEYS, undefined],
	['Current', KEYS, 401],
	['curren', KEYS, 401],
	['', KEYS, 401],
	[undefined, KEYS, 401],
	[['current'], KEYS, 401],
	['', [], 401],
	['x', [], 401],
	['x'.repeat(100_000), KEYS, 401],
])('the webhook key %j (§5.5) with the keys %j gets the status %s', (given, keys, status) => {
	expect(checkKey(given, keys)?.status).toBe(status);
});

it('every key is compared, by digests of one length, so that times tell nothing', () => {
	const compare = jest.spyOn(crypto, 'timingSafeEqual');
	for (const given of ['current', 'previous', 'wrong', '', undefined]) checkKey(given, KEYS);
	const lengths = compare.mock.calls.map((all) => all.map((each) => each.byteLength));
	expect(lengths).toEqual(Array(10).fill([32, 32]));
});

it.each<[field: string | undefined, body: unknown]>([
	[undefined, CLEARED],
	[undefined, { ...CLEARED, operation_id: 5 }],
	[undefined, { ...CLEARED, status: undefined, data: {}, more: [1] }],
	['"operation_id"', { ...CLEARED, operation_id: 2 ** 60 }],
	['"operation_id"', { ...CLEARED, operation_id: ' ' }],
	['"operation_id"', { ...CLEARED, operation_id: null }],
	['"product"', { ...CLEARED, product: 5 }],
	['"event_type"', { ...CLEARED, event_type: undefined }],
	['"data"', { ...CLEARED, data: undefined }],
	['"data"', { ...CLEARED, data: [] }],
	['The body', undefined],
	['The body', null],
	['The body', 'text'],
	['The body', [CLEARED]],
])('%s is named by the refusal of envelope %# (§6.2)', (field, body) => {
	const refused = checkEnvelope(body);
	expect(refused).toEqual(
		field && { status: 400, body: { code: 'VAL', message: expect.stringMatching(`^${field} `) } },
	);
});

const BLOCKED = 'cards.card_blocked_by_velocity';
const BLOCK = { company_id: 'c-1', card_id: 'card-1', blocked_at: '2026-11-21T10:00:00Z' };
/** Block whose company stands beside its data (§6.2). */
const OUTSIDE = { company_id: 'c-2', data: { ...BLOCK, company_id: undefined } };

/** n8n's database keeps these keys. If one changes, events that are sent again around an update run twice. */
it.each<[key: string, name: string, changes?: object]>([
	['cards:cleared:op-1:success', 'cards.cleared'],
	['cards:cleared:op-1:success', 'cards.cleared', { status: 'SUCCESS', data: {} }],
	['treasury:transfer:op-1:pending', 'treasury.transfer', { status: ' Pending' }],
	['treasury:transfer:op-1:canceled', 'treasury.transfer', { status: 'CANCELLED' }],
	['treasury:transfer:op-1:settled', 'treasury.transfer', { status: 'settled' }],
	['new:event:op-1:5', 'new.event', { status: 5 }],
	['new:event:op-1:null', 'new.event', { status: null }],
	['new:event:op-1:', 'new.event', { status: undefined }],
	['new:event:7:success', 'new.event', { operation_id: 7 }],
	['cards:card_blocked_by_velocity:c-1:card-1:2026-11-21T10:00:00Z', BLOCKED, { data: BLOCK }],
	['cards:card_blocked_by_velocity:c-2:card-1:2026-11-21T10:00:00Z', BLOCKED, OUTSIDE],
])('delivery key %s', (key, name, changes = {}) => {
	const [product = '', event_type = ''] = name.split('.');
	const envelope = { product, event_type, operation_id: 'op-1', status: 'success', data: {} };
	expect(deliveryKey({ ...envelope, ...changes })).toBe(key);
});

it.each([null, ''])('blocks of a card with the time %j are not equal', (blocked_at) => {
	const block = sampleEvent(BLOCKED, { data: { blocked_at } });
	expect(deliveryKey(block as never)).not.toBe(deliveryKey(block as never));
});

describe('item', () => {
	const of = (envelope: object, headers = {}) =>
		itemOf({ envelope: envelope as Envelope, headers, arrivedAt: 1.5e12 }).json;

	it('the event is passed on as it came, behind its summary', () => {
		const sent = { ...CLEARED, extra: 1, data: { ...CLEARED.data, bill_amount: '0.10' } };
		const headers = { 'x-request-timestamp': String(1.5e12 - 5), 'x-trace-id': 'trace-1' };
		const { summary, delivery, ...rest } = of(sent, headers);
		expect(rest).toEqual(sent);
		expect(summary).toMatch(/^Card purchase cleared: 0\.10 USD at Coffee & Books/);
		expect(delivery).toEqual({
			key: 'cards:cleared:op-1:success',
			trace_id: 'trace-1',
			sent_at: '2017-07-14T02:39:59.995Z',
			received_at: '2017-07-14T02:40:00.000Z',
		});
	});

	it('missing headers are null, and deviations from the document are listed', () => {
		expect(of({ ...CLEARED, operation_id: 5 }).delivery).toMatchObject({
			trace_id: null,
			sent_at: null,
			schema_issues: ['operation_id: Expected string, received number'],
		});
	});

	it("a sender's fields with names of ours are dropped", () => {
		const item = of({ ...CLEARED, decision: 1, summary: 2, delivery: 3 });
		expect(item).toMatchObject({ summary: expect.any(String), delivery: expect.any(Object) });
		expect('decision' in item).toBe(false);
	});
});
