import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { createJournal, type Journal, type JournalData } from '../batch/journal';
import type { RunIdentity } from '../batch/work';
import type { RecoveryPath } from '../request';
import { isTool } from './read';

/** What n8n keeps for this node with the execution: through Retry On Fail and a manual retry, but not through a crash. */
export interface ExecutionMemory extends JournalData {
	/** The execution in which the work was first tried. */
	root?: string;
	/** What this execution and its retries have in common, as `crashGuard` knows them. */
	start?: string;
	/** The marks by which it was noted that writes have begun. */
	noted?: string[];
}

/** What the batch must know of the execution that it runs in. */
export interface Execution {
	memory: ExecutionMemory;
	identity: RunIdentity;
	journal: Journal;
	recovery: RecoveryPath;
}

export function executionOf(n8n: IExecuteFunctions): Execution {
	const tool = isTool(n8n);
	// An agent's calls share one memory, whichever node they come through, so that a freeze knows of the unfreeze before it.
	const context: IDataObject & { cardTreasury?: ExecutionMemory } = n8n.getContext(
		tool ? 'flow' : 'node',
	);
	const memory = (context.cardTreasury ??= {});
	const executionId = n8n.getExecutionId();
	// Execution IDs come again after a database was restored; their starts do not.
	if (executionId) memory.root ??= `${executionId}@${startOf(n8n) ?? ''}`;
	const runIndex = Number(n8n.getWorkflowDataProxy(0).$runIndex ?? 0);
	return {
		memory,
		identity: {
			instanceId: n8n.getInstanceId(),
			workflowId: n8n.getWorkflow().id ?? '',
			nodeId: n8n.getNode().id,
			...(memory.root !== undefined && { root: memory.root }),
			runIndex,
		},
		journal: createJournal(memory, (place) => tool || place.startsWith(`${runIndex}/`)),
		recovery: recoveryOf(n8n, tool),
	};
}

/** The moment in which the execution was first started; its retries keep it. */
export function startOf(n8n: IExecuteFunctions): number | undefined {
	return n8n.getExecutionContext?.()?.establishedAt;
}

/** How the user of this run can have a derived key sent again. */
function recoveryOf(n8n: IExecuteFunctions, tool: boolean): RecoveryPath {
	if (n8n.getExecutionId() === undefined) return 'copied key';
	if (tool) return 'tool call';
	// An execution that goes on ends well, and n8n retries only failed ones; one of a sub-workflow is begun anew
	// by each call, also by that of a retried parent.
	return n8n.continueOnFail() || n8n.getMode() === 'integrated' ? 'copied key' : 'retry';
}
