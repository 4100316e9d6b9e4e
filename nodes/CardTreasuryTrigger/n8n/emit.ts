import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { waitingAuthorization } from '../../shared/authorizationAnswer';
import { setCustomData } from '../../shared/host';
import { isObject } from '../../shared/isObject';
import type { RecordKeys } from '../../shared/recordKeys';
import { textOf } from '../authorization/conditions';
import { ACKNOWLEDGEMENT } from '../delivery/replies';
import { AUTHORIZATION, chosenEvents, CLIENT_STATUS, eventName, route } from '../events';
import { explainTest, warnWithoutRespond } from './testRun';

/** More than 7 events a second over the whole retry schedule, 1,023 s of waits and ten times 30 s (§6.4). */
const MAX_KEYS = 10_000;

/** A database that does not answer holds up the events behind this one; two attempts fit in. */
const RECORD_MS = 20_000;

/**
 * The trigger as the first node of the stored execution: puts the event on its output, or ends the execution here when
 * the event has come before (before a restart, or to another process).
 */
export async function emit(
	n8n: IExecuteFunctions,
	recordKeys: RecordKeys,
): Promise<INodeExecutionData[][]> {
	const events = chosenEvents(n8n.getNodeParameter('events', 0, []));
	const outputs = events.map((): INodeExecutionData[] => []);
	const isTest = n8n.getMode() === 'manual';
	for (const item of n8n.getInputData()) {
		const { product, event_type, delivery } = item.json;
		const name = eventName({ product, event_type });
		setCustomData(n8n, businessKeys(name, item.json));
		const facts = isObject(delivery) ? delivery : {};
		if (isTest) explainTest(n8n, name, item.json);
		if (name === AUTHORIZATION) {
			if (typeof facts.answer_by === 'string') waitingAuthorization(n8n).answerBy = facts.answer_by;
		} else {
			await acknowledge(n8n, events);
			if (!(await isFirst(n8n, recordKeys, facts.key))) continue;
		}
		const output = route(events, name);
		if (output !== undefined) outputs[output]?.push(item);
	}
	if (isTest && workflowDecides(n8n, events)) warnWithoutRespond(n8n);
	return outputs;
}

/** What the execution of an event can be found by. */
function businessKeys(event: string, item: IDataObject): Record<string, unknown> {
	const data = isObject(item.data) ? item.data : {};
	const delivery = isObject(item.delivery) ? item.delivery : {};
	return {
		event,
		operation_id: textOf(item.operation_id),
		card_id: data.card_id,
		// Its data is the client itself (§2.8).
		client_id: event === CLIENT_STATUS ? data.id : data.client_id,
		trace_id: delivery.trace_id,
	};
}

/**
 * While authorizations are decided by the workflow, n8n takes the answer to every event from the execution. An event that
 * needs no decision is acknowledged here: its execution is stored, and the workflow has not begun.
 */
async function acknowledge(n8n: IExecuteFunctions, events: readonly string[]): Promise<void> {
	const hasSender = ['webhook', 'manual'].includes(n8n.getMode());
	if (!hasSender || !workflowDecides(n8n, events)) return;
	await n8n.sendResponse({ body: { ...ACKNOWLEDGEMENT }, headers: {}, statusCode: 200 });
}

/**
 * Finds out if this execution is the first of its event. Its key counts until as many newer events have come as n8n's
 * memory holds.
 * @throws NodeOperationError when n8n's database fails: the execution is then there to be retried
 */
async function isFirst(
	n8n: IExecuteFunctions,
	recordKeys: RecordKeys,
	key: unknown,
): Promise<boolean> {
	const { ignoreDuplicates } = n8n.getNodeParameter('options', 0, {}) as IDataObject;
	// A retry is meant to run again, and test runs must not touch the stored keys of production.
	if (ignoreDuplicates === false || n8n.getMode() !== 'webhook' || typeof key !== 'string')
		return true;
	const options = { maxEntries: MAX_KEYS, withinMs: RECORD_MS };
	const recorded = await recordKeys(n8n, [key], options);
	if (recorded !== 'unknown' && recorded.fresh.length > 0) return true;
	if (recorded !== 'unknown' && recorded.certain) return false;
	throw new NodeOperationError(
		n8n.getNode(),
		"Duplicate check failed: n8n's database did not respond",
		{
			description:
				'Nothing behind the trigger has run. Retry this execution: a retry runs without that check.',
		},
	);
}

function workflowDecides(n8n: IExecuteFunctions, events: readonly string[]): boolean {
	return (
		events.includes(AUTHORIZATION) &&
		n8n.getNodeParameter('authorizationDecision', 0, 'rules') === 'workflow'
	);
}
