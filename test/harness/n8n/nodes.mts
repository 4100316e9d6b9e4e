import type { ChainNode } from './chain.mts';
import type { Reference } from './scenario.mts';
import { IDS } from '../../simulator/index.mts';

/** The action node. */
export const cardTreasury = (
	parameters: object,
	credential: Reference,
	settings: Partial<ChainNode> = {},
): ChainNode => ({
	name: 'Card Treasury',
	type: 'n8n-nodes-card-treasury.cardTreasury',
	typeVersion: 1,
	parameters,
	credentials: { cardTreasuryApi: credential },
	...settings,
});

/** The action node as n8n offers it to agents. */
export const cardTreasuryTool = (
	name: string,
	parameters: object,
	credential: Reference,
): ChainNode =>
	cardTreasury({ descriptionType: 'auto', ...parameters }, credential, {
		name,
		type: 'n8n-nodes-card-treasury.cardTreasuryTool',
	});

/** Gives the `items` of what the webhook was sent, one by one. */
export const splitItems: ChainNode = {
	name: 'Items',
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	parameters: { fieldToSplitOut: 'body.items', options: {} },
};

/** Has no checksum of its own, for all its letters are capitals. */
export const RECIPIENT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** Somebody else. */
export const OTHER_RECIPIENT = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

export const NATIVE = { __rl: true, mode: 'list', value: 'native' };

/** Parameters of a transfer of native coins. */
export const transferOf = (amount: string, options: object = {}) => ({
	resource: 'wallet',
	operation: 'transfer',
	accountId: IDS.account,
	walletId: IDS.wallet,
	to: RECIPIENT,
	tokenAddress: NATIVE,
	amountMode: 'fixed',
	amount,
	options,
});
