import type { Reference } from '../../harness/n8n/credentials.mts';
import { noOp } from '../../harness/n8n/nodes.mts';
import type { ChainNode } from '../../harness/n8n/workflows.mts';

export const behind = noOp('Behind');

export const bareTrigger = (mode: 'store' | 'answer'): ChainNode => ({
	name: 'Trigger',
	type: 'CUSTOM.bareTrigger',
	typeVersion: 2,
	parameters: { mode },
});

/** n8n's own Webhook node, which accepts requests with the key in its credential's header. */
export const webhook = (
	headerKey: Reference,
	responseMode: 'onReceived' | 'responseNode',
): ChainNode => ({
	name: 'Webhook',
	type: 'n8n-nodes-base.webhook',
	typeVersion: 2.1,
	parameters: { httpMethod: 'POST', responseMode, authentication: 'headerAuth', options: {} },
	credentials: { httpHeaderAuth: headerKey },
});
