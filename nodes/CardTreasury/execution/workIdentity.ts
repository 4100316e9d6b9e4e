import { randomUUID } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import type { WorkIdentity } from '../request/idempotencyKey';
import { isTool } from './n8nParameters';

/**
 * What an item's work is known by. The node's context survives a manual retry (it is stored with the failed execution),
 * the execution ID does not: the first execution's ID is kept there before anything is sent.
 */
export function workIdentity(n8n: IExecuteFunctions): (itemIndex: number) => WorkIdentity {
	const memory = n8n.getContext('node');
	memory.rootExecutionId ??= n8n.getExecutionId() ?? randomUUID();
	const shared = {
		instanceId: n8n.getInstanceId(),
		workflowId: n8n.getWorkflow().id ?? '',
		nodeId: n8n.getNode().id,
		rootExecutionId: String(memory.rootExecutionId),
	};
	// Which round of a loop this is.
	const runIndex = Number(n8n.getWorkflowDataProxy(0).$runIndex ?? 0);
	return (itemIndex) => (isTool(n8n) ? shared : { ...shared, place: { runIndex, itemIndex } });
}

/** Whether the node has not run before in this execution or in the one that it retries. */
export function isFirstRun(n8n: IExecuteFunctions): boolean {
	return n8n.getContext('node').rootExecutionId === undefined;
}

/** Forgets this run, so that the next one is the first again. */
export function forgetRun(n8n: IExecuteFunctions): void {
	delete n8n.getContext('node').rootExecutionId;
}
