import type { IDataObject, IExecuteFunctions, INode, WorkflowExecuteMode } from 'n8n-workflow';

import { InvalidFieldError } from '../../shared/fields/invalidField';

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

/** Facts needed to report an error. */
export type Reporter = Pick<Host, 'node' | 'isTool' | 'continueOnFail'>;

/** Reads what an error report needs. Never throws, because n8n would pass the input on as a success. */
export function readReporter(n8n: IExecuteFunctions): Reporter {
	const node = orElse(UNKNOWN_NODE, () => n8n.getNode());
	const byNode = node.onError !== undefined && node.onError !== 'stopWorkflow';
	return {
		node,
		isTool: orElse(false, () => isTool(n8n)),
		continueOnFail: orElse(byNode, () => n8n.continueOnFail()),
	};
}

/** Stand-in for a node that n8n cannot return. `continueErrorOutput` marks failed items on both continue settings. */
const UNKNOWN_NODE: INode = {
	id: '',
	name: 'Card Treasury',
	type: 'cardTreasury',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
	onError: 'continueErrorOutput',
};

/** Returns the fallback if the work throws. */
export function orElse<Value>(fallback: Value, work: () => Value): Value {
	try {
		return work();
	} catch {
		return fallback;
	}
}

export function readHost(n8n: IExecuteFunctions, { continueOnFail }: Reporter): Host {
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
		continueOnFail,
		runIndex: isRun ? runIndexOf(n8n) : 0,
		// Without an execution n8n stores nothing, and `getContext` may throw.
		flow: isRun ? n8n.getContext('flow') : {},
		timezone: n8n.getTimezone(),
		stopSignal: n8n.getExecutionCancelSignal(),
	};
}

/** @throws InvalidFieldError if n8n's public address has no scheme. n8n builds the address of `$resumeWebhookUrl` here. */
function runIndexOf(n8n: IExecuteFunctions): number {
	let problem: unknown;
	try {
		return Number(n8n.getWorkflowDataProxy(0).$runIndex ?? 0);
	} catch (thrown) {
		problem = thrown;
	}
	throw (problem as { code?: unknown }).code === 'ERR_INVALID_URL'
		? new InvalidFieldError(
				'The public address of this n8n',
				'is not a full URL',
				'Start WEBHOOK_URL with https:// (or correct N8N_PROTOCOL, N8N_HOST and N8N_PORT), and restart n8n.',
			)
		: problem;
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
	return orElse(false, () => Boolean(n8n.getContext('flow')));
}
