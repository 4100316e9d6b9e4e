import { RECIPIENT, TOKEN, TRANSFER } from '../guarded.mts';
import { callerOf, inputOf, operationOf } from '../reading.mts';

it('a failed transfer shows what it was to send, as far as it is readable', async () => {
	const subjectOf = async (parameters: Record<string, unknown>) =>
		await operationOf('wallet: transfer').subject(
			inputOf({ parameters }),
			callerOf({ parameters }),
		);
	expect(await subjectOf({ ...TRANSFER })).toEqual({
		status: null,
		transaction_hash: null,
		wallet_id: 'w',
		to: RECIPIENT,
		token_address: TOKEN,
		amount: '10',
		payment_reference: 'INV-1',
	});
	expect(await subjectOf({ ...TRANSFER, to: 5, amount: 'x', tokenAddress: '0x1' })).toStrictEqual({
		status: null,
		transaction_hash: null,
		wallet_id: 'w',
		payment_reference: 'INV-1',
	});
});
