import { orInvalid } from '../../../../../nodes/shared/fields/invalidField.ts';
import { RECIPIENT, refusalOf, refused, TOKEN, TRANSFER } from '../guarded.mts';
import { answerOf, requestOf, workOf } from '../reading.mts';

/** Address of another chain. */
const TRON = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const OTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

const to = (address: string, options: object = {}) => ({
	parameters: { ...TRANSFER, to: address, options },
});
const bodyOf = async (item: ReturnType<typeof to>) =>
	(await requestOf('wallet: transfer', item)).body;

describe('recipient without a checksum', () => {
	it.each([
		['in capitals only', `0x${RECIPIENT.slice(2).toUpperCase()}`, RECIPIENT],
		['in small letters only', RECIPIENT.toLowerCase(), RECIPIENT],
		[
			'with its last digit wrong, in capitals',
			'0x52908400098527886E0F7030069857D2E4169EE8',
			'0x52908400098527886E0F7030069857D2e4169ee8',
		],
		['of digits only', `0x${'1'.repeat(40)}`, undefined],
		['of digits only, without 0x', '1'.repeat(40), undefined],
		['of another chain', TRON, undefined],
	])('an address %s is refused unless the user allows it', async (_, address, mixed) => {
		const refusal = [
			'Recipient Address carries no checksum, so a typo in it would go unnoticed',
			mixed === undefined
				? expect.not.stringContaining('enter it as')
				: expect.stringContaining(`enter it as ${mixed}, or`),
		];
		expect(await refused(to(address))).toEqual(refusal);
		expect(await refused(to(address, { allowMissingChecksum: false }))).toEqual(refusal);
		for (const options of [
			{ allowedRecipients: `${OTHER}, ${address}` },
			{ allowMissingChecksum: true },
		])
			expect(await bodyOf(to(address, options))).toContain(address);
	});
});

it('an address in capitals is accepted if that is its checksum form', async () => {
	const capitals = '0x52908400098527886E0F7030069857D2E4169EE7';
	expect(await bodyOf(to(capitals))).toContain(capitals);
});

it.each([TOKEN.toLowerCase(), TOKEN.slice(2)])(
	"the token's own contract is refused as a recipient: %s",
	async (address) => {
		expect(await refusalOf(to(address))).toBe("Recipient Address is the token's own contract");
	},
);

it('a recipient without 0x is compared like any other, and sent as entered', async () => {
	const body = await bodyOf(to(RECIPIENT.slice(2), { allowedRecipients: RECIPIENT }));
	expect(body).toContain(`"to":"${RECIPIENT.slice(2)}"`);
});

it("a contract among the company's tokens is refused as a recipient", async () => {
	const { precheck } = await workOf('wallet: transfer', to(RECIPIENT));
	expect(precheck?.request).toEqual({ method: 'GET', path: '/mpc/tokens/list' });
	const check = (...addresses: unknown[]) => {
		const json = addresses.map((address) => ({ address, symbol: 'USDC' }));
		return orInvalid(() => precheck?.check(answerOf({ json })));
	};
	const spellings = [
		...[RECIPIENT, RECIPIENT.toLowerCase(), RECIPIENT.slice(2).toUpperCase()],
		...[`eip155:137:${RECIPIENT}`, ` ${RECIPIENT}\n`],
	];
	for (const address of spellings)
		expect(check(TOKEN, address)).toMatchObject({
			message: "Recipient Address is the contract of USDC, one of the company's tokens",
		});
	expect(check(TOKEN, null, '', undefined)).toBeUndefined();
});

describe('Allowed Recipients', () => {
	it.each([`${OTHER}; ${RECIPIENT}`, `${OTHER}\n${RECIPIENT}`, `${OTHER},${RECIPIENT};`])(
		'%j holds two addresses',
		async (allowedRecipients) => {
			expect(await bodyOf(to(RECIPIENT, { allowedRecipients }))).toContain(RECIPIENT);
		},
	);

	it.each([
		[`${OTHER} ${RECIPIENT}`, 'contains a space'],
		[`${RECIPIENT},treasury.eth`, 'is a name'],
		[`${RECIPIENT}, 0x12`, 'must be 0x followed by 40'],
		[`${RECIPIENT}, Alice`, 'is not a wallet address'],
		['any', 'is not a wallet address'],
		[`${RECIPIENT},eth:${OTHER}`, 'has a chain prefix'],
		[OTHER.replace('f', 'F'), 'does not match its checksum'],
	])('%j is blamed on the option', async (allowedRecipients, reason) => {
		expect(await refusalOf(to(RECIPIENT, { allowedRecipients }))).toMatch(
			new RegExp(`^Allowed Recipients holds ".*", which ${reason}`),
		);
	});
});

describe('token of a transfer', () => {
	it.each([
		`0x${'0'.repeat(40)}`,
		'0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
		'e'.repeat(40),
		'',
	])('%j does not stand for the native coin', async (tokenAddress) => {
		const item = { parameters: { ...TRANSFER, tokenAddress } };
		expect((await refused(item))[1]).toMatch(/native coin of the wallet, choose it .*enter native/);
	});

	it.each(['native', 'Native', ' NATIVE '])('%j is the native coin', async (tokenAddress) => {
		const body = await bodyOf({ parameters: { ...TRANSFER, tokenAddress, options: {} } });
		expect(body).not.toContain('token_address');
	});
});

it.each([
	['https://polygonscan.com/address/0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'is a link'],
	['eip155:137:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'has a chain prefix'],
	['0x5aAe...BeAed', 'is abbreviated'],
	['0x5aAe…BeAed', 'is abbreviated'],
	['5,1E+47', 'holds "5,1E+47", a number whose digits a spreadsheet has dropped'],
	['{"address":"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"}', 'is a list or an object'],
	['alice.base.eth', 'is a name'],
	['\ufeff0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'holds an invisible character: U+FEFF'],
	[`0x${'0'.repeat(36)}1010`, 'is a contract of the chain itself'],
	[`0x42${'0'.repeat(36)}06`, 'is a contract of the chain itself'],
	[`0x01${'0'.repeat(38)}`, 'is a contract of the chain itself'],
	[`0x${'f'.repeat(40)}`, 'is a contract of the chain itself'],
	[`0x${'dead'.repeat(9)}0000`, 'is a burn address'],
	[`0xdead${'0'.repeat(36)}`, 'is a burn address'],
])('the recipient %s is refused, whatever is allowed', async (address, reason) => {
	const options = { allowedRecipients: [address], allowMissingChecksum: true };
	expect(await refusalOf(to(address, options))).toContain(`Recipient Address ${reason}`);
});

it.each([`0x${'0'.repeat(36)}0100`, `0x${'1'.repeat(40)}`])(
	'the address %s may be allowed',
	async (address) => {
		expect(await bodyOf(to(address, { allowedRecipients: address }))).toContain(address);
	},
);

it('a contract of another chain is refused in its own spelling', async () => {
	const { precheck } = await workOf('wallet: transfer', to(TRON, { allowMissingChecksum: true }));
	const check = (address: string) =>
		orInvalid(() => precheck?.check(answerOf({ json: [{ address, symbol: 'T' }] })));
	expect(check(TRON)).toHaveProperty('field', 'Recipient Address');
	expect(check(TRON.toLowerCase())).toBeUndefined();
});
