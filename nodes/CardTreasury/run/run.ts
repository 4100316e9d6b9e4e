/** One run of the node: read, prepare, check, send, report. */

import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { addHint } from '../../shared/execution';
import { asProblem, orProblem, Problem } from '../../shared/problem';
import { chosenOperation } from '../operations';
import type { Calculation, Operation, RequestOperation } from '../operations/operation';
import { connect, type Limiters } from '../service/connect';
import { checkTogether, equalPayments } from './check';
import { readExecution, readMemory, runIndexOf, type Execution } from './execution';
import { readItems, type Item } from './item';
import { isAnswered, prepare, type Common } from './prepare';
import { report } from './report';
import { respond } from './respond';
import { failed } from './result';
import { sendAll } from './send';
import { unhurried } from './unhurried';

/**
 * Runs the chosen operation for all items. Under Continue On Fail it never throws, because n8n would pass the input on
 * as a success.
 * @throws NodeApiError or NodeOperationError
 */
export async function execute(
	n8n: IExecuteFunctions,
	limiters: Limiters,
): Promise<INodeExecutionData[]> {
	const execution = readExecution(n8n);
	const { resource, operation: name } = execution.node.parameters;
	const operation = orProblem(() => chosenOperation(resource, name));
	if (operation instanceof Problem)
		return await report(n8n, execution, undefined, allFailed(n8n, operation));
	const items = await run(n8n, operation, execution, limiters).catch((thrown: unknown) =>
		allFailed(n8n, asProblem(thrown)),
	);
	return await report(n8n, execution, operation, items);
}

async function run(
	n8n: IExecuteFunctions,
	operation: Operation,
	execution: Execution,
	limiters: Limiters,
): Promise<Item[]> {
	// First, because reading a field would fail for the same reason, and blame the field.
	runIndexOf(n8n);
	const items = await readItems(n8n, operation);
	if (operation.kind === 'answer') await respond(n8n, items, operation, execution);
	else if (operation.kind === 'calculation') calculateAll(items, operation);
	else await requestAll(items, { n8n, operation, execution, limiters });
	return items;
}

function calculateAll(items: Item[], { calculate }: Calculation): void {
	for (const item of items) {
		if (item.result) continue;
		const calculated = orProblem(() => calculate(item.values));
		item.result =
			calculated instanceof Problem ? failed(calculated) : { outcome: 'done', items: [calculated] };
	}
}

async function requestAll(
	items: Item[],
	{
		n8n,
		operation,
		execution,
		limiters,
	}: {
		n8n: IExecuteFunctions;
		operation: RequestOperation;
		execution: Execution;
		limiters: Limiters;
	},
): Promise<void> {
	const { isTool, continueOnFail } = execution;
	const service = await connect(n8n, limiters).catch((thrown: unknown) => asProblem(thrown));
	const host = service instanceof Problem ? service : service.host;
	const memory = orProblem(() => readMemory(n8n));
	const common: Common = { operation, isTool, host, memory };
	for await (const item of unhurried(items)) prepare(item, common);
	checkTogether(items, common);
	const equal = equalPayments(items);
	if (equal !== undefined) addHint(n8n, equal, 'warning');
	if (service instanceof Problem) return;
	const isRefused = items.some(({ result }) => result?.problem) && !continueOnFail;
	// What this run sent before is shown in any case.
	const due = items.filter(({ work }) => !isRefused || (work && isAnswered(work, common)));
	await sendAll(due, { n8n, operation, execution, service, memory });
}

/** Nothing was sent, because what happens after the first request is the result of its item. */
function allFailed(n8n: IExecuteFunctions, problem: Problem): Item[] {
	const input = orProblem(() => n8n.getInputData());
	const count = input instanceof Problem ? 1 : input.length;
	return Array.from({ length: count }, (_, index) => ({
		index,
		values: {},
		result: failed(problem),
	}));
}
