import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { InvalidFieldError } from '../../shared/fields/invalidField';
import { unsupportedHost } from '../../shared/host';
import { createRecordKeys } from '../../shared/recordKeys';
import { unusable, type Batch } from '../batch/batch';
import { runBatch } from '../batch/runBatch';
import { chosenOperation } from '../operations';
import type { Operation, ServiceOperation } from '../operations/operation';
import { processClock } from '../request/clock';
import { asInvalid } from '../request/errors';
import { createRateLimiters, RequestGroup } from '../request/rateLimiter';
import { connect, type Process } from './connect';
import { createContinueOnce, type ContinueOnce } from './continueOnce';
import { executionOf } from './execution';
import { readCaller, readItems } from './readItems';
import { errorOf, failedItem, render } from './render';
import { sendDecision } from './respond';

/** What one node class keeps for the whole process. */
export interface ProcessState extends Process {
	continueOnce: ContinueOnce;
}

export function createProcessState(clock = processClock): ProcessState {
	return {
		clock,
		limiters: createRateLimiters(clock),
		continueOnce: createContinueOnce(createRecordKeys(async (ms) => await clock.wait(ms))),
	};
}

/** Runs the chosen operation for all items. */
export async function run(
	n8n: IExecuteFunctions,
	state: ProcessState,
): Promise<INodeExecutionData[]> {
	return await runOperation(n8n, state).catch((thrown: unknown) => failAll(n8n, thrown));
}

/**
 * Thrown under Continue On Fail, n8n would hand on the input items as if all had gone well, so there whatever goes wrong
 * becomes each item's own failure.
 */
async function failAll(n8n: IExecuteFunctions, thrown: unknown): Promise<INodeExecutionData[]> {
	const isOurs = thrown instanceof NodeApiError || thrown instanceof NodeOperationError;
	if (isOurs && !n8n.continueOnFail()) return await Promise.reject(thrown);
	const { journal } = executionOf(n8n);
	const outcomes = n8n
		.getInputData()
		.map((_, index) => journal.find(journal.itemPlace(index))?.outcome ?? 'not_sent');
	if (n8n.continueOnFail())
		return outcomes.map((outcome, index) => failedItem(n8n, asInvalid(thrown), index, outcome));
	const worst = WORST_FIRST.find((outcome) => outcomes.includes(outcome)) ?? 'not_sent';
	return await Promise.reject(errorOf(n8n, asInvalid(thrown), 0, worst));
}

const WORST_FIRST = ['unknown', 'accepted', 'rejected'] as const;

async function runOperation(
	n8n: IExecuteFunctions,
	state: ProcessState,
): Promise<INodeExecutionData[]> {
	if (n8n.getInputData().length === 0) return [];
	const operation = operationOfAll(n8n);
	if (operation.kind === 'response') return await sendDecision(n8n, operation);
	const batch = await readBatch(n8n, operation, state);
	try {
		return render(n8n, batch, await runBatch(batch));
	} finally {
		batch.group.close();
	}
}

/** An expression, which the panel does not offer but a workflow may hold, could give each item another. */
export function operationOfAll(n8n: IExecuteFunctions): Operation {
	const [operation, ...others] = n8n
		.getInputData()
		.map((_, index) =>
			chosenOperation(
				String(n8n.getNodeParameter('resource', index)),
				String(n8n.getNodeParameter('operation', index)),
			),
		);
	if (operation && others.every((other) => other === operation)) return operation;
	throw new InvalidFieldError(
		'Operation',
		'is not the same for all items',
		'Choose Resource and Operation from the lists, in a node of its own for each operation.',
	);
}

/** Everything that the batch needs of n8n, read once: the items, the execution, the service, and n8n's storage as ports. */
async function readBatch(
	n8n: IExecuteFunctions,
	operation: ServiceOperation,
	{ continueOnce, ...shared }: ProcessState,
): Promise<Batch> {
	const { note, ...execution } = executionOf(n8n);
	const now = () => shared.clock.date();
	const connecting = async () => {
		if (operation.effect !== 'read') {
			refuseOldHost(unsupportedHost());
			refuseEngine2(n8n);
		}
		return await connect(n8n, shared);
	};
	const service = await connecting().catch((thrown: unknown) => unusable(asInvalid(thrown)));
	return {
		...execution,
		operation,
		items: readItems(n8n, operation),
		caller: readCaller(n8n, service.environment),
		service,
		group: new RequestGroup(n8n.getExecutionCancelSignal()),
		now,
		begin: async (plan) => await continueOnce(n8n, { ...note, now }, plan),
		storeFile: async (bytes, fileName, mimeType) =>
			await n8n.helpers.prepareBinaryData(bytes, fileName, mimeType),
	};
}

/** @throws InvalidFieldError with what to do about an n8n that is too old */
export function refuseOldHost(tooOld: string | undefined): void {
	if (tooOld === undefined) return;
	throw new InvalidFieldError('This n8n', 'is too old for writes', tooOld);
}

/**
 * n8n's Engine 2.0 gives a node an execution, but nothing of what the execution keeps (n8n 2.41): no account of what was
 * sent, nor the moment at which it began. @throws InvalidFieldError
 */
export function refuseEngine2(
	n8n: Pick<IExecuteFunctions, 'getExecutionContext' | 'getExecutionId'>,
): void {
	if (n8n.getExecutionId() === undefined || n8n.getExecutionContext() !== undefined) return;
	throw new InvalidFieldError(
		'This workflow',
		"is set to n8n's Engine 2.0, which keeps no record of what was sent, so that it could be sent twice",
		'Remove engineType from the settings of the workflow.',
	);
}
