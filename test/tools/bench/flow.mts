import { randomUUID } from 'node:crypto';

import lodash from 'lodash';

import { createCredential, type Reference } from '../../harness/n8n/scenario.mts';
import type { RunningN8n } from '../../harness/n8n/n8n.mts';
import { BARE_TRIGGER } from './bareTrigger/install.mts';
import { publishNodes, type ChainNode } from '../../harness/n8n/chain.mts';

export interface Flow {
	id: string;
	/** Where deliveries go. */
	url: string;
}

/** Saves and publishes a workflow of a trigger and, on each of its outputs, one row of nodes; rows that name the same node share it. */
export async function publishFlow(
	n8n: RunningN8n,
	trigger: ChainNode,
	rows: ChainNode[][],
): Promise<Flow> {
	const webhookId = randomUUID();
	const isWebhook = trigger.type === 'n8n-nodes-base.webhook';
	const first = {
		...trigger,
		webhookId,
		...(isWebhook && { parameters: { ...trigger.parameters, path: webhookId } }),
	};
	const to = (name: string) => ({ node: name, type: 'main', index: 0 });
	const connections: Record<string, { main: object[][] }> = {
		[trigger.name]: { main: rows.map(([node]) => (node ? [to(node.name)] : [])) },
	};
	for (const row of rows) {
		for (const [index, { name }] of row.slice(0, -1).entries())
			connections[name] = { main: [[to(row[index + 1]!.name)]] };
	}
	const nodes = lodash.uniqBy([first, ...rows.flat()], 'name');
	const { id } = await publishNodes(n8n, `flow ${webhookId}`, nodes, connections);
	return { id, url: `${n8n.url}/webhook/${isWebhook ? webhookId : `${webhookId}/webhook`}` };
}

export const noOp: ChainNode = {
	name: 'Behind',
	type: 'n8n-nodes-base.noOp',
	typeVersion: 1,
	parameters: {},
};

export const cardTreasuryTrigger = (credential: Reference, parameters: object): ChainNode => ({
	name: 'Trigger',
	type: 'n8n-nodes-card-treasury.cardTreasuryTrigger',
	typeVersion: 2,
	parameters,
	credentials: { cardTreasuryApi: credential },
});

export const bareTrigger = (mode: 'store' | 'answer', headerKey?: Reference): ChainNode => ({
	name: 'Trigger',
	type: BARE_TRIGGER,
	typeVersion: 2,
	parameters: { mode },
	...(headerKey && { credentials: { httpHeaderAuth: headerKey } }),
});

/** n8n's own Webhook node, which lets in what carries the key in the header that its credential names. */
export const webhook = (
	headerKey: Reference | undefined,
	responseMode: 'onReceived' | 'responseNode',
): ChainNode => ({
	name: 'Webhook',
	type: 'n8n-nodes-base.webhook',
	typeVersion: 2.1,
	parameters: {
		httpMethod: 'POST',
		responseMode,
		...(headerKey && { authentication: 'headerAuth' }),
		options: {},
	},
	...(headerKey && { credentials: { httpHeaderAuth: headerKey } }),
});

/** The credential that n8n's Webhook node compares a header with. */
export async function createHeaderKey(n8n: RunningN8n, value: string): Promise<Reference> {
	return await createCredential(n8n, { name: 'X-Webhook-Key', value }, { type: 'httpHeaderAuth' });
}
