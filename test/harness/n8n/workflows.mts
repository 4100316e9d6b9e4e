import { randomUUID } from 'node:crypto';
import lodash from 'lodash';

import type { Reference } from './credentials.mts';
import { eventually } from './executions.mts';
import type { N8nAccess } from './n8n.mts';
import { cardTreasuryTrigger, nodeOf } from './nodes.mts';

/** Node as saved in a workflow. */
export interface ChainNode {
	name: string;
	type: string;
	typeVersion: number;
	parameters: object;
	credentials?: object;
	[setting: string]: unknown;
}

export interface Workflow {
	id: string;
	versionId: string;
}

export interface TriggerWorkflow extends Workflow {
	/** Production URL; active once the workflow is published. */
	url: string;
	testUrl: string;
}

/** Node outside the rows that connects to one of their nodes, such as an agent's tool or a second trigger. */
export interface Attachment {
	node: ChainNode;
	into: string;
	as: 'ai_languageModel' | 'ai_tool' | 'main';
}

interface Options {
	attachments?: Attachment[];
	settings?: object;
}

const to = (node: string, type = 'main') => ({ node, type, index: 0 });

/** Connections of nodes that follow each other. */
export const inARow = (nodes: Array<Pick<ChainNode, 'name'>>) =>
	Object.fromEntries(
		nodes.slice(1).map(({ name }, at) => [nodes[at]!.name, { main: [[to(name)]] }]),
	);

/**
 * Saves a workflow of a trigger and the nodes after it.
 * @param branches for each output of the trigger, its nodes in a row; rows that name the same node share it
 */
async function createTrigger(
	n8n: N8nAccess,
	trigger: ChainNode,
	branches: ChainNode[][],
	{ attachments = [], settings }: Options = {},
): Promise<TriggerWorkflow> {
	const webhookId = String(trigger.webhookId ?? randomUUID());
	const isWebhook = trigger.type === 'n8n-nodes-base.webhook';
	const parameters = { ...trigger.parameters, ...(isWebhook && { path: webhookId }) };
	const connections: Record<string, Record<string, object[][]>> = {
		[trigger.name]: { main: branches.map(([first]) => (first ? [to(first.name)] : [])) },
	};
	for (const row of branches) Object.assign(connections, inARow(row));
	for (const { node, into, as } of attachments) connections[node.name] = { [as]: [[to(into, as)]] };
	const nodes = lodash.uniqBy(
		[
			{ ...trigger, parameters, webhookId },
			...branches.flat(),
			...attachments.map(({ node }) => node),
		],
		'name',
	);
	const saved = await saveWorkflow(n8n, `trigger ${webhookId}`, nodes, connections, settings);
	const path = isWebhook ? webhookId : `${webhookId}/webhook`;
	const at = (kind: string) => `${n8n.url}/${kind}/${path}`;
	return { ...saved, url: at('webhook'), testUrl: at('webhook-test') };
}

export const createWorkflow = async (
	n8n: N8nAccess,
	credential: Reference,
	parameters: object,
	branches: ChainNode[][] = [],
): Promise<TriggerWorkflow> =>
	await createTrigger(n8n, cardTreasuryTrigger(credential, parameters), branches);

export const publishWorkflow = async (...args: Parameters<typeof createWorkflow>) =>
	await publish(args[0], await createWorkflow(...args));

export const publishTrigger = async (...args: Parameters<typeof createTrigger>) =>
	await publish(args[0], await createTrigger(...args));

/**
 * Publishes a workflow of a webhook and the given nodes in a row.
 * @param responseMode `onReceived` answers at once, `lastNode` with the first item of the last node
 */
export async function publishChain(
	n8n: N8nAccess,
	nodes: ChainNode[],
	{
		responseMode = 'onReceived',
		...options
	}: Options & { responseMode?: 'onReceived' | 'lastNode' } = {},
): Promise<TriggerWorkflow> {
	const parameters = { httpMethod: 'POST', responseMode, options: {} };
	const webhook = nodeOf('Webhook', 'webhook', 2, parameters);
	return await publishTrigger(n8n, webhook, [nodes], options);
}

export async function startChain({ url }: TriggerWorkflow, body: object = {}): Promise<void> {
	const answer = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', connection: 'close' },
		body: JSON.stringify(body),
	});
	if (!answer.ok) throw new Error(`The webhook answered ${answer.status}: ${await answer.text()}`);
}

/** Saves a workflow; nodes without an ID or position get one. */
export async function saveWorkflow(
	{ rest }: Pick<N8nAccess, 'rest'>,
	name: string,
	nodes: object[],
	connections: object = {},
	settings: object = {},
): Promise<Workflow> {
	const created = await rest('POST', '/rest/workflows', {
		name,
		active: false,
		// As the editor saves it; without, *Execute step* shows nothing.
		pinData: {},
		// New workflows of the editor have this order.
		settings: {
			executionOrder: 'v1',
			saveDataSuccessExecution: 'all',
			saveDataErrorExecution: 'all',
			...settings,
		},
		nodes: nodes.map((node, index) => ({
			id: randomUUID(),
			position: [index * 220, index * 120],
			...node,
		})),
		connections,
	});
	return { id: created.id, versionId: created.versionId };
}

/** Changes a node of a workflow as the editor saves it. */
export async function changeNode<Saved extends Workflow>(
	{ rest }: N8nAccess,
	workflow: Saved,
	name: string,
	change: object,
): Promise<Saved> {
	const path = `/rest/workflows/${workflow.id}`;
	const { nodes, connections, versionId } = await rest('GET', path);
	const changed = (nodes as ChainNode[]).map((node) => ({
		...node,
		...(node.name === name && change),
	}));
	const saved = await rest('PATCH', path, { nodes: changed, connections, versionId });
	return { ...workflow, versionId: saved.versionId };
}

/** Publishes a workflow and waits for the result. @throws with n8n's reason if it fails */
export async function publish<Saved extends Workflow>(
	{ rest }: N8nAccess,
	workflow: Saved,
): Promise<Saved> {
	const { id, versionId } = workflow;
	await rest('POST', `/rest/workflows/${id}/activate`, { versionId });
	await eventually(async () => {
		const { status, triggers } = await publicationOf(rest, id);
		// Partial: another node with a webhook, such as Wait, was registered.
		if (status === 'failed' || status === 'partial') throw new Error(JSON.stringify(triggers));
		return status === 'published';
	});
	return workflow;
}

/** Older versions of n8n publish before they answer, and have no status. */
const publicationOf = async (rest: N8nAccess['rest'], id: string) =>
	await rest('GET', `/rest/workflows/${id}/publication-status`).catch((error: Error) => {
		if (error.message.includes(': 404 ')) return { status: 'published', triggers: [] };
		throw error;
	});

/** Runs a workflow from one of its triggers, as *Execute workflow* in the editor does. @returns the execution's ID */
export async function runFrom(
	{ rest }: N8nAccess,
	{ id }: Pick<Workflow, 'id'>,
	trigger: string,
): Promise<string> {
	const { executionId } = await rest('POST', `/rest/workflows/${id}/run`, {
		triggerToStartFrom: { name: trigger },
	});
	return executionId;
}
