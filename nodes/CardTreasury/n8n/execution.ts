import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { createJournal, type JournalData } from '../batch/journal';
import type { RecoveryPath } from '../request/request';
import type { Note } from './continueOnce';
import { isTool } from './readItems';

/** What n8n keeps with the execution for all of this pack's nodes: through Retry On Fail and a retry, but not a crash. */
interface ExecutionMemory extends JournalData {
	/** The execution in which the work was first tried. */
	root?: string;
	/** By name of the node. */
	begun?: Note['begun'];
}

/** The present execution, as a batch needs it, and what its continuation is noted by. */
export function executionOf(n8n: IExecuteFunctions) {
	const context = n8n.getExecutionContext?.();
	// The moment in which the execution was first started; its retries keep it.
	const start = context?.establishedAt;
	const executionId = n8n.getExecutionId();
	const node = n8n.getNode().name;
	// Behind the MCP Server Trigger, and for n8n's own Agents, nothing is kept, and there may not even be a context.
	const flow: IDataObject & { cardTreasury?: ExecutionMemory } =
		executionId === undefined ? {} : n8n.getContext('flow');
	const memory = (flow.cardTreasury ??= {});
	// Execution IDs come again after a database was restored; their starts do not.
	if (executionId !== undefined) memory.root ??= `${executionId}@${start ?? ''}`;
	const round = executionId === undefined ? 0 : Number(n8n.getWorkflowDataProxy(0).$runIndex ?? 0);
	const { root } = memory;
	return {
		identity: {
			instanceId: n8n.getInstanceId(),
			workflowId: n8n.getWorkflow().id ?? '',
			node,
			...(root !== undefined && { root }),
			round,
		},
		journal: createJournal(memory, node, round),
		isRetry: n8n.getMode() === 'retry',
		continueOnFail: n8n.continueOnFail(),
		recovery: recoveryOf(n8n),
		note: {
			begun: (memory.begun ??= {}),
			...namesOf(context),
			root: root ?? '',
		},
	};
}

/**
 * n8n stores the context of a sub-workflow only at its end (2.41): after a crash the retry makes one anew, and has no more
 * than the ID of the parent, which may have called several.
 */
function namesOf(
	context: ReturnType<IExecuteFunctions['getExecutionContext']>,
): Pick<Note, 'origins' | 'start'> {
	const { establishedAt: start, parentExecutionId: parent, source } = context ?? {};
	const byParent = parent === undefined ? [] : [`sub ${parent}`];
	if (parent !== undefined && source === 'retry') return { origins: byParent };
	return { origins: [`${start ?? 0}`, ...byParent], start };
}

/** How the user of this run can have a derived key sent again. */
function recoveryOf(n8n: IExecuteFunctions): RecoveryPath {
	if (n8n.getExecutionId() === undefined) return 'copied key';
	if (isTool(n8n)) return 'tool call';
	// An execution that goes on ends well, and n8n retries only failed ones; one of a sub-workflow is begun anew
	// by each call, also by that of a retried parent.
	return n8n.continueOnFail() || n8n.getMode() === 'integrated' ? 'copied key' : 'retry';
}
