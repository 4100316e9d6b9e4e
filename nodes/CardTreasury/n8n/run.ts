import type { IBinaryData, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { unsupportedHost } from '../../service/host';
import { createRecordKeys } from '../../n8n/recordKeys';
import type { Batch } from '../batch/batch';
import { createJournal } from '../batch/journal';
import { runBatch, unexpected } from '../batch/run';
import { createRateLimiters } from '../client/rateLimiter';
import { RequestGroup } from '../client/requestGroup';
import { InvalidFieldError, orInvalid } from '../errors';
import type { ServiceOperation } from '../operation';
import { chosenOperation } from '../resources';
import { processClock } from './clock';
import { connect, type Process } from './connect';
import { createContinueOnce, type ContinueOnce } from './continueOnce';
import { identityOf, memoryOf, recoveryOf, startOf } from './execution';
import { readCaller, readItems } from './read';
import { errorOf, failedItem, render } from './render';
import { respond } from './respond';

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

/**
 * Runs the chosen operation for all items. Thrown under Continue On Fail, n8n would hand on the input items as if all had
 * gone well, so there whatever goes wrong becomes each item's own failure.
 */
export async function run(
	n8n: IExecuteFunctions,
	state: ProcessState,
): Promise<INodeExecutionData[]> {
	return await runOperation(n8n, state).catch(async (thrown: unknown) => {
		const reason = thrown instanceof Error ? thrown.message : String(thrown);
		const failure = thrown instanceof InvalidFieldError ? thrown : unexpected(reason);
		const isOurs = thrown instanceof NodeApiError || thrown instanceof NodeOperationError;
		if (isOurs && !n8n.continueOnFail()) return await Promise.reject(thrown);
		const memory = memoryOf(n8n);
		const { node, round } = identityOf(n8n, memory);
		const journal = createJournal(memory, node, round);
		const outcomes = n8n
			.getInputData()
			.map((_, index) => journal.find([node, round, index])?.outcome ?? 'not_sent');
		if (n8n.continueOnFail()) {
			return outcomes.map((outcome, index) => failedItem(n8n, failure, index, outcome));
		}
		const worst = WORST_FIRST.find((outcome) => outcomes.includes(outcome)) ?? 'not_sent';
		return await Promise.reject(errorOf(n8n, failure, 0, worst));
	});
}

const WORST_FIRST = ['unknown', 'accepted', 'rejected'] as const;

async function runOperation(
	n8n: IExecuteFunctions,
	state: ProcessState,
): Promise<INodeExecutionData[]> {
	const resource = String(n8n.getNodeParameter('resource', 0));
	const name = String(n8n.getNodeParameter('operation', 0));
	const operation = chosenOperation(resource, name);
	if (n8n.getInputData().length === 0) return [];
	if (operation.kind === 'response') return await respond(n8n, operation);
	const batch = await readBatch(n8n, operation, state);
	try {
		return render(n8n, batch, await runBatch(batch));
	} finally {
		batch.group.close();
	}
}

/** Everything that the batch needs of n8n, read once: the items, the execution, the service, and n8n's storage as ports. */
async function readBatch(
	n8n: IExecuteFunctions,
	operation: ServiceOperation,
	{ continueOnce, ...shared }: ProcessState,
): Promise<Batch<IBinaryData>> {
	const memory = memoryOf(n8n);
	const identity = identityOf(n8n, memory);
	const connection = await orInvalid(async () => {
		if (operation.effect !== 'read') refuseOldHost(unsupportedHost());
		return await connect(n8n, shared);
	}).catch((thrown: unknown) =>
		unexpected(thrown instanceof Error ? thrown.message : String(thrown)),
	);
	const broken = connection instanceof InvalidFieldError;
	const begun = (memory.begun ??= {});
	const note = { begun, start: startOf(n8n), now: () => shared.clock.date() };
	return {
		operation,
		items: readItems(n8n, operation),
		caller: readCaller(n8n, broken ? 'sandbox' : connection.environment),
		identity,
		journal: createJournal(memory, identity.node, identity.round),
		recovery: recoveryOf(n8n),
		service: connection,
		group: new RequestGroup(n8n.getExecutionCancelSignal()),
		isRetry: n8n.getMode() === 'retry',
		continueOnFail: n8n.continueOnFail(),
		now: () => shared.clock.date(),
		begin: async (plan) => await continueOnce(n8n, note, plan),
		storeFile: async (bytes, fileName, mimeType) =>
			await n8n.helpers.prepareBinaryData(bytes, fileName, mimeType),
	};
}

/** @throws InvalidFieldError with what to do about an n8n that is too old */
export function refuseOldHost(tooOld: string | undefined): void {
	if (tooOld === undefined) return;
	throw new InvalidFieldError('This n8n', 'is too old for writes', tooOld);
}
