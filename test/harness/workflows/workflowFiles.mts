import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Reference } from '../n8n/credentials.mts';
import type { N8nAccess } from '../n8n/n8n.mts';
import { nodeOf } from '../n8n/nodes.mts';
import { inARow, type TriggerWorkflow } from '../n8n/workflows.mts';

export const WORKFLOWS_FOLDER = join(import.meta.dirname, '..', '..', '..', 'docs', 'workflows');

export interface WorkflowNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [x: number, y: number];
	parameters: Record<string, any>;
	credentials?: Record<string, Reference>;
	webhookId?: string;
	[field: string]: unknown;
}

export interface WorkflowFile {
	name: string;
	nodes: WorkflowNode[];
	connections: Record<
		string,
		{ main: Array<Array<{ node: string; type: string; index: number }>> }
	>;
	settings: object;
	/** Sample data by node, used only by runs from the editor. */
	pinData: Record<string, object[]>;
	[field: string]: unknown;
}

export const WORKFLOW_FILES: readonly string[] = readdirSync(WORKFLOWS_FOLDER).filter((file) =>
	file.endsWith('.json'),
);

export function readWorkflow(file: string): WorkflowFile {
	return JSON.parse(readFileSync(join(WORKFLOWS_FOLDER, file), 'utf8')) as WorkflowFile;
}

/** Imports a workflow and returns the URL of its trigger (empty without a Card Treasury Trigger). */
export async function importWorkflow(
	{ rest, url }: N8nAccess,
	workflow: WorkflowFile,
): Promise<TriggerWorkflow> {
	const created = await rest('POST', '/rest/workflows', { ...workflow, active: false });
	const trigger = (created.nodes as WorkflowNode[]).find(({ type }) =>
		type.endsWith('.cardTreasuryTrigger'),
	);
	const { id, versionId } = created;
	const at = (kind: string) => trigger && `${url}/${kind}/${trigger.webhookId}/webhook`;
	return { id, versionId, url: at('webhook') ?? '', testUrl: at('webhook-test') ?? '' };
}

/** Credential that each type of node needs. */
const CREDENTIAL_OF: Record<string, string> = {
	'n8n-nodes-card-treasury.cardTreasury': 'cardTreasuryApi',
	'n8n-nodes-card-treasury.cardTreasuryTrigger': 'cardTreasuryApi',
	'n8n-nodes-base.emailSend': 'smtp',
	'n8n-nodes-base.slack': 'slackApi',
	'n8n-nodes-base.n8n': 'n8nApi',
};

/** Sets the credentials, as a user does after an import, and nothing else. */
export function withCredentials(
	workflow: WorkflowFile,
	credentials: Record<string, Reference>,
): WorkflowFile {
	return withNodes(workflow, (node) => {
		const type = CREDENTIAL_OF[node.type];
		return type && { credentials: { [type]: credentials[type]! } };
	});
}

export const withNodes = (
	workflow: WorkflowFile,
	change: (node: WorkflowNode) => object | false | '' | undefined,
): WorkflowFile => ({
	...workflow,
	nodes: workflow.nodes.map((node) => ({ ...node, ...change(node) })),
});

/**
 * Sets parameters of a node, as a sticky note asks the user to.
 * @throws if there is no such node
 */
export function withParameters(
	workflow: WorkflowFile,
	name: string,
	parameters: object,
): WorkflowFile {
	const before = workflow.nodes.find((node) => node.name === name)?.parameters;
	return withSettings(workflow, name, { parameters: { ...before, ...parameters } });
}

/** Sets entries of a node's *Options* and keeps the others. @throws if there is no such node */
export function withOptions(workflow: WorkflowFile, name: string, changes: object): WorkflowFile {
	const { options } = workflow.nodes.find((node) => node.name === name)?.parameters ?? {};
	return withParameters(workflow, name, { options: { ...(options as object), ...changes } });
}

/** Changes the Settings tab of a node. @throws if there is no such node */
export function withSettings(workflow: WorkflowFile, name: string, settings: object): WorkflowFile {
	if (!workflow.nodes.some((node) => node.name === name))
		throw new Error(`${workflow.name} has no node ${name}`);
	return withNodes(workflow, (node) => node.name === name && settings);
}

/**
 * Sets a workflow up as its note says: allows recipients, and restricts who decides.
 * @param asks parameters of the nodes that ask in Slack
 */
export function asSetUp(
	workflow: WorkflowFile,
	allowedRecipients: string,
	asks: object,
): WorkflowFile {
	return withNodes(workflow, ({ parameters }) => {
		const { operation, options } = parameters;
		if (operation === 'sendAndWait') return { parameters: { ...parameters, ...asks } };
		if (operation !== 'transfer') return undefined;
		return { parameters: { ...parameters, options: { ...options, allowedRecipients } } };
	});
}

/** Sets workflows in the nodes that call them, and deletes the nodes without one, as the sticky note asks. */
export function withWorkflows(
	workflow: WorkflowFile,
	behind: Record<string, { id: string }>,
): WorkflowFile {
	const chosen = Object.entries(behind).reduce(
		(filled, [node, { id }]) =>
			withParameters(filled, node, { workflowId: { __rl: true, mode: 'id', value: id } }),
		workflow,
	);
	const calls = ({ type, name }: WorkflowNode) =>
		!type.endsWith('.executeWorkflow') || name in behind;
	const nodes = chosen.nodes.filter(calls);
	const stays = ({ node }: { node: string }) => nodes.some(({ name }) => name === node);
	const connections = Object.fromEntries(
		Object.entries(chosen.connections).map(([from, { main }]) => [
			from,
			{ main: main.map((targets) => targets.filter(stays)) },
		]),
	);
	return { ...chosen, nodes, connections };
}

/** Shortens what n8n waits in *Wait* nodes, and before it tries a node again. */
export const impatient = (workflow: WorkflowFile): WorkflowFile =>
	withNodes(workflow, ({ type, waitBetweenTries }) => ({
		// Two of the waits of a Slack node outlast Slack's limit of a second.
		...(waitBetweenTries !== undefined && {
			waitBetweenTries: type === 'n8n-nodes-base.slack' ? 700 : 100,
		}),
		...(type === 'n8n-nodes-base.wait' && { parameters: { amount: 0.5, unit: 'seconds' } }),
	}));

/**
 * Starts the workflow by a webhook in front of its schedule, so that a test can start a production run; n8n reports only
 * failures of those. The schedule's node keeps its name and its output.
 */
export function withWebhook(workflow: WorkflowFile, path: string): WorkflowFile {
	const isSchedule = ({ type }: WorkflowNode) => type === 'n8n-nodes-base.scheduleTrigger';
	const schedule = workflow.nodes.find(isSchedule)!;
	const output = nodeOf(schedule.name, 'set', 3.4, {
		mode: 'raw',
		jsonOutput: "={{ { timestamp: $now.toISO(), 'Readable date': $now.toISODate() } }}",
		options: {},
	});
	const { nodes } = withNodes(workflow, (node) => isSchedule(node) && output);
	const parameters = { path, responseMode: 'onReceived', options: {} };
	const webhook = {
		...nodeOf('Webhook', 'webhook', 2, parameters),
		...{ id: randomUUID(), position: [-200, 0], webhookId: path },
	} as WorkflowNode;
	const connections = { ...workflow.connections, ...inARow([webhook, schedule]) };
	return { ...workflow, nodes: [...nodes, webhook], connections };
}
