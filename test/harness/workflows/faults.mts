import { retryExecution } from '../n8n/executions.mts';
import { eventually, executions, type TriggerWorkflow } from '../n8n/scenario.mts';
import { readWorkflow, type WorkflowNode } from './workflowFiles.mts';
import type { WorkflowHarness } from './workflowHarness.mts';

export const FAULTS = ['once', 'always'] as const;
export type Fault = (typeof FAULTS)[number];

/** Recipient of the workflows' alarms. */
export const OPERATIONS = 'operations@example.com';

/** Nodes of a file that use external services, except for the one that reports failures. */
export const nodesOutside = (file: string): WorkflowNode[] =>
	readWorkflow(file).nodes.filter(
		(node) => reached(node) !== undefined && node.name !== 'Email operations',
	);

function reached({ type }: WorkflowNode): 'slack' | 'smtp' | 'table' | 'service' | undefined {
	if (type === 'n8n-nodes-base.slack') return 'slack';
	if (type === 'n8n-nodes-base.emailSend') return 'smtp';
	if (type === 'n8n-nodes-base.dataTable') return 'table';
	return type.endsWith('.cardTreasury') ? 'service' : undefined;
}

/** Paths of the service, by operation. */
const PATHS: Record<string, string> = {
	'card.get': '/cards/individual-cards/',
	'card.unblock': '/unblock',
	'wallet.transfer': '/transfer',
	'productRequest.getMissingRequirements': '/products$',
	'productRequest.submitDocument': '/documentation',
};

/**
 * Makes the counterpart of a node fail realistically: Slack and the mail server refuse, the service rejects, n8n's
 * database is locked. Nodes of a workflow with the same request fail together.
 */
export function breakNode(harness: WorkflowHarness, node: WorkflowNode, fault: Fault): void {
	const left = { count: fault === 'once' ? 1 : Infinity };
	const strikes = () => left.count-- > 0;
	const { parameters } = node;
	const kind = reached(node);
	if (kind === 'slack') {
		const asks = parameters.operation === 'sendAndWait';
		harness.slack.refuse = ({ channel, buttons }) =>
			channel === parameters.channelId.value && buttons.length > 0 === asks && strikes()
				? 'channel_not_found'
				: undefined;
	}
	if (kind === 'smtp') harness.smtp.refuse = (recipient) => recipient !== OPERATIONS && strikes();
	if (kind === 'table') harness.dataTables.refuse = (name) => name === node.name && strikes();
	if (kind === 'service')
		harness.simulator.faults.add({
			kind: 'status',
			status: 403,
			match: { path: PATHS[`${parameters.resource}.${parameters.operation}`]! },
			times: fault === 'once' ? 1 : 1_000,
		});
}

export function mend(harness: WorkflowHarness): void {
	harness.slack.refuse = () => undefined;
	harness.smtp.refuse = () => false;
	harness.dataTables.refuse = () => false;
	harness.simulator.faults.clear();
}

/** Returns the mail about a failed execution of the workflow. */
export async function alarm({ smtp }: WorkflowHarness, workflow: string) {
	return await eventually(async () =>
		smtp.mails.find(({ to, subject }) => to === OPERATIONS && subject === `${workflow} stopped`),
	);
}

/** Presses *Retry* on the workflow's latest failed execution. */
export async function retryLatest(
	{ scenario: { n8n } }: WorkflowHarness,
	workflow: TriggerWorkflow,
): Promise<void> {
	const failed = (await executions(n8n, workflow)).filter(({ status }) => status === 'error');
	await retryExecution(n8n, failed.at(-1)!.id);
}
