import { approves, decisionInWords, isResponseCode } from '../../../nodes/shared/responseCode.ts';
import { waitingAuthorization } from '../../../nodes/shared/waitingAuthorization.ts';

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

	it('codes approve according to §6.3 or to card networks', () => {
		const approving = ['00', '000', '08', '10', '11', '16', '85', '87', 'SUCCESS'];
		expect(approving.filter((code) => !approves(code))).toEqual([]);
		expect(['05', '51', '01', '12', 'OK'].filter(approves)).toEqual([]);
		expect([decisionInWords('00'), decisionInWords('51')]).toEqual([
			'Approved (00)',
			'Declined (51)',
		]);
	});
});

it('waitingAuthorization is shared by all nodes of an execution', () => {
	const flow = {};
	const n8n = { getContext: (type: string) => (type === 'flow' ? flow : {}) };
	waitingAuthorization(n8n).sent = '05';
	expect(waitingAuthorization(n8n)).toEqual({ sent: '05' });
});
