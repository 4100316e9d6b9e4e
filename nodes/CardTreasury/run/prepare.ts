/** Preparation of one item: what it sends, under which name, and the checks that need no other item. */

import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { orProblem, Problem } from '../../shared/problem';
import type { RequestOperation } from '../operations/operation';
import { queryText } from '../service/request';
import type { Memory } from './execution';
import type { Item, Work } from './item';
import { hashOf, namesOf, paymentKey, placeOf, type Names } from './names';
import { failed, type Result } from './result';
import { hasSentOther, sentBefore } from './verdict';

/** What the items of a run have in common. */
export interface Common {
	operation: RequestOperation;
	isTool: boolean;
	/** Host of the service. A Problem if the credential cannot be used. */
	host: string | Problem;
	/** A Problem if n8n keeps none. */
	memory: Memory | Problem;
}

/** Prepares an item that has been read. Sets its result, if nothing of it is to be sent. Never throws. */
export function prepare(item: Item, common: Common): void {
	if (item.result === undefined) {
		const result = orProblem(() => {
			item.work = workOf(item, common);
			// What this run has sent is answered by its journal, whatever the checks say by now.
			return isAnswered(item.work, common) ? undefined : checked(item, common);
		});
		item.result = result instanceof Problem ? failed(result) : result;
	}
	if (item.result?.problem) item.result = failed(doubted(item.result.problem, item, common));
}

/** @throws Problem */
function workOf({ index, values }: Item, common: Common): Work {
	const { operation, isTool, host, memory } = common;
	const effect =
		typeof operation.effect === 'function' ? operation.effect(values) : operation.effect;
	if (host instanceof Problem) throw host;
	if (operation.movesMoney && effect !== 'read' && isTool) throw agentsMoney();
	const work: Work = { effect, request: operation.request(values) };
	if (effect === 'set') return { ...work, key: randomUUID() };
	if (effect === 'read') return work;
	if (memory instanceof Problem) throw memory;
	if (effect === 'once') return { ...work, names: namesByPlace(index, memory, host) };
	const payment = operation.payment!(values);
	const { reference, values: of } = payment;
	const key = paymentKey(host, reference, of);
	return { ...work, payment, key, names: namesOf(host, reference, hashOf(...of)) };
}

/** Names of a write without a name of its own: its place in the execution. */
const namesByPlace = (index: number, { firstExecution, runIndex }: Memory, host: string): Names =>
	namesOf(host, placeOf(firstExecution, runIndex, index), '');

/** True if this run has sent the item, so that its journal answers. */
export function isAnswered({ names }: Work, { memory }: Common): boolean {
	if (names === undefined || memory instanceof Problem) return false;
	return sentBefore(memory.journal, names.ref) !== undefined;
}

/** @throws Problem */
function checked(item: Item, { operation }: Common): Result | undefined {
	operation.check?.(item.values);
	return item.values.dryRun === true ? dryRun(item, operation) : undefined;
}

/** If this run has sent something, nobody knows whether an item that cannot be named was among it. */
function doubted(problem: Problem, { work }: Item, { memory }: Common): Problem {
	const hasSent = !(memory instanceof Problem) && hasSentOther(memory.journal);
	if (problem.outcome !== 'not_sent' || work?.names || !hasSent) return problem;
	return new Problem(problem.message, problem.fix, 'unknown', problem.facts);
}

const agentsMoney = () =>
	new Problem(
		'An AI agent cannot move money with this node',
		'Give the agent a sub-workflow with this operation, fixed guards, and a human review before it.',
	);

/** Shows the request. Without a random key, because the real request would have another one. */
function dryRun(item: Item, operation: RequestOperation): Result {
	const { request, payment, key } = item.work!;
	const { method, path, query, body, shown } = request;
	const own = itemOf(item, operation, {}, null);
	if ('idempotency_key' in own) own.idempotency_key = payment ? (key ?? null) : null;
	const described = { method, path: path + queryText(query), body: shown ?? bodyOf(body) };
	return { outcome: 'dry_run', items: [{ ...own, request: described as IDataObject }] };
}

/** JSON text is shown as its value. */
function bodyOf(body: unknown): unknown {
	const value = typeof body === 'string' ? orProblem(() => JSON.parse(body) as unknown) : body;
	return value instanceof Problem ? body : (value ?? null);
}

/** Item of a write: what it asked for, what came of it, and how to find it. */
export function itemOf(
	{ values, work }: Item,
	{ subject, effect }: RequestOperation,
	own: IDataObject,
	traceId: string | null,
): IDataObject {
	if (!subject) return own;
	const asked: IDataObject = { ...subject(values) };
	for (const name of Object.keys(asked)) asked[name] ??= null;
	const key = effect !== 'once' && { idempotency_key: work?.key ?? null };
	return { ...asked, ...own, ...key, trace_id: traceId };
}
