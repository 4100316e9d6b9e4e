/** Output of a run: its items, or an error. */

import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type INodeExecutionData,
} from 'n8n-workflow';

import { addHint, setCustomData } from '../../shared/execution';
import { Problem } from '../../shared/problem';
import { listOf, sentences, shortened } from '../../shared/text';
import type { Operation } from '../operations/operation';
import type { Execution } from './execution';
import type { Item } from './item';
import { itemOf } from './prepare';
import { unhurried } from './unhurried';
import { countOf, endsOf, headlineOf, summaryOf } from './words';

/**
 * Makes the output of the run.
 * @param operation undefined if it could not be read
 * @throws NodeApiError or NodeOperationError, unless n8n shall continue
 */
export async function report(
	execution: Execution,
	operation: Operation | undefined,
	items: Item[],
): Promise<INodeExecutionData[]> {
	const { n8n, continueOnFail, isStopped } = execution;
	const count = countOf(items);
	const failed = items.filter(({ result }) => result?.problem);
	const reached = endsOf(items).flatMap(([end, ended]) => {
		// Without payments that this run has sent with other values: they are not unsent.
		const isTold = ({ work, result }: Item) =>
			result && work?.payment && !(work.isAnswered && end === 'not sent');
		const names = ended.filter(isTold).map(nameOf);
		return names.length > 0 ? `${end}: ${listed(names)}` : [];
	});
	setCustomData(n8n, businessKeysOf(items));
	// No error after Stop, because n8n would discard the items that show what was sent.
	if (failed.length > 0 && !continueOnFail && !isStopped()) {
		const [first] = failed.map(({ result }) => result!.problem!);
		const isSame = ({ result }: Item) =>
			result?.problem?.outcome === 'not_sent' &&
			result.problem.message === first!.message &&
			result.problem.fix === first!.fix;
		const problem =
			items.length === 1 || items.every(isSame)
				? named(failed[0]!)
				: combined(execution, operation, failed);
		throw errorOf(execution, problem, reached, count);
	}
	if (items.some(({ result }) => result?.outcome !== 'done')) addHint(n8n, count, 'warning');
	const output: INodeExecutionData[] = [];
	for await (const item of unhurried(items)) output.push(...outputOf(execution, operation, item));
	return output;
}

/** Counted from 1, as people count. */
const numberOf = ({ index }: Item) => String(index + 1);
const nameOf = (item: Item) =>
	shortened(item.work?.payment?.reference ?? `item ${numberOf(item)}`, 40);

/** Problem of the only item. It begins with what may have been sent, too. */
function named(item: Item): Problem {
	const { message, fix, outcome, facts } = item.result!.problem!;
	const isNamed = outcome !== 'unknown' || !item.work?.payment || message.includes(nameOf(item));
	return new Problem(isNamed ? message : `${nameOf(item)}. ${message}`, fix, outcome, facts);
}

/** Most items of a kind that an error names. */
const MOST_TOLD = 100;

const listed = (names: string[]) => {
	const more = names.length > MOST_TOLD ? [`${names.length - MOST_TOLD} more`] : [];
	return listOf([...names.slice(0, MOST_TOLD), ...more]);
};

/** All problems as one. It begins with what may have been sent, because a person has to settle each of them. */
function combined(execution: Execution, operation: Operation | undefined, all: Item[]): Problem {
	const isUnknown = ({ result }: Item) => result?.outcome === 'unknown';
	const unknown = all.filter(isUnknown);
	const items = [...unknown, ...all.filter((item) => !isUnknown(item))];
	const { message, outcome, facts } = items[0]!.result!.problem!;
	const headline = [
		unknown.length > 0 && listed(unknown.map(nameOf)),
		all.length > 1 && `Items ${listed(all.map(numberOf))} failed`,
		`Item ${numberOf(items[0]!)}: ${message}`,
	];
	const told = items.slice(0, MOST_TOLD).map((item) => {
		const { summary } = failedItem(execution, operation, item).json;
		return sentences(`Item ${numberOf(item)}: ${String(summary)}`, factsOf(item.result!.problem!));
	});
	const { status } = facts;
	return new Problem(headline.filter(Boolean).join('. '), told.join('\n'), outcome, { status });
}

/** Custom data by which users find the execution. */
function businessKeysOf([first]: Item[]): Record<string, unknown> {
	const { values = {}, result } = first ?? {};
	return {
		card_id: values.cardId,
		client_id: values.clientId,
		payment_reference: values.paymentReference,
		trace_id: result?.problem?.facts.traceId ?? result?.items[0]?.trace_id,
	};
}

function outputOf(execution: Execution, operation: Operation | undefined, item: Item) {
	const { index, result, work } = item;
	if (result === undefined) return [];
	if (result.problem) return [failedItem(execution, operation, item)];
	const isWrite = work !== undefined && work.effect !== 'read';
	return result.items.map((fields): INodeExecutionData => {
		const told = { outcome: result.outcome, summary: summaryOf(operation, item, fields) };
		return {
			json: isWrite ? { ...told, ...fields, ...told } : fields,
			...(result.binary && { binary: result.binary }),
			pairedItem: { item: index },
		};
	});
}

function failedItem(execution: Execution, operation: Operation | undefined, item: Item) {
	const problem = item.result!.problem!;
	const { status, code, traceId = null, hash } = problem.facts;
	const error = errorOf(execution, problem);
	const [shown = {}] = item.result!.items;
	const fields =
		operation?.kind === 'request' ? itemOf(item, operation, shown, traceId) : { ...shown };
	if ('transaction_hash' in fields) fields.transaction_hash ??= hash ?? null;
	const json: IDataObject = {
		outcome: problem.outcome,
		summary: summaryOf(operation, item, fields),
		...fields,
		error: error.message,
		description: linesOf(problem).join('\n'),
		code: code ?? null,
		http_status: status ?? null,
		trace_id: traceId,
	};
	const output: INodeExecutionData = { json, pairedItem: { item: item.index } };
	// On the error output, n8n copies each item and replaces the json of a copy that has `error` (n8n 2.41). A property
	// that is not enumerable routes the item, but is missing from the copy.
	return execution.node.onError === 'continueErrorOutput'
		? Object.defineProperty(output, 'error', { value: error, enumerable: false })
		: output;
}

/** A code of the network is in the message, and n8n would replace a message to an agent that has it twice. */
function factsOf({ facts: { status, code, traceId, hash } }: Problem): string {
	const facts = [
		status !== undefined && code && `Code: ${code}`,
		traceId && `Trace ID: ${traceId}`,
		hash && `Transaction hash: ${hash}`,
	];
	return facts.filter(Boolean).join(' · ');
}

/** Lines below the headline: the fix, the service's reply, and facts by which the request is found. */
function linesOf(problem: Problem) {
	const { said } = problem.facts;
	const reply = said && `The service replied: "${said}"`;
	return [problem.fix, reply, factsOf(problem)].filter(Boolean);
}

/** Error that n8n shows. It begins with what was reached of a run, and ends with its count. */
function errorOf({ node, isTool }: Execution, problem: Problem, ends: string[] = [], count = '') {
	const { status, code, traceId } = problem.facts;
	const lines = [...ends, ...linesOf(problem), count].filter(Boolean);
	// n8n passes only the message to an AI agent, and its panel shows the description as HTML.
	const headline = headlineOf(problem);
	const message = isTool ? sentences(headline, ...lines) : headline;
	const description = lines.join('\n').replaceAll('<', '‹').replaceAll('\n', '<br>');
	const error =
		status === undefined && code === undefined
			? new NodeOperationError(node, message, { description })
			: new NodeApiError(
					node,
					// The request is left out, because it may contain document images.
					{ service_code: code ?? null, http_status: status ?? null, trace_id: traceId ?? null },
					{ message, description, httpCode: status?.toString() },
				);
	// Set again, because n8n replaces a message that contains `ECONNRESET` or a similar code by its own text (n8n 2.41).
	return Object.assign(error, { message });
}
