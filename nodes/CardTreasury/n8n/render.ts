import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeExecutionHint,
} from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { describeBatch } from '../batch/describeBatch';
import type { Batch, BatchResult, ItemResult } from '../batch/batch';
import { SERVICE_RATE } from '../request';
import { InvalidFieldError, type Failure } from '../errors';
import type { JsonObject } from '../input';
import { setBusinessKeys } from './businessKeys';
import { isTool } from './read';

/** What n8n shows of a failed item. */
type NodeFailure = NodeApiError | NodeOperationError;

/** The items that go on, with hints; none where nothing was sent because the run had ended. @throws what ends the run */
export function render(
	n8n: IExecuteFunctions,
	batch: Batch<IBinaryData>,
	result: BatchResult<IBinaryData>,
): INodeExecutionData[] {
	setBusinessKeys(n8n, result);
	// After Stop an error would take the items with it that tell what has been sent.
	const stopped = n8n.getExecutionCancelSignal()?.aborted === true;
	if (result.failedAt !== undefined && !stopped) throw renderEnd(n8n, result, batch);
	n8n.addExecutionHints(...renderHints(batch, result));
	return result.results.flatMap((item, index) => renderItem(n8n, item, index));
}

function renderItem(
	n8n: IExecuteFunctions,
	result: ItemResult<IBinaryData>,
	index: number,
): INodeExecutionData[] {
	const pairedItem = { item: index };
	if (result.kind === 'not sent') return [];
	if (result.kind === 'failed')
		return [failedItem(n8n, result.failure, index, result.attempts > 0, result.subject)];
	return result.items.map(({ json, files }) => ({
		json: json as IDataObject,
		...(files && { binary: files }),
		pairedItem,
	}));
}

/** The failure that ends the run, with what became of the other items. */
function renderEnd(
	n8n: IExecuteFunctions,
	{ results, prepared, failedAt = 0 }: BatchResult<IBinaryData>,
	{ recovery }: Pick<Batch<IBinaryData>, 'recovery'>,
): NodeFailure {
	const result = results[failedAt];
	const [work] = prepared.flatMap((entry) => (entry instanceof InvalidFieldError ? [] : [entry]));
	const batch = describeBatch(
		results,
		work?.profile.effect ?? 'unkeyed write',
		work?.recovery ?? recovery,
	);
	if (result?.kind !== 'failed')
		return new NodeOperationError(n8n.getNode(), 'The item was not sent');
	const error = errorOf(n8n, result.failure, failedAt, result.attempts > 0, batch);
	return isTool(n8n) ? error : inLines(error);
}

/** n8n's panel shows the description of an error as HTML, in which a line break is a space. */
function inLines(error: NodeFailure): NodeFailure {
	error.description = error.description?.replaceAll('\n', '<br>');
	return error;
}

/** Bad input, or a failed request, as n8n shows it. */
export function errorOf(
	n8n: IExecuteFunctions,
	failure: Failure,
	itemIndex: number,
	wasSent: boolean,
	batch = '',
): NodeFailure {
	if (failure instanceof InvalidFieldError) {
		const isUnsent = !wasSent && batch === '' && failure.outcome === 'not_sent';
		const unsent = isUnsent ? ' Nothing was sent for this item.' : '';
		const description = `${failure.fix}${unsent}${batch}`;
		const message = headline(n8n, failure.message, description);
		return new NodeOperationError(n8n.getNode(), message, { description, itemIndex });
	}
	const { message, fix, status, code, traceId, idempotencyKey } = failure;
	const facts = [
		code && `Code: ${code}`,
		status && `HTTP status: ${status}`,
		traceId && `Trace ID: ${traceId}`,
		idempotencyKey && `Idempotency key: ${idempotencyKey}`,
	].filter(Boolean);
	const description = [`${fix}${batch}`, facts.join(' · ')].filter(Boolean).join('\n');
	return new NodeApiError(
		n8n.getNode(),
		// The request is left out: it may hold document images. And under a key such as `code`, n8n would take it for a
		// network code and put "you can retry the request immediately" in place of our advice (n8n 2.41).
		{ service_code: code ?? null, http_status: status ?? null, trace_id: traceId },
		{
			message: headline(n8n, message, description),
			description,
			...(status === undefined ? {} : { httpCode: String(status) }),
			itemIndex,
		},
	);
}

/** n8n tells an AI agent the message alone, so there it has to say everything. */
function headline(n8n: IExecuteFunctions, message: string, description: string): string {
	return isTool(n8n) ? `${message}. ${description}` : message;
}

/** The item that goes on, or to the error output, under Continue On Fail. */
export function failedItem(
	n8n: IExecuteFunctions,
	failure: Failure,
	itemIndex: number,
	wasSent: boolean,
	subject: JsonObject = {},
): INodeExecutionData {
	const error = errorOf(n8n, failure, itemIndex, wasSent);
	const request = failure instanceof InvalidFieldError ? undefined : failure;
	const json: IDataObject = {
		error: error.message,
		description: error.description ?? null,
		code: request?.code ?? null,
		http_status: request?.status ?? null,
		trace_id: request?.traceId ?? null,
		outcome: failure.outcome,
		...subject,
	};
	const item: INodeExecutionData = { json, pairedItem: { item: itemIndex } };
	// n8n routes an item by `error`, and then replaces the json of every item that still has one by the message alone.
	// It copies the item in between, and a property that is not enumerable does not come along (n8n 2.41).
	return n8n.getNode().onError === 'continueErrorOutput'
		? Object.defineProperty(item, 'error', { value: error, enumerable: false })
		: item;
}

/** What is worth knowing after the run, for the output panel. */
function renderHints(
	{ operation }: Pick<Batch<IBinaryData>, 'operation'>,
	{ results }: BatchResult<IBinaryData>,
): NodeExecutionHint[] {
	const hints: NodeExecutionHint[] = [];
	const add = (message: string, warning = false) =>
		hints.push({ message, location: 'outputPane', ...(warning && { type: 'warning' }) });
	const json = results.flatMap((result) =>
		result.kind === 'done' ? [result.items.map((item) => item.json)] : [],
	);
	if (json.flat().some(({ dry_run: dryRun }) => dryRun === true)) {
		add(
			'Dry run: the requests are shown and nothing was sent. Turn off Dry Run in the options to send them.',
		);
	}
	const unsent = results.filter(({ kind }) => kind === 'not sent').length;
	if (unsent > 0)
		add(`${unsent} of ${results.length} items ${unsent === 1 ? 'was' : 'were'} not sent.`, true);
	for (const { message, warning } of operation.hints(json)) add(message, warning);
	const attempts = results.map((result) => (result.kind === 'not sent' ? 0 : result.attempts));
	const retried = attempts.filter((count) => count > 1).length;
	if (retried > 0) add(`${retried} of ${results.length} items needed more than one attempt.`);
	const sent = attempts.reduce((total, count) => total + count, 0);
	if (sent > SERVICE_RATE) {
		add(
			`${sent} requests were sent, spread over time to stay below the service's limit of ${SERVICE_RATE} per second.`,
		);
	}
	return hints;
}
