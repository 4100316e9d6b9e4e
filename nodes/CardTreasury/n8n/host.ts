import type { IDataObject, IExecuteFunctions, INode, WorkflowExecuteMode } from 'n8n-workflow';

/** What a run of the node needs to know of n8n and of its execution, read once. */
export interface Host {
	node: INode;
	mode: WorkflowExecuteMode;
	/** Whether an AI agent calls the node as a tool. */
	isTool: boolean;
	/** Whether n8n's AI assistant runs the node alone, with parameters that it wrote itself. */
	isAssistant: boolean;
	/** False behind the MCP Server Trigger, in n8n's own Agents and for its AI assistant. */
	hasExecution: boolean;
	/** Whether n8n keeps notes of this node: the workflow is saved, and lasts. */
	keepsNotes: boolean;
	/** Start of the execution in epoch milliseconds, which a retry keeps. */
	startedAt?: number;
	continueOnFail: boolean;
	/** Number of the node's run in the execution. */
	runIndex: number;
	/** Data that n8n keeps with the execution for all nodes. */
	flow: IDataObject;
	timezone: string;
	/** Aborts when the execution is stopped. */
	stopSignal?: AbortSignal;
}

export function readHost(n8n: IExecuteFunctions): Host {
	const node = n8n.getNode();
	const mode = n8n.getMode();
	const isAssistant = isRunByAssistant(n8n);
	const isRun = n8n.getExecutionId() !== undefined;
	const hasExecution = isRun && !isAssistant;
	const startedAt = hasExecution ? n8n.getExecutionContext?.()?.establishedAt : undefined;
	const workflowId = n8n.getWorkflow().id;
	return {
		node,
		mode,
		isTool: isTool(n8n) || isAssistant,
		isAssistant,
		hasExecution,
		keepsNotes: Boolean(workflowId) && !isAssistant && (isRun || hasContext(n8n)),
		...(startedAt !== undefined && { startedAt }),
		continueOnFail: n8n.continueOnFail(),
		runIndex: isRun ? Number(n8n.getWorkflowDataProxy(0).$runIndex ?? 0) : 0,
		// Without an execution nothing is kept, and there may not even be a context.
		flow: isRun ? n8n.getContext('flow') : {},
		timezone: n8n.getTimezone(),
		stopSignal: n8n.getExecutionCancelSignal(),
	};
}

/** n8n runs a node as an agent's tool in two ways: as a node type of its own, or through the tool's context. */
export function isTool(n8n: Pick<IExecuteFunctions, 'getNode' | 'isToolExecution'>): boolean {
	return n8n.getNode().type.endsWith('Tool') || n8n.isToolExecution?.() === true;
}

/**
 * To run a node alone, n8n's AI assistant makes a workflow of it that is deleted afterwards, together with its execution
 * (n8n 2.41). Only the name of that workflow tells it from a node that a person runs alone in the editor.
 */
function isRunByAssistant(n8n: IExecuteFunctions): boolean {
	return (
		n8n.getMode() === 'manual' && n8n.getWorkflow().name === `Execute node ${n8n.getNode().type}`
	);
}

/** n8n's own Agents run a tool in a throw-away workflow without execution data (n8n 2.41). */
function hasContext(n8n: IExecuteFunctions): boolean {
	try {
		n8n.getContext('flow');
		return true;
	} catch {
		return false;
	}
}
