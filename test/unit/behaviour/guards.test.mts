import { InvalidFieldError } from '../../../nodes/shared/fields/invalidField.ts';
import {
	RECIPIENT,
	refused,
	SWEEP,
	TOKEN,
	TRANSFER,
	withOptions,
} from '../CardTreasury/operations/guarded.mts';
import { requestOf, workOf, type Item } from '../CardTreasury/operations/reading.mts';

const ADDRESS_FIX = 'Copy the address again from its source.';
const TOKEN_FIX =
	'Choose the token from the list, or enter its contract address; native stands for the native coin.';
const REMOVE = 'Enter a value, or remove the option.';
const NO_VALUE_FIX = 'Check the expression, and that the input has what it refers to.';

it.each<[string, object, string, string]>([
	['no recipient', { to: '' }, 'Recipient Address is empty', 'Enter the Recipient Address.'],
	['a number', { to: 5 }, 'Recipient Address is not a string', ADDRESS_FIX],
	[
		'too few digits',
		{ to: '0x1234' },
		'Recipient Address must be 0x followed by 40 hexadecimal digits',
		ADDRESS_FIX,
	],
	[
		'a mistyped letter',
		{ to: RECIPIENT.replace('5aA', '5AA') },
		'Recipient Address does not match its checksum (EIP-55): a character is wrong',
		ADDRESS_FIX,
	],
	[
		'the zero address',
		{ to: `0x${'0'.repeat(40)}` },
		'Recipient Address is the zero address',
		ADDRESS_FIX,
	],
	[
		'a burn address',
		{ to: `0x${'0'.repeat(36)}dEaD` },
		'Recipient Address is a burn address, where tokens are lost',
		ADDRESS_FIX,
	],
	[
		'a burn address in other letters, without 0x',
		{ to: `${'0'.repeat(36)}DEAD` },
		'Recipient Address is a burn address, where tokens are lost',
		ADDRESS_FIX,
	],
	[
		'a space inside',
		{ to: 'TJR ab' },
		'Recipient Address contains a space or a character outside ASCII',
		ADDRESS_FIX,
	],
	[
		'a Cyrillic letter',
		{ to: RECIPIENT.replace('a', '\u0430') },
		'Recipient Address contains a space or a character outside ASCII',
		ADDRESS_FIX,
	],
	['spaces only', { to: ' ' }, 'Recipient Address is empty', 'Enter the Recipient Address.'],
	[
		'a name',
		{ to: 'treasury.eth' },
		'Recipient Address is not a wallet address',
		'Enter the address itself, not a name such as treasury.eth.',
	],
	[
		"the token's contract",
		{ to: TOKEN.toLowerCase() },
		"Recipient Address is the token's own contract",
		'Enter the wallet address of the recipient: tokens sent to their contract are lost.',
	],
	[
		'no token',
		{ tokenAddress: '' },
		'Token is empty',
		'Choose a token from the list, or enter its address. For the native coin of the wallet, choose it or enter native.',
	],
	[
		'half a token address',
		{ tokenAddress: '0x12' },
		'Token "0x12" is not a contract address',
		TOKEN_FIX,
	],
	[
		'a token with a space',
		{ tokenAddress: 'T x' },
		'Token contains a space or a character outside ASCII',
		TOKEN_FIX,
	],
	['a token that is a number', { tokenAddress: 7 }, 'Token is not a string', TOKEN_FIX],
	[
		'an unknown mode',
		{ amountMode: 'all' },
		'Amount Mode cannot be "all"',
		'Choose one of: fixed, aboveFloor.',
	],
	['no amount', { amount: '' }, 'Amount is empty', 'Enter an amount, for example 1000.50.'],
	[
		'more places than a transfer takes',
		{ amount: '0.0000001' },
		'Amount has more than 6 decimal places',
		'Round it to 6 decimal places.',
	],
	[
		'more digits than a transfer takes',
		{ amount: '1000000000' },
		'Amount has more than 9 digits before the decimal point',
		'Enter a smaller amount.',
	],
])('a transfer with %s is refused', async (_, parameters, message, fix) => {
	expect(await refused({ parameters: { ...TRANSFER, ...parameters } })).toEqual([message, fix]);
});

describe('Maximum Amount', () => {
	const withMaximum = (maximumAmount: unknown, more: object = {}) => ({
		parameters: { ...TRANSFER, maximumAmount },
		...more,
	});

	it.each([
		[
			'9.999999',
			'Amount is 10, above the Maximum Amount of 9.999999',
			'Check where the amount comes from. Raise Maximum Amount only if this amount is intended.',
		],
		[
			'5 EUR',
			'Maximum Amount "5 EUR" is not valid',
			'Use digits and a decimal point only, for example 1000.50.',
		],
		[
			'',
			'Maximum Amount is empty',
			'Enter the most that one item may send. In the tool of an AI agent, enter it as a fixed value.',
		],
	])('of %j refuses the transfer', async (maximum, message, fix) => {
		expect(await refused(withMaximum(maximum))).toEqual([message, fix]);
	});

	it('refuses the transfer if its expression returns nothing', async () => {
		const raw = { ...TRANSFER, maximumAmount: '={{ $json.max }}' };
		expect(await refused(withMaximum(undefined, { raw }))).toEqual([
			'Maximum Amount has no value: its expression gave nothing',
			NO_VALUE_FIX,
		]);
	});

	it.each(['10', 10])('of %j accepts the same amount', async (maximum) => {
		await expect(workOf('wallet: transfer', withMaximum(maximum))).resolves.toBeDefined();
	});
});

it('a refusal mentions an expression that returned nothing', async () => {
	const parameters = { ...TRANSFER, tokenAddress: undefined };
	const raw = { ...TRANSFER, tokenAddress: { __rl: true, mode: 'id', value: '={{ $json.tokn }}' } };
	expect(await refused({ parameters, raw })).toEqual([
		'Token has no value: its expression gave nothing',
		NO_VALUE_FIX,
	]);
});

describe('limits', () => {
	it.each<[object, string, string]>([
		[
			{ maximumTransfers: 1.5 },
			'Maximum Transfers is not a whole number of 1 or more',
			'Correct it, or remove the option.',
		],
		...['0x10', '1e1', '+1', true, [5]].map((maximumTransfers): [object, string, string] => [
			{ maximumTransfers },
			'Maximum Transfers is not a whole number of 1 or more',
			'Correct it, or remove the option.',
		]),
		[
			{ maximumTransfers: 0 },
			'Maximum Transfers is not a whole number of 1 or more',
			'Correct it, or remove the option.',
		],
		[
			{ allowedRecipients: 'TJRab, 0x1' },
			'Recipient Address is not among the Allowed Recipients',
			'Check where the address comes from.',
		],
		[{ allowedRecipients: ' , ' }, 'Allowed Recipients is empty', REMOVE],
		[
			{ onlyInEnvironment: 'production' },
			'Only in Environment is Production, but the credential is for Sandbox',
			'Choose a credential of that environment, or change the option.',
		],
		[
			{ onlyInEnvironment: 'test' },
			'Only in Environment cannot be "test"',
			'Choose one of: sandbox, production.',
		],
	])('refuse %j', async (options, message, fix) => {
		expect(await refused(withOptions(options))).toEqual([message, fix]);
	});

	it.each([
		{ maximumTotal: '10', maximumTransfers: 1 },
		{ allowedRecipients: ['TJRab', RECIPIENT.toLowerCase()] },
		{ allowedRecipients: `TJRab,\n${RECIPIENT}` },
		{ allowedRecipients: `TJRab\n${RECIPIENT}\nTX` },
		{ allowedRecipients: RECIPIENT.slice(2) },
		{ onlyInEnvironment: 'sandbox' },
		{ allowMissingChecksum: false },
	])('accept %j', async (options) => {
		await expect(requestOf('wallet: transfer', withOptions(options))).resolves.toMatchObject({
			method: 'POST',
		});
	});

	it('are passed to the batch as set, with the amount', async () => {
		const limitsOf = async (item: Item) => (await workOf('wallet: transfer', item)).limits;
		expect(await limitsOf(withOptions({ maximumTotal: '20.50', maximumTransfers: '3' }))).toEqual({
			amount: '10',
			maximumTotal: '20.50',
			maximumTransfers: 3,
		});
		expect(
			await limitsOf({ parameters: { ...SWEEP, options: { maximumTotal: '900' } } }),
		).toMatchObject({ amount: '250' });
	});
});

describe('safety option without a value', () => {
	it.each([
		['maximumTotal', 'Maximum Total'],
		['maximumTransfers', 'Maximum Transfers'],
		['allowedRecipients', 'Allowed Recipients'],
		['onlyInEnvironment', 'Only in Environment'],
		['allowMissingChecksum', 'Allow Missing Checksum'],
		['sweepMinimum', 'Sweep Minimum'],
		['sweepMaximum', 'Sweep Maximum'],
	])('is refused: %s', async (name, label) => {
		for (const value of [undefined, null, '']) {
			const parameters = { ...SWEEP, options: { [name]: value } };
			expect(await refused({ parameters })).toEqual([`${label} is empty`, REMOVE]);
			const raw = { ...SWEEP, options: { [name]: '={{ $json.max }}' } };
			expect(await refused({ parameters, raw })).toEqual([
				`${label} has no value: its expression gave nothing`,
				NO_VALUE_FIX,
			]);
		}
	});

	it('is refused if the options are an expression that returned nothing', async () => {
		const parameters = { ...TRANSFER, options: undefined };
		const raw = { ...TRANSFER, options: '={{ $json.options }}' };
		expect(await refused({ parameters, raw })).toEqual([
			'Options is not an object',
			'Check its expression.',
		]);
	});
});

describe('address without a checksum', () => {
	const NOTICED = 'Recipient Address carries no checksum, so a typo in it would go unnoticed';
	const COMPARE = 'Compare every character with the source. If all are right, ';
	const to = (address: string, options: object = {}) => ({
		parameters: { ...TRANSFER, to: address, options },
	});

	it.each([
		['in capitals only', `0x${RECIPIENT.slice(2).toUpperCase()}`, RECIPIENT],
		['in small letters only', RECIPIENT.toLowerCase(), RECIPIENT],
		[
			'with its last digit wrong, in capitals',
			'0x52908400098527886E0F7030069857D2E4169EE8',
			'0x52908400098527886E0F7030069857D2e4169ee8',
		],
		['of digits only', `0x${'1'.repeat(40)}`, undefined],
		['of another chain', 'TJRab', undefined],
	])('is refused unless the user allows it: %s', async (_, address, mixed) => {
		const list = 'add it to Allowed Recipients.';
		const fix = COMPARE + (mixed === undefined ? list : `enter it as ${mixed}, or ${list}`);
		expect(await refused(to(address))).toEqual([NOTICED, fix]);
		expect(await refused(to(address, { allowMissingChecksum: false }))).toEqual([NOTICED, fix]);
		for (const options of [{ allowedRecipients: `TX, ${address}` }, { allowMissingChecksum: true }])
			await expect(requestOf('wallet: transfer', to(address, options))).resolves.toBeDefined();
	});

	it('differs from one whose letters all happen to be capitals', async () => {
		const capitals = to('0x52908400098527886E0F7030069857D2E4169EE7');
		await expect(requestOf('wallet: transfer', capitals)).resolves.toBeDefined();
	});
});

it.each(['native', 'Native', 'NATIVE'])('%s is the native coin', async (tokenAddress) => {
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

it('addresses without 0x are compared like others and sent as entered', async () => {
	const parameters = { ...TRANSFER, to: TOKEN.slice(2) };
	expect((await refused({ parameters }))[0]).toBe("Recipient Address is the token's own contract");
	const options = { allowedRecipients: RECIPIENT };
	const { body } = await requestOf('wallet: transfer', {
		parameters: { ...TRANSFER, to: RECIPIENT.slice(2), options },
	});
	expect(body).toContain(`"to":"${RECIPIENT.slice(2)}"`);
});

it("a failing expression is its field's error, even in an option", async () => {
	const failed = new InvalidFieldError('Amount', 'has an expression that fails', 'Check it.');
	for (const parameters of [
		{ ...TRANSFER, amount: failed },
		{ ...TRANSFER, options: failed },
	]) {
		expect(await refused({ parameters })).toEqual([
			'Amount has an expression that fails',
			'Check it.',
		]);
	}
});
