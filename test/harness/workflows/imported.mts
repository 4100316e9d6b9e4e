import type { N8nAccess } from '../n8n/n8n.mts';
import type { TriggerWorkflow } from '../n8n/workflows.mts';
import type { WorkflowFile, WorkflowNode } from './workflowFiles.mts';

/** Imports a workflow and returns the URL of its trigger (empty without a Card Treasury Trigger). */
export async function importWorkflow(
	{ rest, url }: N8nAccess,
	workflow: WorkflowFile,
): Promise<TriggerWorkflow> {
	const created = await rest('POST', '/rest/workflows', { ...workflow, active: false });
	const trigger = (created.nodes as WorkflowNode[]).find(({ type }) =>
		type.endsWith('.cardTreasuryTrigger'),
	);
	const at = (kind: string) =>
		trigger === undefined ? '' : `${url}/${kind}/${trigger.webhookId}/webhook`;
	return {
		id: String(created.id),
		versionId: String(created.versionId),
		url: at('webhook'),
		testUrl: at('webhook-test'),
	};
}

/** Runs a workflow from one of its triggers, as *Execute workflow* in the editor does. @returns the execution's ID */
export async function runFrom(
	{ rest }: N8nAccess,
	{ id }: Pick<TriggerWorkflow, 'id'>,
	trigger: string,
): Promise<string> {
	const { executionId } = await rest('POST', `/rest/workflows/${id}/run`, {
		triggerToStartFrom: { name: trigger },
	});
	return String(executionId);
}
