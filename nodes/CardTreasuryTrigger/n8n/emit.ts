import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { setCustomData } from '../../service/customData';
import { isObject } from '../../service/isObject';
import { ACKNOWLEDGEMENT } from '../delivery/outcome';
import { MAX_KEYS, type RecordOnce } from '../duplicates/store';
import { AUTHORIZATION, eventName } from '../events';
import { chosenEvents, route } from '../events/route';
import { businessKeys } from './businessKeys';

/**
 * The trigger as the first node of the stored execution: puts the event on its output, or ends the execution here when
 * the event's key is stored already (before a restart, or by another process).
 */
export async function emit(
	n8n: IExecuteFunctions,
	recordOnce: RecordOnce,
): Promise<INodeExecutionData[][]> {
	const events = chosenEvents(n8n.getNodeParameter('events', 0, []));
	const outputs = events.map((): INodeExecutionData[] => []);
	for (const item of n8n.getInputData()) {
		const { product, event_type } = item.json;
		const name = eventName({ product, event_type });
		setCustomData(n8n, businessKeys(name, item.json));
		await acknowledge(n8n, events, name);
		if (!(await isNew(n8n, recordOnce, item.json))) continue;
		const output = route(events, name);
		if (output !== undefined) outputs[output]?.push(item);
	}
	warnWithoutRespond(n8n, events);
	return outputs;
}

/**
 * While authorizations are decided by the workflow, n8n takes the answer to every event from the execution. An event that
 * needs no decision is acknowledged here: its execution is stored, and the workflow has not begun.
 */
async function acknowledge(
	n8n: IExecuteFunctions,
	events: readonly string[],
	name: string,
): Promise<void> {
	const hasSender = ['webhook', 'manual'].includes(n8n.getMode());
	if (!hasSender || name === AUTHORIZATION || !workflowDecides(n8n, events)) return;
	await n8n.sendResponse({ body: { ...ACKNOWLEDGEMENT }, headers: {}, statusCode: 200 });
}

/** @throws NodeOperationError when n8n's database fails: the execution is then there to be retried */
async function isNew(
	n8n: IExecuteFunctions,
	recordOnce: RecordOnce,
	{ delivery }: IDataObject,
): Promise<boolean> {
	const { ignoreDuplicates } = n8n.getNodeParameter('options', 0, {}) as IDataObject;
	const key = isObject(delivery) ? delivery.key : undefined;
	// A retry is meant to run again, and test runs must not touch the stored keys of production.
	if (ignoreDuplicates === false || n8n.getMode() !== 'webhook' || typeof key !== 'string')
		return true;
	const node = `${n8n.getWorkflow().id}/${n8n.getNode().id}`;
	const recorded = await recordOnce(node, key, async (keys) => {
		const options = { mode: 'entries', maxEntries: MAX_KEYS } as const;
		const result = await n8n.helpers.checkProcessedAndRecord(keys, 'node', options);
		return result.new.map(String);
	});
	if (recorded !== 'unknown') return recorded === 'new';
	throw new NodeOperationError(
		n8n.getNode(),
		"n8n's database could not say whether this event has come before",
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

/** Shown under a test run in the editor. */
function warnWithoutRespond(n8n: IExecuteFunctions, events: readonly string[]): void {
	if (n8n.getMode() !== 'manual' || !workflowDecides(n8n, events)) return;
	const nodes = n8n.getChildNodes(n8n.getNode().name, { includeNodeParameters: true });
	const responds = nodes.some(
		({ disabled, parameters }) =>
			!disabled && parameters?.resource === 'authorization' && parameters.operation === 'respond',
	);
	if (responds) return;
	n8n.addExecutionHints({
		message:
			'Nothing behind this trigger answers card authorizations: each one will get the Fallback Decision at the deadline. Add a Card Treasury node with the action "Respond to card authorization" to the output Authorization.',
		type: 'warning',
		location: 'outputPane',
	});
}
