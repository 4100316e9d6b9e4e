import { randomUUID } from 'node:crypto';

import { publish } from './scenario.mts';
import type { N8nAccess } from './n8n.mts';

export interface ChainNode {
	name: string;
	type: string;
	typeVersion: number;
	parameters: object;
	credentials?: object;
	[setting: string]: unknown;
}

export interface Chain {
	id: string;
	versionId: string;
	/** A POST starts an execution, which goes on in the background. */
	path: string;
}

/** A node beside the row that leads into one of it, such as an agent's tool or a second trigger. */
export interface Attachment {
	node: ChainNode;
	/** Name of the node that it leads into. */
	into: string;
	as: 'ai_languageModel' | 'ai_tool' | 'main';
}

export interface ChainOptions {
	attachments?: Attachment[];
	/** Of the workflow. */
	name?: string;
	/** Whether the webhook answers at once, or with the first item of the last node. */
	responseMode?: 'onReceived' | 'lastNode';
}

/** Saves and publishes a workflow of a webhook and the given nodes in a row. */
export async function publishChain(
	n8n: N8nAccess,
	nodes: ChainNode[],
	options: ChainOptions = {},
): Promise<Chain> {
	const path = randomUUID();
	const { attachments = [], name = `chain ${path}`, responseMode = 'onReceived' } = options;
	const webhook: ChainNode = {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: { path, httpMethod: 'POST', responseMode, options: {} },
	};
	const row = [webhook, ...nodes];
	const created = await n8n.rest('POST', '/rest/workflows', {
		name,
		active: false,
		// The order is that of every workflow made in the editor.
		settings: {
			executionOrder: 'v1',
			saveDataSuccessExecution: 'all',
			saveDataErrorExecution: 'all',
		},
		nodes: [...row, ...attachments.map(({ node }) => node)].map((node, index) => ({
			id: randomUUID(),
			position: [index * 220, 0],
			...node,
		})),
		connections: Object.fromEntries([
			...row
				.slice(0, -1)
				.map(({ name }, index) => [
					name,
					{ main: [[{ node: row[index + 1]!.name, type: 'main', index: 0 }]] },
				]),
			...attachments.map(({ node, into, as }) => [
				node.name,
				{ [as]: [[{ node: into, type: as, index: 0 }]] },
			]),
		]),
	});
	const chain = { id: String(created.id), versionId: String(created.versionId), path };
	await publish(n8n, chain);
	return chain;
}

/** Starts an execution of the chain, in n8n as it runs now. */
export async function startChain(
	{ url }: N8nAccess,
	{ path }: Chain,
	body: object = {},
): Promise<void> {
	const answer = await fetch(`${url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	if (!answer.ok) throw new Error(`The webhook answered ${answer.status}: ${await answer.text()}`);
}
