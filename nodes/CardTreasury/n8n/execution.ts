import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { createJournal, type Journal, type JournalData } from '../batch/journal';
import type { RunIdentity } from '../batch/work';
import type { RecoveryPath } from '../request';
import { isTool } from './read';

/** What n8n keeps for this node with the execution: through Retry On Fail and a manual retry, but not through a crash. */
export interface ExecutionMemory extends JournalData {
	/** The execution in which the work was first tried. */
	root?: string;
	/** Whether it was noted that writes have begun. */
	noted?: boolean;
}

/** An agent's calls share one memory, whichever node they come through, so that a freeze knows of the unfreeze before it. */
export function memoryOf(n8n: IExecuteFunctions): ExecutionMemory {
	const context: IDataObject & { cardTreasury?: ExecutionMemory } = n8n.getContext(
		isTool(n8n) ? 'flow' : 'node',
	);
	return (context.cardTreasury ??= {});
}

/** The moment in which the execution was first started; its retries keep it. */
export function startOf(n8n: IExecuteFunctions): number | undefined {
	return n8n.getExecutionContext?.()?.establishedAt;
}

export function identityOf(n8n: IExecuteFunctions, memory: ExecutionMemory): RunIdentity {
	const executionId = n8n.getExecutionId();
	// Execution IDs come again after a database was restored; their starts do not.
	if (executionId) memory.root ??= `${executionId}@${startOf(n8n) ?? ''}`;
	return {
		instanceId: n8n.getInstanceId(),
		workflowId: n8n.getWorkflow().id ?? '',
		nodeId: n8n.getNode().id,
		...(memory.root !== undefined && { root: memory.root }),
		runIndex: Number(n8n.getWorkflowDataProxy(0).$runIndex ?? 0),
	};
}

export function journalOf(
	n8n: IExecuteFunctions,
	memory: ExecutionMemory,
	{ runIndex }: RunIdentity,
): Journal {
	const tool = isTool(n8n);
	return createJournal(memory, (place) => tool || place.startsWith(`${runIndex}/`));
}

/** How the user of this run can have a derived key sent again. */
export function recoveryOf(n8n: IExecuteFunctions): RecoveryPath {
	if (n8n.getExecutionId() === undefined) return 'copied key';
	if (isTool(n8n)) return 'tool call';
	// An execution that goes on ends well, and n8n retries only failed ones; one of a sub-workflow is begun anew
	// by each call, also by that of a retried parent.
	return n8n.continueOnFail() || n8n.getMode() === 'integrated' ? 'copied key' : 'retry';
}
