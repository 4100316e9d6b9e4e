import { cardOf, documentOf, transferOf } from '../../harness/fixtures.mts';
import { IDS } from '../../simulator/index.mts';

/** Parameters of the node. */
export interface Demo {
	resource: string;
	operation: string;
	[parameter: string]: unknown;
}

/** Demo runs of every operation that needs no trigger, with the simulator's seeded data. */
export const DEMOS: Demo[] = [
	{ resource: 'token', operation: 'getAll', returnAll: true },
	transferOf('12.5', { maximumAmount: '100' }),
	{
		resource: 'rampTransfer',
		operation: 'updateAmount',
		rampTransferId: IDS.pendingRamp,
		amount: '250.75',
	},
	cardOf('get'),
	cardOf('freeze'),
	cardOf('unfreeze'),
	{ ...cardOf('configure3ds'), type: 'webhook' },
	cardOf('unblock', IDS.blockedCard),
	{
		...cardOf('search', IDS.enterpriseCard),
		resource: 'cardTransaction',
		operations: ['PURCHASE'],
		splitMovements: true,
	},
	{
		...cardOf('get', IDS.enterpriseCard),
		resource: 'cardTransaction',
		transactionId: IDS.purchase,
		path: '/cards/transactions/{cardId}/operations/{transactionId}',
	},
	{
		...cardOf('downloadStatement'),
		resource: 'cardTransaction',
		fromDate: '2026-01-01',
		toDate: '2026-01-31',
		binaryPropertyName: 'data',
	},
	{ resource: 'productRequest', operation: 'getAll', clientId: IDS.client, returnAll: true },
	{ resource: 'productRequest', operation: 'getMissingRequirements', clientId: IDS.client },
	documentOf('passport'),
	{ resource: 'endpoint', operation: 'request', method: 'GET', path: '/mpc/tokens/list' },
];
