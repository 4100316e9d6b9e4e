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
	const runIndex = runIndexOf(n8n);
	return (itemIndex) => (isTool(n8n) ? shared : { ...shared, place: { runIndex, itemIndex } });
}

/** `$runIndex`: which round of a loop this is. */
function runIndexOf(n8n: IExecuteFunctions): number {
	return Number(n8n.evaluateExpression('{{ $runIndex }}', 0) ?? 0);
}
