import { RECIPIENT, refusalOf, TOKEN, TRANSFER } from '../guarded.mts';
import { callerOf, inputOf, operationOf, requestOf } from '../reading.mts';

it.each<[object, string]>([
	[{ to: '' }, 'Recipient Address is empty'],
	[{ to: `0x${'0'.repeat(36)}dEaD` }, 'Recipient Address is a burn address, where tokens are lost'],
	[{ to: `${'0'.repeat(36)}DEAD` }, 'Recipient Address is a burn address, where tokens are lost'],
	[
		{ to: RECIPIENT.replace('a', '\u0430') },
		'Recipient Address contains a space or a character outside ASCII',
	],
	[{ tokenAddress: '' }, 'Token is empty'],
	[{ tokenAddress: '0x12' }, 'Token "0x12" is not a contract address'],
	[{ amountMode: 'all' }, 'Amount Mode cannot be "all"'],
	[{ amount: '' }, 'Amount is empty'],
	[{ amount: '0.0000001' }, 'Amount has more than 6 decimal places'],
	[{ amount: '1000000000' }, 'Amount has more than 9 digits before the decimal point'],
])('a transfer with %j is refused', async (parameters, message) => {
	expect(await refusalOf({ parameters: { ...TRANSFER, ...parameters } })).toBe(message);
});

it.each(['native', 'NATIVE'])('the token %s is the native coin', async (tokenAddress) => {
	const { body } = await requestOf('wallet: transfer', {
		parameters: { ...TRANSFER, tokenAddress },
	});
	expect(body).toBe(`{"to":"${RECIPIENT}","amount":10}`);
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

describe('hints of transfers', () => {
	const PENDING = /^(1 transfer is|2 transfers are) pending or need/;
	const NO_STATUS = /^1 transfer came back without a documented status \((none|failed|REJECTED)\)/;
	const NO_CHECKSUM = /^(The recipient address of 1 transfer carries|2 transfers go to)/;
	const dryRun = { outcome: 'dry_run', to: 'TX' };
	const OPEN = { outcome: 'pending' };

	it.each<[object[], RegExp[]]>([
		[[{ status: 'SUCCESS', to: RECIPIENT }, { status: 'NOTHING_TO_SEND', to: 'TX' }, {}], []],
		[[{ ...OPEN, status: 'PENDING' }], [PENDING]],
		[
			[
				{ ...OPEN, status: 'PENDING' },
				{ ...OPEN, status: 'MANUAL_CHECK' },
			],
			[PENDING],
		],
		...[null, '', 'failed', 'REJECTED'].map((status): [object[], RegExp[]] => [
			[{ ...OPEN, status }],
			[NO_STATUS],
		]),
		[
			[{ ...OPEN, status: null, answer: { code: 'APP_ERROR', message: 'Insufficient funds' } }],
			[/The service replied: "Insufficient funds"\.$/],
		],
		[[{ status: 'SUCCESS', to: RECIPIENT.toLowerCase() }], [NO_CHECKSUM]],
		[[dryRun, { status: 'SUCCESS', to: 'TY' }], [NO_CHECKSUM]],
	])('the items %j have the warnings %j', (items, warnings) => {
		const hints = operationOf('wallet: transfer').hints([items as Array<Record<string, unknown>>]);
		expect(hints).toEqual(
			warnings.map((message) => ({ message: expect.stringMatching(message), type: 'warning' })),
		);
	});
});
