import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { InvalidFieldError } from '../../shared/fields/invalidField';
import { addHints, setCustomData } from '../../shared/host';
import type { Batch, EndedRow } from '../batch/batch';
import { accountOf, businessKeysOf, hintsOf } from '../batch/report';
import type { Failure, Outcome, RequestFailure } from '../request/errors';
import type { JsonObject } from '../request/input';
import type { Host, Reporter } from './host';

/** Error that n8n shows for a failed item. */
type NodeFailure = NodeApiError | NodeOperationError;

/**
 * Returns the output items and adds the hints. An item that was not sent has no output.
 * @throws NodeApiError or NodeOperationError of the item that ended the run
 */
export function render(
	n8n: IExecuteFunctions,
	host: Host,
	batch: Batch,
	rows: EndedRow[],
): INodeExecutionData[] {
	setCustomData(n8n, businessKeysOf(rows));
	// No error is thrown after Stop, because n8n would discard the items that show what was sent.
	const stopped = host.stopSignal?.aborted === true;
	for (const { result, index } of host.continueOnFail || stopped ? [] : rows) {
		if (result.kind !== 'failed') continue;
		const error = errorOf(host, result.failure, index, result.outcome, accountOf(rows, batch));
		// n8n's panel shows the description of an error as HTML.
		if (!host.isTool) error.description = error.description?.replaceAll('\n', '<br>');
		throw error;
	}
	addHints(n8n, hintsOf(rows, batch));
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

/** Outcome of a refused item, as a sentence. The text of a failed request already has one. */
const SAID: Record<Outcome, string> = {
	accepted: 'An earlier try of this execution was accepted, and it is not sent again.',
	failed: 'An earlier try of this execution was accepted, and then FAILED.',
	rejected: 'An earlier try of this execution was rejected.',
	unknown: 'An earlier try of this execution may have been executed.',
	not_sent: 'Nothing was sent.',
};

/** Fix for a failed item, followed by the outcome unless the fix contains one. */
export const adviceOf = (failure: Failure, outcome: Outcome): string =>
	failure instanceof InvalidFieldError ? `${failure.fix} ${SAID[outcome]}` : failure.fix;

/**
 * Builds the error that n8n shows for bad input or a failed request.
 * @param account report on all items, if there are several
 */
export function errorOf(
	{ node, isTool }: Pick<Reporter, 'node' | 'isTool'>,
	failure: Failure,
	itemIndex: number,
	outcome: Outcome,
	account?: string,
): NodeFailure {
	const { status, code, traceId, idempotencyKey } = requestFacts(failure);
	const facts = [
		// An agent gets no network code, because n8n would replace a message with such a code by its own text.
		code && (status !== undefined || !isTool) && `Code: ${code}`,
		status && `HTTP status: ${status}`,
		traceId && `Trace ID: ${traceId}`,
		keyFact(idempotencyKey),
	].filter(Boolean);
	const advice = account === undefined ? adviceOf(failure, outcome) : failure.fix + account;
	const description = [advice, facts.join(' · ')].filter(Boolean).join('\n');
	// n8n's pop-up shows only this line.
	const said = `${outcome === 'unknown' ? 'Outcome unknown. ' : ''}${failure.message}`;
	// n8n passes only the message to an AI agent, so the message must contain everything.
	const message = isTool ? `${said}. ${description}` : said;
	const error =
		failure instanceof InvalidFieldError
			? new NodeOperationError(node, message, { description, itemIndex })
			: new NodeApiError(
					node,
					// The request is left out, because it may contain document images.
					{ service_code: code ?? null, http_status: status ?? null, trace_id: failure.traceId },
					{ message, description, httpCode: status?.toString(), itemIndex },
				);
	// The message is set again, because n8n replaces one that contains `ECONNRESET` or a similar code by its own text,
	// such as "You can retry the request immediately" (n8n 2.41).
	return Object.assign(error, { message });
}

/** Facts about a failed request. Empty for bad input. */
const requestFacts = (failure: Failure): Partial<RequestFailure> =>
	failure instanceof InvalidFieldError ? {} : failure;

const keyFact = (idempotencyKey?: string) => idempotencyKey && `Idempotency key: ${idempotencyKey}`;

/** Output of a failed item under Continue On Fail. */
export function failedItem(
	host: Pick<Reporter, 'node' | 'isTool'>,
	failure: Failure,
	itemIndex: number,
	outcome: Outcome,
	subject: JsonObject = {},
): INodeExecutionData {
	const error = errorOf(host, failure, itemIndex, outcome);
	const { status, code, traceId, idempotencyKey } = requestFacts(failure);
	const json: IDataObject = {
		error: error.message,
		// Facts that have their own field are omitted, so that a table of failed items stays readable.
		description: [adviceOf(failure, outcome), keyFact(idempotencyKey)].filter(Boolean).join('\n'),
		code: code ?? null,
		http_status: status ?? null,
		trace_id: traceId ?? null,
		outcome,
		...subject,
	};
	const item: INodeExecutionData = { json, pairedItem: { item: itemIndex } };
	// On the error output, n8n copies each item and replaces the json of a copy that has `error` (n8n 2.41). A property
	// that is not enumerable routes the item, but is missing from the copy.
	return host.node.onError === 'continueErrorOutput'
		? Object.defineProperty(item, 'error', { value: error, enumerable: false })
		: item;
}
