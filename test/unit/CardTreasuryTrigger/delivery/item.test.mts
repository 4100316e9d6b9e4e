import { eventItem } from '../../../../nodes/CardTreasuryTrigger/delivery/item.ts';
import { NOW, received } from './received.mts';

const EVENT = received('cards.cleared');
const FACTS = {
	key: 'cards.cleared:op-1',
	trace_id: 'trace-1',
	sent_at: null,
	received_at: '2026-11-21T10:00:00.000Z',
};

describe('the item of an event', () => {
	it('is the envelope as it came, with the facts of its delivery', () => {
		expect(eventItem(EVENT)).toEqual({ json: { ...EVENT.envelope, delivery: FACTS } });
	});

	it('never takes the facts from the sender', () => {
		const envelope = { ...EVENT.envelope, delivery: { key: 'forged', answer_by: 'never' } };
		expect(eventItem({ ...EVENT, envelope }).json.delivery).toEqual(FACTS);
	});

	it.each([
		[{ traceId: undefined }, { trace_id: null }],
		[{ traceId: ['a', 'b'] }, { trace_id: null }],
		[{ sentAt: NOW - 100 }, { sent_at: '2026-11-21T09:59:59.900Z' }],
		[{ sentAt: 0 }, { sent_at: '1970-01-01T00:00:00.000Z' }],
		[{ issues: ['status: is missing'] }, { schema_issues: ['status: is missing'] }],
	])('tells %j as %j', (changes, facts) => {
		expect(eventItem({ ...EVENT, ...changes }).json.delivery).toEqual({ ...FACTS, ...facts });
	});

	it('tells until when it can be answered', () => {
		expect(eventItem(EVENT, { answerBy: NOW + 1_000 }).json.delivery).toEqual({
			...FACTS,
			answer_by: '2026-11-21T10:00:01.000Z',
		});
	});

	it('carries the decision, and how long it took', () => {
		const arrival = { at: NOW, elapsed: () => 12.6, senderLeft: () => false };
		const decision = { response_code: '05', source: 'default' } as const;
		const { json } = eventItem({ ...EVENT, arrival }, { decision });
		expect(json.decision).toEqual({ outcome: 'declined', ...decision, answered_in_ms: 13 });
		expect(Object.keys(json)[0]).toBe('decision');
	});

	it('never takes a decision from the sender', () => {
		const forged = { outcome: 'approved', response_code: '00', source: 'rule' };
		const envelope = { ...EVENT.envelope, decision: forged };
		expect(eventItem({ ...EVENT, envelope }).json).not.toHaveProperty('decision');
		const decision = { response_code: '05', source: 'default' } as const;
		expect(eventItem({ ...EVENT, envelope }, { decision }).json.decision).toMatchObject(decision);
	});

	it.each([
		['00', 'approved'],
		['SUCCESS', 'approved'],
		['05', 'declined'],
		['51', 'declined'],
	])('of an authorization answered with %s says %s', (response_code, outcome) => {
		const decision = { response_code, source: 'default' } as const;
		expect(eventItem(EVENT, { decision }).json.decision).toMatchObject({ outcome });
	});
});
