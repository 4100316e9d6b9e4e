import {
	approves,
	decisionAnswer,
	isResponseCode,
	waitingAuthorization,
} from '../../../nodes/shared/authorizationAnswer.ts';

describe('response codes (§6.3)', () => {
	it.each(['05', 'N7', '121', 'SUCCESS'])('%s is one', (code) => {
		expect(isResponseCode(code)).toBe(true);
	});

	it.each(['', '5', '0551', 'OK', 'NO', 'YES', 'success', '0 ', 'n7', 51, null])(
		'%j is not one',
		(code) => {
			expect(isResponseCode(code)).toBe(false);
		},
	);

	const APPROVING = ['00', '000', '08', '10', '11', '16', '85', 'SUCCESS'];

	it('codes approve according to §6.3 or to card networks', () => {
		expect(APPROVING.filter((code) => !approves(code))).toEqual([]);
		expect(['05', '51', '01', '12', 'OK'].filter(approves)).toEqual([]);
	});
});

it('decisionAnswer marks a decision in a header, not in the body', () => {
	expect(decisionAnswer('51')).toEqual({
		body: { response_code: '51' },
		headers: { 'x-card-treasury-decision': '1', 'content-type': 'application/json' },
		statusCode: 200,
	});
});

it('waitingAuthorization is shared by all nodes of an execution', () => {
	const flow = {};
	const n8n = { getContext: (type: string) => (type === 'flow' ? flow : {}) };
	waitingAuthorization(n8n).sent = '05';
	expect(waitingAuthorization(n8n)).toEqual({ sent: '05' });
});
