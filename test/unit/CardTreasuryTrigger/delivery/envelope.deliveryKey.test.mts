import fc from 'fast-check';

import {
	deliveryKey,
	type Envelope,
} from '../../../../nodes/CardTreasuryTrigger/delivery/envelope.ts';
import { EVENT_NAMES, sampleEvent } from '../../../simulator/index.mts';

const key = (event: object) => deliveryKey(event as Envelope);
const blocked = (overrides: Record<string, unknown>, at = '2026-11-21T10:00:00.000Z') =>
	sampleEvent('cards.card_blocked_by_velocity', {
		data: { blocked_at: at, last_authorization_id: 'a', ...overrides },
	});

describe('deliveryKey', () => {
	it('operation_ids that JSON.parse has rounded to one number have different keys', () => {
		const of = (operation_id: number, data = {}) =>
			key({ product: 'p', event_type: 'e', operation_id, status: 'success', data });
		expect(of(7)).toBe('p:e:%7:success');
		expect(of(7, { a: 1 })).toBe(of(7, { a: 2 }));
		expect(of(7)).not.toBe(of(8));
		const rounded = Number('12345678901234567890');
		expect(of(rounded, { a: 1 })).not.toBe(of(rounded, { a: 2 }));
		expect(of(rounded, { a: 1 })).toBe(of(rounded, { a: 1 }));
	});

	it('the key consists of product, event type, operation_id and status (§6.2)', () => {
		const event = sampleEvent('cards.cleared', { operation_id: 'op-1' });
		expect(key(event)).toBe('cards:cleared:op-1:success');
		expect(key({ ...event, event_type: 'refund' })).not.toBe(key(event));
		expect(key({ ...event, product: 'treasury' })).not.toBe(key(event));
		expect(key({ ...event, status: 'pending' })).not.toBe(key(event));
		expect(key({ ...event, status: undefined })).not.toBe(key(event));
		expect(key({ ...event, data: {} })).toBe(key(event));
	});

	it('every status has another key, whatever its type', () => {
		const event = sampleEvent('cards.cleared', { operation_id: 'op-1' });
		const statuses = [
			undefined,
			null,
			'null',
			'%null',
			5,
			'5',
			'',
			'""',
			{},
			'{}',
			[],
			{ a: 1 },
			true,
		];
		const keys = statuses.map((status) => key({ ...event, status }));
		expect(new Set(keys).size).toBe(statuses.length);
		expect(keys.slice(0, 3)).toEqual([
			'cards:cleared:op-1:',
			'cards:cleared:op-1:%null',
			'cards:cleared:op-1:null',
		]);
	});

	it('the company comes from the envelope if the data lacks it', () => {
		const event = blocked({});
		const { company_id, ...data } = event.data;
		expect(key({ ...event, company_id, data })).toBe(key(event));
	});

	it.each([
		['card_id', null],
		['blocked_at', null],
		['blocked_at', ''],
		['blocked_at', 5],
	])('two blocks with the %s %j have different keys', (field, value) => {
		const first = blocked({ [field]: value });
		expect(key(structuredClone(first))).toBe(key(first));
		expect(key(blocked({ [field]: value, last_authorization_id: 'b' }))).not.toBe(key(first));
	});

	it('only the same four parts have the same key, whatever their content', () => {
		const part = fc.oneof(
			fc.string({ unit: 'binary-ascii', minLength: 1 }),
			fc.string({ unit: fc.constantFrom(':', '%', '3', 'A', 'a'), minLength: 1, maxLength: 4 }),
		);
		const parts = fc.tuple(part, part, part, part);
		fc.assert(
			fc.property(parts, parts, (left, right) => {
				const [a, b] = [left, right].map(([product, event_type, operation_id, status]) =>
					key({ product, event_type, operation_id, status, data: {} }),
				);
				expect(a === b).toBe(left.every((each, index) => each === right[index]));
			}),
			{
				examples: [
					[
						['a', 'b:c', 'd', 'e'],
						['a:b', 'c', 'd', 'e'],
					],
					[
						['a', 'b', 'c:d', 'e'],
						['a', 'b', 'c%3Ad', 'e'],
					],
				],
			},
		);
	});

	it('a long key is shortened', () => {
		const long = (end: string) =>
			key(sampleEvent('cards.cleared', { operation_id: 'o'.repeat(1_000_000) + end }));
		expect(long('1')).toMatch(/^sha256-[0-9a-f]{64}$/);
		const exactly = (length: number) =>
			key(sampleEvent('cards.cleared', { operation_id: 'o'.repeat(length - 22) }));
		expect(exactly(250)).toHaveLength(250);
		expect(exactly(251)).toHaveLength(71);
		expect(long('1')).not.toBe(long('2'));
	});
});

/**
 * n8n's database keeps these keys over an update of this package. If one of them changes, events that are sent again
 * around the update run a second time, so the change is a major version (CONTRIBUTING.md, "Versions").
 */
const BLOCK = {
	company_id: 'company-1',
	card_id: 'card-1',
	blocked_at: '2026-11-21T10:00:00.000Z',
};
const ALL: Array<[name: string, golden: string, fields?: Record<string, unknown>]> = [
	['cards.authorization', 'cards:authorization:op-1:success'],
	['cards.authorized', 'cards:authorized:op-1:success'],
	['cards.cardnet_direct_deposit', 'cards:cardnet_direct_deposit:op-1:success'],
	['cards.cleared', 'cards:cleared:op-1:success'],
	['cards.declined', 'cards:declined:op-1:success'],
	['cards.deposit', 'cards:deposit:op-1:success'],
	['cards.notification_3ds_authorization', 'cards:notification_3ds_authorization:op-1:success'],
	['cards.refund', 'cards:refund:op-1:success'],
	['cards.reversal', 'cards:reversal:op-1:success'],
	['cards.warranty_withdraw', 'cards:warranty_withdraw:op-1:success'],
	['company_activity.client_status', 'company_activity:client_status:op-1:success'],
	['treasury.ramp_on', 'treasury:ramp_on:op-1:success'],
	['treasury.transfer', 'treasury:transfer:op-1:success'],
	['virtual_wallets.deposit', 'virtual_wallets:deposit:op-1:success'],
	['virtual_wallets.ramp_on', 'virtual_wallets:ramp_on:op-1:success'],
	['virtual_wallets.withdraw', 'virtual_wallets:withdraw:op-1:success'],
	// Another status is another event, and so is a missing one (§6.2).
	['treasury.transfer', 'treasury:transfer:op-1:pending', { status: 'pending' }],
	['treasury.transfer', 'treasury:transfer:op-1:', { status: undefined }],
	// Undocumented event, whose ID holds the separator of the parts.
	['new.event', 'new:event:a%3Ab%25:success', { operation_id: 'a:b%' }],
	// A long key is hashed.
	[
		'cards.cleared',
		'sha256-96a784e64e8852bf3f22dfd8e62f5c89f631ced6d17dbae6af00397cef64cb2f',
		{ operation_id: 'o'.repeat(300) },
	],
	// The operation_id is only the card (§6.5).
	[
		'cards.card_blocked_by_velocity',
		'cards:card_blocked_by_velocity:company-1:card-1:2026-11-21T10%3A00%3A00.000Z',
		{ data: BLOCK },
	],
	[
		'cards.card_blocked_by_velocity',
		'cards:card_blocked_by_velocity:company-2:card-1:2026-11-21T10%3A00%3A00.000Z',
		{ company_id: 'company-2', data: { ...BLOCK, company_id: undefined } },
	],
	// If one of the three is missing, the hash of the data distinguishes blocks.
	[
		'cards.card_blocked_by_velocity',
		'cards:card_blocked_by_velocity:op-1:sha256-ae22d14dd77e42db26491a9a170d6b9fa2bcbe635d3304e10cae417056cda995',
		{ data: { card_id: 'card-1' } },
	],
];

it.each(ALL)('%s keeps the key %s', (name, golden, fields = {}) => {
	const [product = '', event_type = ''] = name.split('.');
	const envelope = { product, event_type, operation_id: 'op-1', status: 'success', data: {} };
	expect(deliveryKey({ ...envelope, ...fields })).toBe(golden);
});

it('every documented event has a key above', () => {
	expect(EVENT_NAMES.filter((event) => !ALL.some(([name]) => name === event))).toEqual([]);
});
