import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { unsupportedHost } from '../../service/host';
import type { Batch } from '../batch/batch';
import type { Clock } from '../client/transport';
import { RequestGroup } from '../client/requestGroup';
import { InvalidFieldError } from '../errors';
import type { ServiceOperation } from '../operation';
import { connect, type RateLimiters } from './connect';
import { createCrashGuard, type CrashGuard } from './crashGuard';
import { executionOf } from './execution';
import { readCaller, readItems } from './read';

/** What one node class keeps for the whole process. */
export interface ProcessState {
	limiters: RateLimiters;
	crashGuard: CrashGuard;
	clock?: Clock;
}

export const createProcessState = (limiters: RateLimiters, clock?: Clock): ProcessState => ({
	limiters,
	crashGuard: createCrashGuard(clock),
	clock,
});

/**
 * Everything that the batch needs of n8n, read once: the items, the execution, the service, and n8n's storage as ports.
 * The caller closes its group. @throws InvalidFieldError
 */
export async function readBatch(
	n8n: IExecuteFunctions,
	operation: ServiceOperation,
	{ limiters, crashGuard, clock }: ProcessState,
): Promise<Batch<IBinaryData>> {
	if (operation.effect !== 'read') refuseOldHost(unsupportedHost());
	const { client, environment } = await connect(n8n, limiters, clock);
	const { memory, ...execution } = executionOf(n8n);
	return {
		operation,
		items: readItems(n8n, operation),
		caller: readCaller(n8n, environment),
		...execution,
		client,
		group: new RequestGroup(n8n.getExecutionCancelSignal()),
		continueOnFail: n8n.continueOnFail(),
		beginWrites: async (keys) => await crashGuard(n8n, memory, keys, execution.identity.runIndex),
		storeFile: async (bytes, fileName, mimeType) =>
			await n8n.helpers.prepareBinaryData(bytes, fileName, mimeType),
	};
}

/** @throws InvalidFieldError with what to do about an n8n that is too old */
export function refuseOldHost(tooOld: string | undefined): void {
	if (tooOld === undefined) return;
	throw new InvalidFieldError('This n8n', 'is too old for writes', tooOld);
}
