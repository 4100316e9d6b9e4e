import type { IDataObject, IExecuteFunctions, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { FieldRefusal } from '../parameters/reader';
import { SERVICE_RATE } from '../request/pacer';
import type { Refusal } from '../request/refusal';
import { isTool } from './n8nParameters';

/** Bad input as n8n shows it. */
export function inputError(n8n: IExecuteFunctions, refusal: FieldRefusal, itemIndex: number): NodeOperationError {
	const description = `${refusal.fix} Nothing was sent for this item.`;
	const message = headline(n8n, `${refusal.field} ${refusal.reason}`, description, itemIndex);
	return new NodeOperationError(n8n.getNode(), message, { description, itemIndex });
}

/** A refusal of the service as n8n shows it. The request is left out: it may hold document images. */
export function serviceError(n8n: IExecuteFunctions, refusal: Refusal, itemIndex: number): NodeApiError {
	const facts = [
		refusal.code && `Code: ${refusal.code}`,
		refusal.status && `HTTP status: ${refusal.status}`,
		refusal.traceId && `Trace ID: ${refusal.traceId}`,
		refusal.idempotencyKey && `Idempotency key: ${refusal.idempotencyKey}`,
	].filter(Boolean);
	const { message, fix, status, code, traceId } = refusal;
	const description = [fix, facts.join(' · ')].filter(Boolean).join('\n');
	return new NodeApiError(
		n8n.getNode(),
		// Under a key such as `code`, n8n would take it for a network code and put its own advice in place of ours:
		// for a transfer that may have been carried out, "you can retry the request immediately" is the wrong one.
		{ service_code: code ?? null, http_status: status ?? null, trace_id: traceId },
		{
			message: headline(n8n, message, description, itemIndex),
			description,
			...(status === undefined ? {} : { httpCode: String(status) }),
			itemIndex,
		},
	);
}

/** n8n tells an AI agent the message alone, so there it has to say everything. */
function headline(n8n: IExecuteFunctions, message: string, description: string, itemIndex: number): string {
	return isTool(n8n) ? `${message}. ${description}` : `${message} [Item ${itemIndex}]`;
}

/** The item that goes on, or to the error output, under Continue On Fail. */
export function failedItem(
	error: NodeApiError | NodeOperationError,
	refusal: Partial<Refusal>,
	itemIndex: number,
	toErrorOutput: boolean,
): INodeExecutionData {
	const json: IDataObject = {
		error: error.message,
		description: error.description ?? null,
		code: refusal.code ?? null,
		http_status: refusal.status ?? null,
		trace_id: refusal.traceId ?? null,
	};
	const item: INodeExecutionData = { json, pairedItem: { item: itemIndex } };
	// n8n routes an item by `error`, and then replaces the json of every item that still has one by the message alone.
	// It copies the item in between, and a property that is not enumerable does not come along.
	return toErrorOutput ? Object.defineProperty(item, 'error', { value: error, enumerable: false }) : item;
}

/**
 * What is worth knowing after the run, for the output panel.
 * @param tries of each item, 0 where nothing was sent
 * @param seconds from the first request to the last answer
 */
export function hintsAfter(items: INodeExecutionData[], tries: number[], seconds: number): NodeExecutionHint[] {
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
		({ json }) => 'transaction_hash' in json && (json.status === 'PENDING' || json.status === 'MANUAL_CHECK'),
	).length;
	if (unsettled > 0) {
		hints.push({
			message: `${unsettled} transfer(s) are pending or need a manual check. Do not send them again: look at their status, or wait for the treasury.transfer event.`,
			type: 'warning',
			location: 'outputPane',
		});
	}
	const failed = items.filter(({ json }) => 'transaction_hash' in json && json.status === 'FAILED').length;
	if (failed > 0) {
		hints.push({
			message: `${failed} transfer(s) came back as FAILED: the service took them on, and they did not succeed. The same idempotency key brings the same answer again, a new execution is a new transfer.`,
			type: 'warning',
			location: 'outputPane',
		});
	}
	const rejected = items.filter(({ json }) => Array.isArray(json.rejected_items) && json.rejected_items.length > 0).length;
	if (rejected > 0) {
		hints.push({
			message: `${rejected} document(s) came back with rejected items. Each says under rejected_items what was rejected and why: put it right and submit the document again.`,
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
