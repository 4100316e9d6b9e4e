import type { ChainNode } from './chain.mts';
import type { Reference } from './scenario.mts';

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

/** The action node as a tool for agents. */
export const cardTreasuryTool = (
	name: string,
	parameters: object,
	credential: Reference,
): ChainNode =>
	cardTreasury({ descriptionType: 'auto', ...parameters }, credential, {
		name,
		type: 'n8n-nodes-card-treasury.cardTreasuryTool',
	});

/** Splits the `items` of the webhook's body. */
export const splitItems: ChainNode = {
	name: 'Items',
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	parameters: { fieldToSplitOut: 'body.items', options: {} },
};
