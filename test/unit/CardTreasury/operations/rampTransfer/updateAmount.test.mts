import { meaningOf, response } from '../../request/classified.mts';
import { workOf } from '../reading.mts';

describe('unchangeable ramp transfer', () => {
	const said = async (body: object) => {
		const parameters = { rampTransferId: 'r', amount: '1' };
		const { profile } = await workOf('rampTransfer: updateAmount', { parameters });
		return meaningOf(response(400, body), profile).message;
	};
	const NOT_PENDING = 'The amount can only be changed while the ramp transfer is PENDING';

	it('an unchangeable transfer is distinguished from a rejected amount (§4.4)', async () => {
		expect(await said({ code: 'APP_ERROR', message: 'x' })).toContain(NOT_PENDING);
		for (const other of [{ code: 'VAL', message: 'x' }, { message: 'x' }, {}])
			expect(await said(other)).not.toContain(NOT_PENDING);
	});
});
