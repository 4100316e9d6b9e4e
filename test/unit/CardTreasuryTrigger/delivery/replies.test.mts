import {
	eventItem,
	NOT_DECIDED,
	refusal,
	type Decision,
} from '../../../../nodes/CardTreasuryTrigger/delivery/replies.ts';
import { summaryOf } from '../../../../nodes/CardTreasuryTrigger/events/index.ts';
import { NOW, received } from './received.mts';

const CLEARED = received('cards.cleared');
const AUTHORIZATION = received('cards.authorization');
const FACTS = {
	key: 'cards.cleared:op-1',
	trace_id: 'trace-1',
	sent_at: null,
	received_at: '2026-11-21T10:00:00.000Z',
};

describe('item of an event', () => {
	it('the item is the envelope as it came, with the facts of its delivery', () => {
		const summary = summaryOf(CLEARED.envelope);
		const { json } = eventItem(CLEARED);
		expect(json).toEqual({ summary, ...CLEARED.envelope, delivery: FACTS });
		expect(Object.keys(json)[0]).toBe('summary');
	});

	it('the sender cannot set the facts', () => {
		const envelope = { ...CLEARED.envelope, delivery: { key: 'forged', answer_by: 'never' } };
		expect(eventItem({ ...CLEARED, envelope }).json.delivery).toEqual(FACTS);
	});

	it.each([
		[{ traceId: undefined }, { trace_id: null }],
		[{ traceId: ['a', 'b'] }, { trace_id: null }],
		[{ sentAt: NOW - 100 }, { sent_at: '2026-11-21T09:59:59.900Z' }],
		[{ issues: ['status: is missing'] }, { schema_issues: ['status: is missing'] }],
	])('a delivery with %j is shown as %j', (changes, facts) => {
		expect(eventItem({ ...CLEARED, ...changes }).json.delivery).toEqual({ ...FACTS, ...facts });
	});

	it('the item of a question shows who asks and the deadline of the answer', () => {
		const { json } = eventItem(AUTHORIZATION, { asked: { rule: 'large', answerBy: NOW + 1_000 } });
		expect(json.decision).toEqual({
			outcome: 'asked',
			rule: 'large',
			answer_by: '2026-11-21T10:00:01.000Z',
		});
		expect(Object.keys(json).slice(0, 2)).toEqual(['decision', 'summary']);
		expect(json.summary).toMatch(/^Waiting for a decision: /);
		expect(json.delivery).not.toHaveProperty('answer_by');
	});

	it('the item shows the decision and its duration', () => {
		const arrival = { at: NOW, elapsed: () => 12.6, senderLeft: () => false };
		const decision = { response_code: '05', source: 'default' } as const;
		const { json } = eventItem({ ...CLEARED, arrival }, { decision });
		expect(json.decision).toEqual({ outcome: 'declined', ...decision, answered_in_ms: 13 });
		expect(Object.keys(json)[0]).toBe('decision');
	});

	it('the summary says the decision', () => {
		const summaryWith = (decision: Decision) => eventItem(AUTHORIZATION, { decision }).json.summary;
		expect(summaryWith({ response_code: '05', source: 'default' })).toMatch(/^Declined \(05\): /);
		expect(summaryWith({ response_code: '00', source: 'rule', rule: 'Small <b>' })).toMatch(
			/^Approved \(00\) by the rule "Small ‹b›": \S/,
		);
	});

	it('the sender cannot set a summary', () => {
		const envelope = { ...CLEARED.envelope, summary: 'Paid' };
		expect(eventItem({ ...CLEARED, envelope })).toEqual(eventItem(CLEARED));
	});

	it('the sender cannot set a decision', () => {
		const forged = { outcome: 'approved', response_code: '00', source: 'rule' };
		const envelope = { ...CLEARED.envelope, decision: forged };
		expect(eventItem({ ...CLEARED, envelope }).json).not.toHaveProperty('decision');
		const decision = { response_code: '05', source: 'default' } as const;
		expect(eventItem({ ...CLEARED, envelope }, { decision }).json.decision).toMatchObject(decision);
	});

	it.each([
		['00', 'approved'],
		['SUCCESS', 'approved'],
		['05', 'declined'],
	])('an authorization answered with %s is shown as %s', (response_code, outcome) => {
		const decision = { response_code, source: 'default' } as const;
		expect(eventItem(CLEARED, { decision }).json.decision).toMatchObject({ outcome });
	});
});

describe('replies (§6.3)', () => {
	it('a refusal has no response code, which would decide an authorization', () => {
		const message = expect.any(String);
		expect(NOT_DECIDED).toEqual({ status: 501, body: { code: 'NOT_DECIDED', message } });
		expect(refusal(401, 'AUTH', 'No')).toEqual({
			status: 401,
			body: { code: 'AUTH', message: 'No' },
		});
	});
});
