import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { setCustomData } from '../shared/execution';
import { valueAt } from '../shared/isObject';
import { keyStoreOf } from '../shared/keyStore';
import { waitingAuthorization } from '../shared/waitingAuthorization';
import { OK } from './delivery';
import { AUTHORIZATION, CLIENT_STATUS, eventName, outputOf, type Envelope } from './events';
import { mayAsk } from './n8n';
import { readEvents } from './settings';

/** Keys per trigger: 7 events a second over the retry schedule of the service (§6.4). */
const MAX_KEYS = 10_000;

/** Runs the trigger as the first node of the stored execution: hands the event to its output, unless it ran before. */
export async function emit(n8n: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const events = readEvents((name, fallback) => n8n.getNodeParameter(name, 0, fallback));
	const outputs = events.map((): INodeExecutionData[] => []);
	const mode = n8n.getMode();
	for (const item of n8n.getInputData()) {
		const envelope = item.json as Envelope;
		const name = eventName(envelope);
		setCustomData(n8n, businessKeys(name, envelope));
		if (name === AUTHORIZATION) {
			const answerBy = valueAt(envelope, 'decision.answer_by');
			if (typeof answerBy === 'string') waitingAuthorization(n8n).answerBy = answerBy;
		} else {
			// If the workflow may have to answer authorizations, n8n takes every answer from the execution.
			if (mayAsk(n8n.getNode()) && mode !== 'retry')
				await n8n.sendResponse({ body: { ...OK }, headers: {}, statusCode: 200 });
			const key = String(valueAt(envelope, 'delivery.key'));
			if (mode === 'webhook' && !(await isNew(n8n, key))) continue;
			// A retry runs again; a copy that comes later does not. Test runs leave the keys of production alone.
			if (mode === 'retry') await isNew(n8n, key).catch(() => undefined);
		}
		outputs[outputOf(events, envelope) ?? -1]?.push(item);
	}
	return outputs;
}

/** Custom data by which users find the execution of an event. */
const businessKeys = (event: string, { operation_id, data, delivery }: Envelope) => ({
	event,
	operation_id,
	card_id: valueAt(data, 'card_id'),
	client_id: valueAt(data, event === CLIENT_STATUS ? 'id' : 'client_id'),
	payment_reference: valueAt(data, 'payment_reference'),
	trace_id: valueAt(delivery, 'trace_id'),
});

/** Records the key of an event in n8n's database. */
async function isNew(n8n: IExecuteFunctions, key: string): Promise<boolean> {
	try {
		return await keyStoreOf(n8n, MAX_KEYS).isNew(key);
	} catch {
		const description = 'The rest has not run. Retry this execution: a retry skips the check.';
		throw new NodeOperationError(
			n8n.getNode(),
			"Duplicate check failed: n8n's database did not respond",
			{ description },
		);
	}
}
