import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { runBatch } from '../batch/runBatch';
import type { Clock } from '../client/transport';
import { InvalidFieldError } from '../errors';
import type { ServiceOperation } from '../operation';
import { chosenOperation } from '../resources';
import { createLimiters } from './connect';
import { createProcessState as processState, readBatch, type ProcessState } from './readBatch';
import { errorOf, failedItem, render } from './render';
import { respond } from './respond';

export const createProcessState = (clock?: Clock): ProcessState =>
	processState(createLimiters(clock), clock);

/**
 * Runs the chosen operation for all items. Thrown under Continue On Fail, n8n would hand on the input items as if all had
 * gone well, so there whatever goes wrong becomes each item's own failure.
 */
export async function run(
	n8n: IExecuteFunctions,
	state: ProcessState,
): Promise<INodeExecutionData[]> {
	return await runOperation(n8n, state).catch(async (thrown: unknown) => {
		const failure = thrown instanceof InvalidFieldError ? thrown : unexpected(thrown);
		if (n8n.continueOnFail()) {
			return n8n.getInputData().map((_, index) => failedItem(n8n, failure, index, false));
		}
		const isOurs = thrown instanceof NodeApiError || thrown instanceof NodeOperationError;
		return await Promise.reject(isOurs ? thrown : errorOf(n8n, failure, 0, false));
	});
}

/** What is left for the user to check when something threw that should not. */
export function unexpected(thrown: unknown): InvalidFieldError {
	const reason = thrown instanceof Error ? thrown.message : String(thrown);
	return new InvalidFieldError(
		'This node',
		`could not run: ${reason}`,
		'Check its parameters and its credential.',
	);
}

async function runOperation(
	n8n: IExecuteFunctions,
	state: ProcessState,
): Promise<INodeExecutionData[]> {
	const resource = String(n8n.getNodeParameter('resource', 0));
	const name = String(n8n.getNodeParameter('operation', 0));
	const operation = chosenOperation(resource, name);
	if (n8n.getInputData().length === 0) return [];
	return operation.kind === 'response'
		? await respond(n8n, operation)
		: await runService(n8n, operation, state);
}

async function runService(
	n8n: IExecuteFunctions,
	operation: ServiceOperation,
	state: ProcessState,
): Promise<INodeExecutionData[]> {
	const batch = await readBatch(n8n, operation, state);
	try {
		return render(n8n, batch, await runBatch(batch));
	} finally {
		batch.group.close();
	}
}
