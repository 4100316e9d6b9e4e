import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { waitingAuthorization } from '../../shared/authorizationAnswer';
import { setCustomData } from '../../shared/host';
import { isObject } from '../../shared/isObject';
import { ACKNOWLEDGEMENT } from '../delivery/replies';
import { AUTHORIZATION, chosenEvents, CLIENT_STATUS, eventName, route } from '../events';
import type { RecordKey } from './recordKey';
import { mayAsk } from './responseMode';
import { explainNoAnswer, explainTest } from './testRun';

/**
 * Runs the trigger as the first node of the stored execution. Passes the event to an output. Ends the execution if
 * another process, or this one before a restart, has already run the event.
 */
export async function emit(
	n8n: IExecuteFunctions,
	recordKey: RecordKey,
): Promise<INodeExecutionData[][]> {
	const events = chosenEvents(n8n.getNodeParameter('events', 0, []));
	const outputs = events.map((): INodeExecutionData[] => []);
	const isTest = n8n.getMode() === 'manual';
	for (const item of n8n.getInputData()) {
		const { product, event_type, delivery, decision } = item.json;
		const name = eventName({ product, event_type });
		setCustomData(n8n, businessKeys(name, item.json));
		const facts = isObject(delivery) ? delivery : {};
		if (isTest) explainTest(n8n, name, item.json);
		if (name === AUTHORIZATION) {
			const { answer_by: answerBy } = isObject(decision) ? decision : {};
			if (typeof answerBy === 'string') waitingAuthorization(n8n).answerBy = answerBy;
		} else {
			await acknowledge(n8n);
			if (!(await isFirst(n8n, recordKey, facts.key))) continue;
		}
		const output = route(events, { ...item.json, product, event_type });
		if (output !== undefined) outputs[output]?.push(item);
	}
	if (isTest && mayAsk(n8n.getNode())) explainNoAnswer(n8n);
	return outputs;
}

/** Custom data by which users find the execution of an event. */
function businessKeys(event: string, item: IDataObject): Record<string, unknown> {
	const data = isObject(item.data) ? item.data : {};
	const delivery = isObject(item.delivery) ? item.delivery : {};
	return {
		event,
		operation_id: item.operation_id,
		card_id: data.card_id,
		// This event's data is the client record (§2.8).
		client_id: event === CLIENT_STATUS ? data.id : data.client_id,
		trace_id: delivery.trace_id,
	};
}

/**
 * Acknowledges an event that needs no decision, if the workflow may have to answer authorizations: n8n then takes every
 * answer from the execution. At this point the execution is stored, and no other node has run.
 */
async function acknowledge(n8n: IExecuteFunctions): Promise<void> {
	const hasSender = ['webhook', 'manual'].includes(n8n.getMode());
	if (!hasSender || !mayAsk(n8n.getNode())) return;
	await n8n.sendResponse({ body: { ...ACKNOWLEDGEMENT }, headers: {}, statusCode: 200 });
}

/**
 * True if this execution is the first of its event.
 * @throws NodeOperationError if n8n's database fails, so that the user can retry the execution
 */
async function isFirst(
	n8n: IExecuteFunctions,
	recordKey: RecordKey,
	key: unknown,
): Promise<boolean> {
	const { ignoreDuplicates } = n8n.getNodeParameter('options', 0, {}) as IDataObject;
	// A retry must run again. Test runs must not change the stored keys of production.
	if (ignoreDuplicates === false || n8n.getMode() !== 'webhook' || typeof key !== 'string')
		return true;
	const recorded = await recordKey(n8n, key);
	if (recorded !== 'unknown') return recorded === 'new';
	throw new NodeOperationError(
		n8n.getNode(),
		"Duplicate check failed: n8n's database did not respond",
		{
			description:
				'The rest of the workflow has not run. Retry this execution: a retry skips the check.',
		},
	);
}
