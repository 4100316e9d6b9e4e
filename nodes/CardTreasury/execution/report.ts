import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { FieldRefusal } from '../parameters/reader';
import type { Refusal } from '../request/refusal';
import { isTool } from './n8nParameters';

/** Bad input as n8n shows it. @param sent when it was only found in the answer */
export function inputError(
	n8n: IExecuteFunctions,
	refusal: FieldRefusal,
	itemIndex: number,
	sent = false,
): NodeOperationError {
	const description = sent ? refusal.fix : `${refusal.fix} Nothing was sent for this item.`;
	const message = headline(n8n, `${refusal.field} ${refusal.reason}`, description, itemIndex);
	return new NodeOperationError(n8n.getNode(), message, { description, itemIndex });
}

/** A refusal of the service as n8n shows it. The request is left out: it may hold document images. */
export function serviceError(
	n8n: IExecuteFunctions,
	refusal: Refusal,
	itemIndex: number,
): NodeApiError {
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
function headline(
	n8n: IExecuteFunctions,
	message: string,
	description: string,
	itemIndex: number,
): string {
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
	return toErrorOutput
		? Object.defineProperty(item, 'error', { value: error, enumerable: false })
		: item;
}
