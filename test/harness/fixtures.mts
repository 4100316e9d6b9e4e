import { IDS } from '../simulator/index.mts';

/** Recipient with an EIP-55 checksum. */
export const RECIPIENT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

export const OTHER_RECIPIENT = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

export const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(256)]);

/** Binary data of an item, as an earlier node returns it. */
export const image = (bytes: Buffer = PNG) => ({
	data: bytes.toString('base64'),
	mimeType: 'image/png',
});

export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

export const NATIVE = { __rl: true, mode: 'list', value: 'native' };

/** Parameters of a transfer of native coins, named by its amount, which may be an expression. */
export function transferOf(amount: string, given: object = {}) {
	const { maximumAmount = '999999999', ...options } = given as { maximumAmount?: string };
	return {
		resource: 'wallet',
		operation: 'transfer',
		accountId: IDS.account,
		walletId: IDS.wallet,
		to: RECIPIENT,
		tokenAddress: NATIVE,
		amount,
		paymentReference: amount.startsWith('=') ? `=INV-${amount.slice(1)}` : `INV-${amount}`,
		maximumAmount,
		options,
	};
}

export const TRANSFER_PATH = `/mpc/accounts/${IDS.account}/wallets/${IDS.wallet}/transfer`;

/** Parameters of the same transfer by *Endpoint: Request*, which derives no key. */
export const requestOf = (jsonBody: string) => ({
	resource: 'endpoint',
	operation: 'request',
	method: 'POST',
	path: TRANSFER_PATH,
	jsonBody,
});

export const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
