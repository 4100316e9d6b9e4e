/** One run of the node: read, prepare, check, send, report. */

import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { addHint } from '../../shared/execution';
import { asProblem, orProblem, Problem } from '../../shared/problem';
import { chosenOperation } from '../operations';
import type { Calculation, Operation, RequestOperation } from '../operations/operation';
import { connect, type Limiters } from '../service/connect';
import { checkTogether } from './check';
import { readExecution, readMemory, runIndexOf, type Execution, type Run } from './execution';
import { readItems, type Item } from './item';
import { isRemembered, prepare } from './prepare';
import { report } from './report';
import { respond } from './respond';
import { failed, type Journal } from './result';
import { sendAll } from './send';
import { unhurried } from './unhurried';
import { hasSentOther } from './verdict';

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
		return await report(execution, undefined, allFailed(n8n, operation));
	const items = await run(execution, operation, limiters).catch((thrown: unknown) =>
		allFailed(n8n, asProblem(thrown)),
	);
	return await report(execution, operation, items);
}

async function run(
	execution: Execution,
	operation: Operation,
	limiters: Limiters,
): Promise<Item[]> {
	const { n8n } = execution;
	// First, because reading a field would fail for the same reason, and blame the field.
	runIndexOf(n8n);
	const items = await readItems(n8n, operation);
	if (operation.kind === 'answer') await respond(execution, operation, items);
	else if (operation.kind === 'calculation') await calculateAll(n8n, operation, items);
	else await requestAll(execution, operation, items, limiters);
	return items;
}

async function calculateAll(
	n8n: IExecuteFunctions,
	{ calculate, tell }: Calculation,
	items: Item[],
): Promise<void> {
	for await (const item of unhurried(items)) {
		if (item.result) continue;
		const calculated = orProblem(() => calculate(item.values));
		item.result =
			calculated instanceof Problem
				? failed(calculated)
				: { outcome: 'done', items: calculated ? [calculated] : [] };
	}
	const done = items.flatMap(({ result }) => (result?.problem ? [] : (result?.items ?? [])));
	if (tell && done.length > 0) addHint(n8n, tell(done));
}

async function requestAll(
	execution: Execution,
	operation: RequestOperation,
	items: Item[],
	limiters: Limiters,
): Promise<void> {
	const { n8n, continueOnFail } = execution;
	const needsMemory = items.some(({ values }) => isRemembered(operation, values));
	const memory = needsMemory ? readMemory(n8n) : undefined;
	const service = await connect(n8n, limiters).catch((thrown: unknown) => asProblem(thrown));
	if (service instanceof Problem) for (const item of items) item.result ??= failed(service);
	else {
		const run: Run = { ...execution, operation, service, memory };
		for await (const item of unhurried(items)) prepare(item, run);
		await checkTogether(items);
		const isRefused = items.some(({ result }) => result?.problem) && !continueOnFail;
		// Items that this run sent before are shown in any case.
		await sendAll(isRefused ? items.filter(({ work }) => work?.isAnswered) : items, run);
	}
	if (memory) doubt(items, memory.journal);
}

/** A write that this run has sent, and that its items lack by now, may be any of those that are refused. */
function doubt(items: Item[], journal: Journal): void {
	const names = items.flatMap(({ work }) => work?.names ?? []);
	if (!hasSentOther(journal, names)) return;
	for (const item of items) {
		const { message, fix, outcome, facts } = item.result?.problem ?? {};
		if (outcome === 'not_sent') item.result = failed(new Problem(message!, fix!, 'unknown', facts));
	}
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
