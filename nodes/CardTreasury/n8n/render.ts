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
import { adviceOf, headlineOf, successItem, tellFailure, type Told } from '../batch/outcome';
import { accountOf, businessKeysOf, hintsOf } from '../batch/report';
import { totalOf } from '../batch/total';
import type { Failure, Outcome, RequestFailure } from '../request/errors';
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
	for (const row of host.continueOnFail || stopped ? [] : rows) {
		const { result, index } = row;
		if (result.kind !== 'failed') continue;
		const { failure, outcome, subject } = result;
		const account = accountOf(rows, batch);
		const advice = adviceOf(failure, outcome, row, batch, account !== undefined) + (account ?? '');
		const error = errorOf(host, failure, index, outcome, advice, subject?.transaction_hash);
		// n8n's panel shows the description of an error as HTML.
		if (!host.isTool) error.description = error.description?.replaceAll('\n', '<br>');
		throw error;
	}
	const total = totalOf(rows, batch);
	addHints(n8n, hintsOf(rows, batch, total));
	const items = sharedOnce(rows).flatMap(({ row, from }) => renderRow(host, row, batch, from));
	// On each item, because a workflow takes it from the first one, which may be refused.
	if (total !== undefined) for (const { json } of items) json.total = total;
	return items;
}

/** Leaves out the items that an earlier one stands for, and pairs that one with all of their input items. */
function sharedOnce(rows: EndedRow[]): Array<{ row: EndedRow; from: number[] }> {
	const shown: Array<{ row: EndedRow; from: number[] }> = [];
	const shared = new Map<string, number[]>();
	for (const row of rows) {
		const name = row.result.kind === 'done' ? row.work?.merge : undefined;
		const first = name === undefined ? undefined : shared.get(name);
		if (first) {
			first.push(row.index);
			continue;
		}
		const from = [row.index];
		if (name !== undefined) shared.set(name, from);
		shown.push({ row, from });
	}
	return shown;
}

function renderRow(host: Host, row: EndedRow, batch: Batch, from: number[]): INodeExecutionData[] {
	const { result, index } = row;
	if (result.kind === 'unsent') return [];
	if (result.kind === 'failed')
		return [
			failedItem(
				host,
				result.failure,
				index,
				result.outcome,
				tellFailure(result.failure, result.outcome, batch.operation, row, batch),
			),
		];
	return result.items.map((item) => ({
		json: successItem(item, row, batch) as IDataObject,
		...(result.files && { binary: result.files as IBinaryKeyData }),
		pairedItem: from.length > 1 ? from.map((each) => ({ item: each })) : { item: index },
	}));
}

/**
 * Builds the error that n8n shows for bad input or a failed request.
 * @param advice what the user can do, and what became of the item or of all items
 * @param hash transaction hash of a transfer that was accepted and FAILED
 */
export function errorOf(
	{ node, isTool }: Pick<Reporter, 'node' | 'isTool'>,
	failure: Failure,
	itemIndex: number,
	outcome: Outcome,
	advice = adviceOf(failure, outcome),
	hash?: unknown,
): NodeFailure {
	const { status, code, traceId, idempotencyKey, transactionHash } = requestFacts(failure);
	const facts = [
		// An agent gets no network code, because n8n would replace a message with such a code by its own text.
		code && (status !== undefined || !isTool) && `Code: ${code}`,
		status && `HTTP status: ${status}`,
		traceId && `Trace ID: ${traceId}`,
		hashFact(typeof hash === 'string' ? hash : transactionHash),
		keyFact(idempotencyKey),
	].filter(Boolean);
	const description = [advice, facts.join(' · ')].filter(Boolean).join('\n');
	const said = headlineOf(failure, outcome);
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

const hashFact = (hash?: string) => hash && `Transaction hash: ${hash}`;

const keyFact = (idempotencyKey?: string) => idempotencyKey && `Idempotency key: ${idempotencyKey}`;

/** Output of a failed item under Continue On Fail. */
export function failedItem(
	host: Pick<Reporter, 'node' | 'isTool'>,
	failure: Failure,
	itemIndex: number,
	outcome: Outcome,
	{ summary, advice, fields }: Told = tellFailure(failure, outcome),
): INodeExecutionData {
	const { idempotency_key: key, trace_id: trace, ...named } = fields;
	const error = errorOf(host, failure, itemIndex, outcome, advice, named.transaction_hash);
	const { status, code, traceId, idempotencyKey, transactionHash } = requestFacts(failure);
	const hasHash = Object.hasOwn(named, 'transaction_hash');
	const told = { outcome, summary };
	const json = {
		...told,
		...named,
		...(hasHash && { transaction_hash: named.transaction_hash ?? transactionHash ?? null }),
		...told,
		error: error.message,
		// Facts that have their own field are omitted, so that a table of failed items stays readable.
		description: [
			advice,
			!hasHash && hashFact(transactionHash),
			key === undefined && keyFact(idempotencyKey),
		]
			.filter(Boolean)
			.join('\n'),
		code: code ?? null,
		http_status: status ?? null,
		...(key !== undefined && { idempotency_key: key ?? idempotencyKey ?? null }),
		trace_id: traceId ?? trace ?? null,
	} as IDataObject;
	const item: INodeExecutionData = { json, pairedItem: { item: itemIndex } };
	// On the error output, n8n copies each item and replaces the json of a copy that has `error` (n8n 2.41). A property
	// that is not enumerable routes the item, but is missing from the copy.
	return host.node.onError === 'continueErrorOutput'
		? Object.defineProperty(item, 'error', { value: error, enumerable: false })
		: item;
}
