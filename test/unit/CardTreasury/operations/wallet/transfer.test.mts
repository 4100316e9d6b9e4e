import { RECIPIENT, refusalOf, TOKEN, TRANSFER } from '../guarded.mts';
import { callerOf, inputOf, operationOf, requestOf } from '../reading.mts';

it.each<[object, string]>([
	[{ to: '' }, 'Recipient Address is empty'],
	[{ tokenAddress: '' }, 'Token is empty'],
	[{ tokenAddress: '0x12' }, 'Token "0x12" is not a contract address'],
	[{ amountMode: 'all' }, 'Amount Mode cannot be "all"'],
	[{ amount: '' }, 'Amount is empty'],
	[{ amount: '0.0000001' }, 'Amount has more than 6 decimal places'],
	[{ amount: '1000000000' }, 'Amount has more than 9 digits before the decimal point'],
])('a transfer with %j is refused', async (parameters, message) => {
	expect(await refusalOf({ parameters: { ...TRANSFER, ...parameters } })).toBe(message);
});

it('spaces around an address are not sent', async () => {
	const parameters = { ...TRANSFER, to: ` ${RECIPIENT}\n`, tokenAddress: `\t${TOKEN} ` };
	const { body } = await requestOf('wallet: transfer', { parameters });
	expect(body).toBe(`{"to":"${RECIPIENT}","token_address":"${TOKEN}","amount":10}`);
});

it('a failed transfer shows what it was to send, as far as it is readable', async () => {
	const subjectOf = async (parameters: Record<string, unknown>) =>
		await operationOf('wallet: transfer').subject(
			inputOf({ parameters }),
			callerOf({ parameters }),
		);
	const readable = {
		status: null,
		transaction_hash: null,
		wallet_id: 'w',
		payment_reference: 'INV-1',
	};
	expect(await subjectOf({ ...TRANSFER })).toEqual({
		...readable,
		to: RECIPIENT,
		token_address: TOKEN,
		amount: '10',
	});
	expect(await subjectOf({ ...TRANSFER, to: 5, amount: 'x', tokenAddress: '0x1' })).toStrictEqual(
		readable,
	);
});
