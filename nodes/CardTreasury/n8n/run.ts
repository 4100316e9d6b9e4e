import type { IBinaryData, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { unsupportedHost } from '../../service/host';
import type { Batch } from '../batch/batch';
import { runBatch } from '../batch/runBatch';
import { RequestGroup } from '../client/requestGroup';
import { InvalidFieldError } from '../errors';
import type { ServiceOperation } from '../operation';
import { findOperation } from '../resources';
import { clock, connect, type RateLimiters } from './connect';
import { createCrashGuard, type CrashGuard } from './crashGuard';
import { executionOf } from './execution';
import { readCaller, readItems } from './read';
import { failedItem, renderEnd, renderHints, renderItems } from './render';
import { respond } from './respond';
import { setBusinessKeys } from './businessKeys';

/** What one node class keeps for the whole process. */
export interface ProcessState {
	limiters: RateLimiters;
	crashGuard: CrashGuard;
}

export const createProcessState = (limiters: RateLimiters): ProcessState => ({
	limiters,
	crashGuard: createCrashGuard(),
});

/**
 * Runs the chosen operation for all items. Thrown under Continue On Fail, n8n would hand on the input items as if all had
 * gone well, so there whatever goes wrong becomes each item's own failure.
 */
export async function run(
	n8n: IExecuteFunctions,
	state: ProcessState,
): Promise<INodeExecutionData[]> {
	try {
		return await runOperation(n8n, state);
	} catch (thrown) {
		const failure = thrown instanceof InvalidFieldError ? thrown : unexpected(thrown);
		if (n8n.continueOnFail()) {
			return n8n.getInputData().map((_, index) => failedItem(n8n, failure, index, false));
		}
		if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) throw thrown;
		throw new NodeOperationError(n8n.getNode(), failure.message, { description: failure.fix });
	}
}

function unexpected(thrown: unknown): InvalidFieldError {
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
	const operation = findOperation(resource, name);
	if (operation === undefined) {
		throw new InvalidFieldError(
			'Operation',
			`"${name}" does not exist for "${resource}"`,
			'Choose Resource and Operation from the lists.',
		);
	}
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
	const tooOld = operation.effect === 'read' ? undefined : unsupportedHost();
	if (tooOld !== undefined)
		throw new InvalidFieldError('This n8n', 'is too old for writes', tooOld);
	const { client, environment } = await connect(n8n, state.limiters);
	const group = new RequestGroup(n8n.getExecutionCancelSignal());
	try {
		const { memory, ...execution } = executionOf(n8n);
		return await send(n8n, {
			operation,
			items: readItems(n8n, operation),
			caller: readCaller(n8n, environment),
			...execution,
			client,
			group,
			continueOnFail: n8n.continueOnFail(),
			beginWrites: async (unkeyed) =>
				await state.crashGuard(n8n, memory, unkeyed ? execution.identity.runIndex : undefined),
			storeFile: async (bytes, fileName, mimeType) =>
				await n8n.helpers.prepareBinaryData(bytes, fileName, mimeType),
		});
	} finally {
		group.close();
	}
}

async function send(
	n8n: IExecuteFunctions,
	batch: Batch<IBinaryData>,
): Promise<INodeExecutionData[]> {
	const began = clock.now();
	const result = await runBatch(batch);
	setBusinessKeys(n8n, result);
	// After Stop an error would take the items with it that tell what has been sent.
	const stopped = n8n.getExecutionCancelSignal()?.aborted === true;
	if (result.failedAt !== undefined && !stopped) throw renderEnd(n8n, result, batch);
	n8n.addExecutionHints(...renderHints(batch, result.results, (clock.now() - began) / 1000));
	return renderItems(n8n, result.results);
}
