import {
	answerBy,
	approves,
	chosenResponseCode,
	decisionAnswer,
	isResponseCode,
} from '../../../nodes/service/authorizationAnswer.ts';

describe('response codes (§6.3)', () => {
	it.each(['00', '05', '51', 'N7', '1A', '121', 'SUCCESS'])('%s is one', (code) => {
		expect(isResponseCode(code)).toBe(true);
	});

	it.each([
		'',
		'5',
		'0551',
		'OK',
		'NO',
		'YES',
		'approve',
		'success',
		'APPROVE',
		'0 ',
		'n7',
		51,
		null,
	])('%j is none', (code) => {
		expect(isResponseCode(code)).toBe(false);
	});

	it('only 00 and SUCCESS approve', () => {
		expect(['00', 'SUCCESS', '05', '51', 'OK'].map(approves)).toEqual([
			true,
			true,
			false,
			false,
			false,
		]);
	});

	it('are chosen as Approve, Decline or another', () => {
		expect(chosenResponseCode('approve', '51')).toBe('00');
		expect(chosenResponseCode('decline', '00')).toBe('05');
		expect(chosenResponseCode('other', ' 51 ')).toBe('51');
		expect(chosenResponseCode('other', 51)).toBe('51');
		expect(chosenResponseCode('other', 'OK')).toBeUndefined();
		expect(chosenResponseCode('other', ['51'])).toBeUndefined();
		expect(chosenResponseCode(undefined, '00')).toBeUndefined();
	});
});

it('marks an answer as a decision in a header, not in the body', () => {
	expect(decisionAnswer('51')).toEqual({
		body: { response_code: '51' },
		headers: { 'x-card-treasury-decision': '1', 'content-type': 'application/json' },
		statusCode: 200,
	});
});

it.each([
	[{ answer_by: '2026-11-21T10:00:01.000Z' }, Date.UTC(2026, 10, 21, 10, 0, 1)],
	[{ answer_by: 'soon' }, undefined],
	[{ answer_by: null }, undefined],
	[{}, undefined],
	['answer_by', undefined],
	[null, undefined],
	[undefined, undefined],
])('an item with the delivery %j can be answered until %p', (delivery, at) => {
	expect(answerBy({ delivery })).toBe(at);
});
