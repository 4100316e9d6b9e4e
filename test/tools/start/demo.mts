import { IDS } from '../../simulator/index.mts';
import { byId, NATIVE, RECIPIENT } from '../../harness/fixtures.mts';

export interface Demo {
	resource: string;
	operation: string;
	parameters: Record<string, unknown>;
	/** Put before the node: nodes that make the file that it sends. */
	withImage?: true;
}

/** One demo run of every operation that needs no trigger, against the simulator's seeded data. */
export const DEMOS: Demo[] = [
	{ resource: 'token', operation: 'getAll', parameters: { returnAll: true } },
	{
		resource: 'wallet',
		operation: 'transfer',
		parameters: {
			accountId: IDS.account,
			walletId: IDS.wallet,
			to: RECIPIENT,
			tokenAddress: NATIVE,
			amount: '12.5',
			options: { maximumAmount: '100', requireChecksum: true },
		},
	},
	{
		resource: 'rampTransfer',
		operation: 'updateAmount',
		parameters: { rampTransferId: IDS.pendingRamp, amount: '250.75' },
	},
	{ resource: 'card', operation: 'get', parameters: { cardId: IDS.activeCard } },
	{ resource: 'card', operation: 'freeze', parameters: { cardId: IDS.activeCard } },
	{ resource: 'card', operation: 'unfreeze', parameters: { cardId: IDS.activeCard } },
	{
		resource: 'card',
		operation: 'configure3ds',
		parameters: { cardId: IDS.activeCard, type: 'webhook' },
	},
	{ resource: 'card', operation: 'unblock', parameters: { cardId: IDS.blockedCard } },
	{
		resource: 'cardTransaction',
		operation: 'search',
		parameters: { cardId: IDS.enterpriseCard, operations: ['PURCHASE'], splitMovements: true },
	},
	{
		resource: 'cardTransaction',
		operation: 'get',
		parameters: {
			cardId: IDS.enterpriseCard,
			transactionId: IDS.purchase,
			path: '/cards/transactions/{cardId}/operations/{transactionId}',
		},
	},
	{
		resource: 'cardTransaction',
		operation: 'downloadStatement',
		parameters: {
			cardId: IDS.activeCard,
			fromDate: '2026-01-01',
			toDate: '2026-01-31',
			binaryPropertyName: 'data',
		},
	},
	{
		resource: 'productRequest',
		operation: 'getAll',
		parameters: { clientId: IDS.client, returnAll: true },
	},
	{
		resource: 'productRequest',
		operation: 'getMissingRequirements',
		parameters: { clientId: IDS.client },
	},
	{
		resource: 'productRequest',
		operation: 'submitDocument',
		withImage: true,
		parameters: {
			clientId: IDS.client,
			productRequestId: byId(IDS.pendingProductRequest),
			documentType: byId('passport'),
			frontImageField: 'data',
			metadata: { mappingMode: 'defineBelow', value: { number: 'X1234567' } },
		},
	},
	{
		resource: 'endpoint',
		operation: 'request',
		parameters: { method: 'GET', path: '/mpc/tokens/list' },
	},
];

/** A picture of one point, as base64: enough for the simulator, which looks at the type and not at the picture. */
export const IMAGE =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
