import fc from 'fast-check';
import { deliveryKey } from '../../../../nodes/CardTreasuryTrigger/delivery/deliveryKey.ts';
import type { Envelope } from '../../../../nodes/CardTreasuryTrigger/delivery/parse.ts';
import { sampleEvent } from '../../../simulator/index.mts';

const key = (event: object) => deliveryKey(event as Envelope);
const blocked = (overrides: Record<string, unknown>, at = '2026-11-21T10:00:00.000Z') =>
	sampleEvent('cards.card_blocked_by_velocity', {
		data: { blocked_at: at, last_authorization_id: 'a', ...overrides },
	});

describe('deliveryKey', () => {
	it('is operation_id within product, event type and status (§6.2)', () => {
		const event = sampleEvent('cards.cleared', { operation_id: 'op-1' });
		expect(key(event)).toBe('cards:cleared:op-1:success');
		expect(key({ ...event, event_type: 'refund' })).not.toBe(key(event));
		expect(key({ ...event, product: 'treasury' })).not.toBe(key(event));
		expect(key({ ...event, status: 'pending' })).not.toBe(key(event));
		expect(key({ ...event, status: undefined })).not.toBe(key(event));
		expect(key({ ...event, data: {} })).toBe(key(event));
	});

	it('tells one block of a card from the next (§6.5)', () => {
		const first = blocked({});
		expect(key(structuredClone(first))).toBe(key(first));
		expect(key(blocked({}, '2026-11-21T10:05:00.000Z'))).not.toBe(key(first));
	});

	it('takes the company from the envelope when the data lacks it', () => {
		const event = blocked({});
		const { company_id, ...data } = event.data;
		expect(key({ ...event, company_id, data })).toBe(key(event));
	});

	it.each(['card_id', 'blocked_at'])('never takes two blocks without %s for one', (field) => {
		const first = blocked({ [field]: null });
		expect(key(structuredClone(first))).toBe(key(first));
		expect(key(blocked({ [field]: null, last_authorization_id: 'b' }))).not.toBe(key(first));
	});

	it('is the same only for the same four parts, whatever is in them', () => {
		const part = fc.oneof(
			fc.string({ unit: 'binary', minLength: 1 }),
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

	it('stays short', () => {
		const long = (end: string) =>
			key(sampleEvent('cards.cleared', { operation_id: 'o'.repeat(1_000_000) + end }));
		expect(long('1').length).toBeLessThan(100);
		expect(long('1')).not.toBe(long('2'));
	});
});
