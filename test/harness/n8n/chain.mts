import { randomUUID } from 'node:crypto';

import type { N8nAccess } from './n8n.mts';
import { publish, saveWorkflow, type ChainNode } from './scenario.mts';

export type { ChainNode };

export interface Chain {
	id: string;
	versionId: string;
	/** Webhook path. A POST starts an execution in the background. */
	path: string;
}

/** Node outside the row that connects to one of its nodes, such as an agent's tool or a second trigger. */
export interface Attachment {
	node: ChainNode;
	/** Names of the target nodes. */
	into: string | string[];
	as: 'ai_languageModel' | 'ai_tool' | 'main';
}

interface ChainOptions {
	attachments?: Attachment[];
	/** Name of the workflow. */
	name?: string;
	/** `onReceived` answers at once, `lastNode` with the first item of the last node. */
	responseMode?: 'onReceived' | 'lastNode';
	/** Additional settings of the workflow. */
	settings?: object;
}

/** Saves and publishes a workflow of a webhook and the given nodes in a row. */
export async function publishChain(
	n8n: N8nAccess,
	nodes: ChainNode[],
	options: ChainOptions = {},
): Promise<Chain> {
	const path = randomUUID();
	const { attachments = [], name = `chain ${path}` } = options;
	const webhook: ChainNode = {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: {
			path,
			httpMethod: 'POST',
			responseMode: options.responseMode ?? 'onReceived',
			options: {},
		},
	};
	const row = [webhook, ...nodes];
	const all = [...row, ...attachments.map(({ node }) => node)];
	const connections = connectionsOf(row, attachments);
	return { ...(await publishNodes(n8n, name, all, connections, options.settings)), path };
}

export async function publishNodes(
	n8n: N8nAccess,
	name: string,
	nodes: ChainNode[],
	connections: object,
	settings: object = {},
): Promise<Pick<Chain, 'id' | 'versionId'>> {
	const workflow = await saveWorkflow(n8n, name, nodes, connections, { settings });
	await publish(n8n, workflow);
	return workflow;
}

function connectionsOf(row: ChainNode[], attachments: Attachment[]): object {
	const connections: Record<string, Record<string, [object[]]>> = {};
	const connect = (from: string, to: string, as: string) => {
		const [targets] = ((connections[from] ??= {})[as] ??= [[]]);
		targets.push({ node: to, type: as, index: 0 });
	};
	row.slice(0, -1).forEach(({ name }, index) => connect(name, row[index + 1]!.name, 'main'));
	for (const { node, into, as } of attachments) {
		for (const parent of [into].flat()) connect(node.name, parent, as);
	}
	return connections;
}

/** Starts an execution of the chain. */
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
