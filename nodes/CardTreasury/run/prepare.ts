/** Preparation of one item: what it sends, under which name, and the checks that need no other item. */

import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { orProblem, Problem } from '../../shared/problem';
import type { RequestOperation } from '../operations/operation';
import { queryText, type Effect, type ServiceRequest } from '../service/request';
import type { Run } from './execution';
import type { Item, Work } from './item';
import { hashOf, namesOf, paymentKey } from './names';
import { failed, type Result } from './result';
import { sentBefore } from './verdict';

/** Prepares an item that has been read. Sets its result, if nothing of it is to be sent. Never throws. */
export function prepare(item: Item, run: Run): void {
	const result =
		item.result?.problem ??
		orProblem(() => {
			item.work = workOf(item, run);
			return item.work.isAnswered ? undefined : checked(item, run);
		});
	item.result = result instanceof Problem ? failed(result) : result;
}

/** True for a write that its execution sends once, so that n8n has to remember it. */
export const isRemembered = (operation: RequestOperation, values: IDataObject): boolean =>
	['payment', 'once'].includes(effectOf(operation, values));

const effectOf = ({ effect }: RequestOperation, values: IDataObject): Effect =>
	typeof effect === 'function' ? effect(values) : effect;

/** @throws Problem */
function workOf({ index, values }: Item, { operation, isTool, service, memory }: Run): Work {
	const effect = effectOf(operation, values);
	if (operation.movesMoney && effect !== 'read' && isTool) throw agentsMoney();
	const work: Work = { effect, request: operation.request(values) };
	if (effect === 'read') return work;
	if (effect === 'set') return { ...work, key: randomUUID() };
	if (memory === undefined) throw noRecord();
	const { host } = service;
	const payment = effect === 'payment' ? operation.payment!(values) : undefined;
	const reference = payment?.reference ?? memory.placeOf(index);
	const fingerprint = payment ? hashOf(...payment.values) : fingerprintOf(work.request);
	const names = namesOf(host, reference, fingerprint);
	const key = payment && paymentKey(host, reference, payment.values);
	const isAnswered = sentBefore(memory.journal, names.ref) !== undefined;
	return { ...work, key, payment, names, isAnswered };
}

/** Hash of a request without a name of its own. Files count by their size and type. */
const fingerprintOf = ({ method, path, query = [], body, shown }: ServiceRequest): string =>
	hashOf(method, path, query, shown ?? body ?? null);

/**
 * Checks an item. Returns the result of a dry run, unless it has to be looked up whether it was sent before.
 * @throws Problem
 */
function checked(item: Item, { operation }: Run): Result | undefined {
	operation.check?.(item.values);
	const isDry = item.values.dryRun === true && !item.work?.names;
	return isDry ? dryRun(item, operation) : undefined;
}

const noRecord = () =>
	new Problem(
		'This execution keeps no record of what it has sent',
		'Run it in a workflow of its own, without engineType in its settings.',
	);

const agentsMoney = () =>
	new Problem(
		'An AI agent cannot move money with this node',
		'Give the agent a sub-workflow with this operation, fixed guards, and a human review before it.',
	);

/** Shows the request. Without a random key, because the real request would have another one. */
export function dryRun(item: Item, operation: RequestOperation): Result {
	const { request, payment, key } = item.work!;
	const { method, path, query, body, shown } = request;
	const fields = itemOf(item, operation, {}, null);
	if ('idempotency_key' in fields) fields.idempotency_key = payment ? (key ?? null) : null;
	const described = { method, path: path + queryText(query), body: shown ?? bodyOf(body) };
	return { outcome: 'dry_run', items: [{ ...fields, request: described as IDataObject }] };
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
	fields: IDataObject,
	traceId: string | null,
): IDataObject {
	if (!subject) return fields;
	const asked: IDataObject = { ...subject(values) };
	for (const name of Object.keys(asked)) asked[name] ??= null;
	const key = effect !== 'once' && { idempotency_key: work?.key ?? null };
	return { ...asked, ...fields, ...key, trace_id: traceId };
}
