import { cardOf, documentOf, NATIVE, transferOf } from '../../harness/fixtures.mts';
import type { Reference } from '../../harness/n8n/credentials.mts';
import type { N8nAccess } from '../../harness/n8n/n8n.mts';
import { cardTreasury } from '../../harness/n8n/nodes.mts';
import { publishChain, type ChainNode } from '../../harness/n8n/workflows.mts';
import { IDS } from '../../simulator/index.mts';

/** Parameters of the node. */
interface Demo {
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

/** Runs an operation in a workflow of a webhook and the node, and returns its first item. @throws if it fails */
export async function runOperation(
	n8n: N8nAccess,
	credential: Reference,
	demo: Demo,
): Promise<string> {
	const { url } = await publishChain(n8n, operationNodes(demo, credential), {
		...{ name: `${demo.resource}: ${demo.operation}`, responseMode: 'lastNode' },
	});
	const answer = await fetch(url, { method: 'POST' });
	const text = await answer.text();
	if (!answer.ok) throw new Error(text);
	return text;
}

/** The node of the operation, after the node that creates the file it sends. */
export const operationNodes = (demo: Demo, credential: Reference): ChainNode[] => [
	...('frontImageField' in demo ? [IMAGE_NODE] : []),
	cardTreasury(demo, credential),
];

/** One-pixel picture as base64, enough for the simulator, which checks only the type. */
export const IMAGE =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const FILE = { data: IMAGE, mimeType: 'image/png', fileName: 'passport.png' };
const IMAGE_NODE: ChainNode = {
	name: 'Passport',
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: { jsCode: `return [{ json: {}, binary: { data: ${JSON.stringify(FILE)} } }];` },
};
