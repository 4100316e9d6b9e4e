import type { IDataObject, IExecuteFunctions, INode, WorkflowExecuteMode } from 'n8n-workflow';

/** Facts about n8n and the execution, read once per run of the node. */
export interface Host {
	node: INode;
	mode: WorkflowExecuteMode;
	/** True if an AI agent calls the node as a tool. */
	isTool: boolean;
	/** True if n8n's AI assistant runs the node alone, with parameters that the assistant wrote. */
	isAssistant: boolean;
	/**
	 * False if n8n stores nothing between calls: behind the MCP Server Trigger, in n8n's own Agents and for n8n's AI
	 * assistant.
	 */
	hasExecution: boolean;
	/** True if n8n keeps notes of this node, because the workflow is saved and permanent. */
	keepsNotes: boolean;
	/** Start of the execution in epoch milliseconds. A retry has the same start. */
	startedAt?: number;
	continueOnFail: boolean;
	/** Index of the node's run in the execution. */
	runIndex: number;
	/** Data that n8n stores with the execution, shared by all nodes. */
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
		// Without an execution n8n stores nothing, and `getContext` may throw.
		flow: isRun ? n8n.getContext('flow') : {},
		timezone: n8n.getTimezone(),
		stopSignal: n8n.getExecutionCancelSignal(),
	};
}

/** True if an agent calls the node. n8n runs a tool either as a separate node type, or in a context for tools. */
export function isTool(n8n: Pick<IExecuteFunctions, 'getNode' | 'isToolExecution'>): boolean {
	return n8n.getNode().type.endsWith('Tool') || n8n.isToolExecution?.() === true;
}

/**
 * True if n8n's AI assistant runs the node alone. The assistant uses a temporary workflow, recognizable only by its
 * name (n8n 2.41).
 */
function isRunByAssistant(n8n: IExecuteFunctions): boolean {
	return (
		n8n.getMode() === 'manual' && n8n.getWorkflow().name === `Execute node ${n8n.getNode().type}`
	);
}

/**
 * False in n8n's own Agents. n8n runs the tools of such an agent in a temporary workflow without execution data (n8n
 * 2.41).
 */
function hasContext(n8n: IExecuteFunctions): boolean {
	try {
		n8n.getContext('flow');
		return true;
	} catch {
		return false;
	}
}
