import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';

import { orProblem, Problem, reasonOf } from '../../shared/problem';
import type { RequestOperation } from '../operations/operation';
import type { Service } from '../service/connect';
import { placeOf, runNoteOf } from './names';
import type { Journal } from './result';

/** This run of the node in n8n. */
export interface Execution {
	n8n: IExecuteFunctions;
	node: INode;
	continueOnFail: boolean;
	/** True if an AI agent calls the node, so that it reads only the message of an error. */
	isTool: boolean;
	isRetry: boolean;
	isStopped(): boolean;
}

/** Run that sends requests. */
export interface Run extends Execution {
	operation: RequestOperation;
	service: Service;
	/** Undefined for a run that may be repeated at will, and where n8n keeps none. */
	memory?: Memory;
}

/** Never throws, because the report of a run needs it. */
export function readExecution(n8n: IExecuteFunctions): Execution {
	const signal = n8n.getExecutionCancelSignal();
	return {
		n8n,
		node: n8n.getNode(),
		continueOnFail: n8n.continueOnFail(),
		isTool: isTool(n8n),
		isRetry: n8n.getMode() === 'retry',
		isStopped: () => signal?.aborted === true,
	};
}

/** n8n runs a tool as a node type of its own or in a context for tools, and its AI assistant in a workflow of this name. */
function isTool(n8n: IExecuteFunctions): boolean {
	const { type } = n8n.getNode();
	return (
		type.endsWith('Tool') ||
		n8n.isToolExecution?.() === true ||
		n8n.getWorkflow().name === `Execute node ${type}`
	);
}

/** Names and journal by which a later run recognizes what this run has sent. */
export interface Memory {
	/** Note of this run in n8n's database. A retry has the same one, also after a crash. */
	runNote: string;
	journal: Journal;
	/** Place of an item in the execution that ran first. A retry has the same one, but not after a crash. */
	placeOf(index: number): string;
}

/** @returns undefined where a retry would seem to be a new execution, and would send again */
export function readMemory(n8n: IExecuteFunctions): Memory | undefined {
	const id = n8n.getExecutionId();
	const startedAt = n8n.getExecutionContext?.()?.establishedAt;
	// Engine 2.0 stores neither the start of an execution nor its context (n8n 2.41).
	if (id === undefined || startedAt === undefined) return undefined;
	const runIndex = runIndexOf(n8n);
	const flow: IDataObject & { cardTreasury?: Partial<Record<string, Stored>> } =
		n8n.getContext('flow');
	const journals = (flow.cardTreasury ??= {});
	const stored = (journals[`${n8n.getNode().name} ${runIndex}`] ??= { execution: id, sent: {} });
	return {
		runNote: runNoteOf(startedAt, runIndex),
		journal: stored,
		placeOf: (index) => placeOf(stored.execution, runIndex, index),
	};
}

type Stored = Journal & { execution: string };

/** @throws Problem if n8n's public address has no scheme: n8n makes a URL of it here, and for each parameter */
export function runIndexOf(n8n: IExecuteFunctions): number {
	const index = orProblem(
		() => Number(n8n.getWorkflowDataProxy(0).$runIndex ?? 0),
		(thrown) =>
			new Problem(
				`The public address of this n8n is not a full URL (${reasonOf(thrown)})`,
				'Start WEBHOOK_URL with https:// (or correct N8N_PROTOCOL and N8N_HOST), and restart n8n.',
			),
	);
	if (index instanceof Problem) throw index;
	return index;
}
