import { cardOf, documentOf, NATIVE, transferOf } from '../../harness/fixtures.mts';
import { IDS } from '../../simulator/index.mts';

/** Parameters of the node. */
export interface Demo {
	resource: string;
	operation: string;
	[parameter: string]: unknown;
}

const transactionOf = (operation: string, more: object, cardId?: string): Demo => ({
	...{ ...cardOf(operation, cardId), resource: 'cardTransaction' },
	...more,
});
const requestsOf = (operation: string) => ({
	...{ resource: 'productRequest', operation, clientId: IDS.client },
});

/** Demo runs of every operation that needs no trigger, with the simulator's seeded data. */
export const DEMOS: Demo[] = [
	{ resource: 'token', operation: 'getAll', returnAll: true },
	transferOf('12.5', { maximumAmount: '100' }),
	{
		...{ resource: 'wallet', operation: 'calculateSweep', walletId: IDS.wallet },
		...{ tokenAddress: NATIVE, balance: '1000.10', floor: '0.30' },
		balanceDay: '={{ $now.toISODate() }}',
	},
	{
		...{ resource: 'rampTransfer', operation: 'updateAmount' },
		...{ rampTransferId: IDS.pendingRamp, amount: '250.75' },
	},
	...['get', 'freeze', 'unfreeze'].map((operation) => cardOf(operation)),
	{ ...cardOf('configure3ds'), type: 'webhook' },
	cardOf('unblock', IDS.blockedCard),
	transactionOf('search', { operations: ['PURCHASE'] }, IDS.enterpriseCard),
	transactionOf(
		'get',
		{
			transactionId: IDS.purchase,
			path: '/cards/transactions/{cardId}/operations/{transactionId}',
		},
		IDS.enterpriseCard,
	),
	transactionOf('downloadStatement', {
		...{ fromDate: '2026-01-01', toDate: '2026-01-31', binaryPropertyName: 'data' },
	}),
	{ ...requestsOf('getAll'), returnAll: true },
	requestsOf('getMissingRequirements'),
	documentOf('passport'),
	{ resource: 'endpoint', operation: 'request', method: 'GET', path: '/mpc/tokens/list' },
];
