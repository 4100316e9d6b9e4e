import { RECIPIENT, TOKEN, TRANSFER } from '../guarded.mts';
import { callerOf, inputOf, operationOf, workOf } from '../reading.mts';

describe('identity of a transfer', () => {
	const fingerprintOf = async (parameters: object) =>
		(
			await workOf('wallet: transfer', {
				parameters: { ...TRANSFER, options: { allowMissingChecksum: true }, ...parameters },
			})
		).fingerprint;

	it('ignores the spelling of addresses and amount', async () => {
		const other = {
			to: RECIPIENT.toLowerCase(),
			tokenAddress: TOKEN.toLowerCase(),
			amount: '10.0',
		};
		expect(await fingerprintOf(other)).toBe(await fingerprintOf({}));
	});

	it.each([
		['token', { tokenAddress: `0x${'1'.repeat(40)}` }],
		['coin', { tokenAddress: 'native' }],
		['recipient', { to: `0x${'1'.repeat(40)}` }],
		['amount', { amount: '11' }],
	])('changes with the %s', async (_, change) => {
		expect(await fingerprintOf(change)).not.toBe(await fingerprintOf({}));
	});
});

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
