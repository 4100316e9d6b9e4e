import {
	ACKNOWLEDGED,
	NOT_DECIDED,
	decisionReply,
	refusal,
} from '../../../../nodes/CardTreasuryTrigger/delivery/outcome.ts';

describe('replies (§6.3)', () => {
	it('to an event, and to an authorization that is decided', () => {
		expect(ACKNOWLEDGED).toEqual({ status: 200, body: { response_code: 'OK' } });
		expect(decisionReply('51')).toEqual({ status: 200, body: { response_code: '51' } });
	});

	it('that are no success carry no response code, which would decide an authorization', () => {
		const message = expect.any(String);
		expect(NOT_DECIDED).toEqual({ status: 501, body: { code: 'NOT_DECIDED', message } });
		expect(refusal(401, 'AUTH', 'No')).toEqual({
			status: 401,
			body: { code: 'AUTH', message: 'No' },
		});
	});
});
