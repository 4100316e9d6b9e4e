import fc from 'fast-check';

import {
	deliveryKey,
	type Envelope,
} from '../../../../nodes/CardTreasuryTrigger/delivery/envelope.ts';
import { sampleEvent } from '../../../simulator/index.mts';

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
