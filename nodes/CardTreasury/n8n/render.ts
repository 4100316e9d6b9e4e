import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { InvalidFieldError } from '../../shared/fields/invalidField';
import { setCustomData } from '../../shared/host';
import type { Batch, EndedRow } from '../batch/batch';
import { accountOf, businessKeysOf, hintsOf } from '../batch/report';
import type { Failure, Outcome, RequestFailure } from '../request/errors';
import type { JsonObject } from '../request/input';
import type { Host } from './host';

/** What n8n shows of a failed item. */
type NodeFailure = NodeApiError | NodeOperationError;

/** The items that go on, with hints; none where nothing was sent because the run had ended. @throws what ends the run */
export function render(
	n8n: IExecuteFunctions,
	host: Host,
	batch: Batch,
	rows: EndedRow[],
): INodeExecutionData[] {
	setCustomData(n8n, businessKeysOf(rows));
	// After Stop an error would take the items with it that tell what has been sent.
	const stopped = host.stopSignal?.aborted === true;
	for (const { result, index } of host.continueOnFail || stopped ? [] : rows) {
		if (result.kind !== 'failed') continue;
		const error = errorOf(host, result.failure, index, result.outcome, accountOf(rows, batch));
		// n8n's panel shows the description of an error as HTML, in which a line break is a space.
		if (!host.isTool) error.description = error.description?.replaceAll('\n', '<br>');
		throw error;
	}
	n8n.addExecutionHints(
		...hintsOf(rows, batch).map((hint) => ({ ...hint, location: 'outputPane' as const })),
	);
	return rows.flatMap((row) => renderRow(host, row));
}

function renderRow(host: Host, { result, index }: EndedRow): INodeExecutionData[] {
	if (result.kind === 'unsent') return [];
	if (result.kind === 'failed')
		return [failedItem(host, result.failure, index, result.outcome, result.subject)];
	return result.items.map((json) => ({
		json: json as IDataObject,
		...(result.files && { binary: result.files as IBinaryKeyData }),
		pairedItem: { item: index },
	}));
}

/** What became of an item that is refused, in words. What a request failed of says it itself. */
const SAID: Record<Outcome, string> = {
	accepted: 'An earlier try of this execution was accepted, and it is not sent again.',
	failed: 'An earlier try of this execution was accepted, and then FAILED.',
	rejected: 'An earlier try of this execution was rejected.',
	unknown: 'An earlier try of this execution may have been executed.',
	not_sent: 'Nothing was sent.',
};

/** What to do about a failed item, and what became of it where the failure does not say so. */
export const adviceOf = (failure: Failure, outcome: Outcome): string =>
	failure instanceof InvalidFieldError ? `${failure.fix} ${SAID[outcome]}` : failure.fix;

/**
 * Bad input, or a failed request, as n8n shows it.
 * @param account what became of each, where there are several
 */
export function errorOf(
	{ node, isTool }: Host,
	failure: Failure,
	itemIndex: number,
	outcome: Outcome,
	account?: string,
): NodeFailure {
	const { status, code, traceId, idempotencyKey } = toldBy(failure);
	const facts = [
		// A network's code stays out of what an agent is told: n8n makes its message anew, and would replace it again.
		code && (status !== undefined || !isTool) && `Code: ${code}`,
		status && `HTTP status: ${status}`,
		traceId && `Trace ID: ${traceId}`,
		keyFact(idempotencyKey),
	].filter(Boolean);
	const advice = account === undefined ? adviceOf(failure, outcome) : failure.fix + account;
	const description = [advice, facts.join(' · ')].filter(Boolean).join('\n');
	// n8n's pop-up shows this line alone.
	const said = `${outcome === 'unknown' ? 'Outcome unknown. ' : ''}${failure.message}`;
	// n8n tells an AI agent the message alone, so there it has to say everything.
	const message = isTool ? `${said}. ${description}` : said;
	const error =
		failure instanceof InvalidFieldError
			? new NodeOperationError(node, message, { description, itemIndex })
			: new NodeApiError(
					node,
					// The request is left out: it may hold document images.
					{ service_code: code ?? null, http_status: status ?? null, trace_id: failure.traceId },
					{ message, description, httpCode: status?.toString(), itemIndex },
				);
	// Where `ECONNRESET` or another such code stands anywhere in a message, n8n puts words of its own in its place, and "You
	// can retry the request immediately" among them (n8n 2.41).
	return Object.assign(error, { message });
}

/** What a request failed with; bad input has nothing of it. */
const toldBy = (failure: Failure): Partial<RequestFailure> =>
	failure instanceof InvalidFieldError ? {} : failure;

const keyFact = (idempotencyKey?: string) => idempotencyKey && `Idempotency key: ${idempotencyKey}`;

/** The item that goes on, or to the error output, under Continue On Fail. */
export function failedItem(
	host: Host,
	failure: Failure,
	itemIndex: number,
	outcome: Outcome,
	subject: JsonObject = {},
): INodeExecutionData {
	const error = errorOf(host, failure, itemIndex, outcome);
	const { status, code, traceId, idempotencyKey } = toldBy(failure);
	const json: IDataObject = {
		error: error.message,
		// Without the facts that have a field of their own, so that a table of failed items stays readable.
		description: [adviceOf(failure, outcome), keyFact(idempotencyKey)].filter(Boolean).join('\n'),
		code: code ?? null,
		http_status: status ?? null,
		trace_id: traceId ?? null,
		outcome,
		...subject,
	};
	const item: INodeExecutionData = { json, pairedItem: { item: itemIndex } };
	// n8n routes an item by `error`, and then replaces the json of every item that still has one by the message alone.
	// It copies the item in between, and a property that is not enumerable does not come along (n8n 2.41).
	return host.node.onError === 'continueErrorOutput'
		? Object.defineProperty(item, 'error', { value: error, enumerable: false })
		: item;
}
