import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { RunIdentity } from '../batch/batch';
import type { JournalData } from '../batch/journal';
import type { RecoveryPath } from '../request';
import type { Begun } from './continueOnce';
import { isTool } from './read';

/** What n8n keeps with the execution for all of this pack's nodes: through Retry On Fail and a retry, but not a crash. */
export interface ExecutionMemory extends JournalData {
	/** The execution in which the work was first tried. */
	root?: string;
	/** By name of the node. */
	begun?: Record<string, Begun>;
}

/** The memory of the present execution; an empty one where n8n keeps none from one call to the next. */
export function memoryOf(n8n: IExecuteFunctions): ExecutionMemory {
	const executionId = n8n.getExecutionId();
	// Behind the MCP Server Trigger, and for n8n's own Agents, there may not even be a context.
	if (executionId === undefined) return {};
	const context: IDataObject & { cardTreasury?: ExecutionMemory } = n8n.getContext('flow');
	const memory = (context.cardTreasury ??= {});
	// Execution IDs come again after a database was restored; their starts do not.
	memory.root ??= `${executionId}@${startOf(n8n) ?? ''}`;
	return memory;
}

export function identityOf(n8n: IExecuteFunctions, { root }: ExecutionMemory): RunIdentity {
	return {
		instanceId: n8n.getInstanceId(),
		workflowId: n8n.getWorkflow().id ?? '',
		node: n8n.getNode().name,
		...(root !== undefined && { root }),
		round: roundOf(n8n),
	};
}

/** Of a loop. */
function roundOf(n8n: IExecuteFunctions): number {
	return n8n.getExecutionId() === undefined
		? 0
		: Number(n8n.getWorkflowDataProxy(0).$runIndex ?? 0);
}

/** The moment in which the execution was first started; its retries keep it. */
export function startOf(n8n: IExecuteFunctions): number | undefined {
	return n8n.getExecutionContext?.()?.establishedAt;
}

/** How the user of this run can have a derived key sent again. */
export function recoveryOf(n8n: IExecuteFunctions): RecoveryPath {
	if (n8n.getExecutionId() === undefined) return 'copied key';
	if (isTool(n8n)) return 'tool call';
	// An execution that goes on ends well, and n8n retries only failed ones; one of a sub-workflow is begun anew
	// by each call, also by that of a retried parent.
	return n8n.continueOnFail() || n8n.getMode() === 'integrated' ? 'copied key' : 'retry';
}
