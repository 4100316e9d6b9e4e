import type { INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import { SERVICE_RATE } from '../request/pacer';

/**
 * What is worth knowing after the run, for the output panel.
 * @param tries of each item, 0 where nothing was sent
 * @param seconds from the first request to the last answer
 */
export function hintsAfter(
	items: INodeExecutionData[],
	tries: number[],
	seconds: number,
): NodeExecutionHint[] {
	const hints: NodeExecutionHint[] = [];
	const unsent = tries.filter((count) => count === 0).length;
	if (unsent > 0) {
		hints.push({
			message: `${unsent} of ${tries.length} items were not sent. Those that were are in the output.`,
			type: 'warning',
			location: 'outputPane',
		});
	}
	const sent = tries.reduce((total, count) => total + count, 0);
	const retried = tries.filter((count) => count > 1).length;
	const unsettled = items.filter(
		({ json }) =>
			'transaction_hash' in json && (json.status === 'PENDING' || json.status === 'MANUAL_CHECK'),
	).length;
	if (unsettled > 0) {
		hints.push({
			message: `Transfers that are pending or need a manual check: ${unsettled}. Do not send them again: look at their status, or wait for the treasury.transfer event.`,
			type: 'warning',
			location: 'outputPane',
		});
	}
	const failed = items.filter(
		({ json }) => 'transaction_hash' in json && json.status === 'FAILED',
	).length;
	if (failed > 0) {
		hints.push({
			message: `Transfers that came back as FAILED: ${failed}. The service took them on, and they did not succeed. The same idempotency key brings the same answer again, a new execution is a new transfer.`,
			type: 'warning',
			location: 'outputPane',
		});
	}
	const rejected = items.filter(
		({ json }) => Array.isArray(json.rejected_items) && json.rejected_items.length > 0,
	).length;
	if (rejected > 0) {
		hints.push({
			message: `Documents that came back with rejected items: ${rejected}. Each says under rejected_items what was rejected and why: put it right and submit the document again.`,
			type: 'warning',
			location: 'outputPane',
		});
	}
	if (retried > 0) {
		hints.push({
			message: `${retried} of ${tries.length} items needed more than one try. Only reads and requests with an idempotency key are repeated, so nothing happened twice.`,
			location: 'outputPane',
		});
	}
	if (sent > SERVICE_RATE) {
		hints.push({
			message: `${sent} requests were sent in ${Math.ceil(seconds)} seconds, to stay below the service's limit of ${SERVICE_RATE} per second.`,
			location: 'outputPane',
		});
	}
	return hints;
}
