import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { makeWay } from './delivery/acknowledgements';
import { ACKNOWLEDGEMENT } from './delivery/answer';
import { STORES_BEFORE_ANSWERING } from './delivery/stored';
import { AUTHORIZATION, eventName } from './events';
import { remember } from './duplicates/memory';
import { chosenEvents, route } from './route';

/**
 * The trigger as first node of the stored execution: puts the event on its output, unless n8n's stored memory knows
 * it already (after a restart, or from another process); then the execution ends here.
 */
export async function emit(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const events = chosenEvents(context.getNodeParameter('events', 0, []));
	const outputs = events.map((): INodeExecutionData[] => []);
	const { ignoreDuplicates } = context.getNodeParameter('options', 0, {}) as IDataObject;
	// A retry is meant to run again, and test runs leave the memory of production alone.
	const remembers = ignoreDuplicates !== false && context.getMode() === 'webhook';

	for (const item of context.getInputData()) {
		const { product, event_type, delivery } = item.json;
		const name = eventName({ product, event_type });
		if (waitsForAcknowledgement(context, events, name)) {
			await context.sendResponse({ body: { ...ACKNOWLEDGEMENT }, headers: {}, statusCode: 200 });
		}
		const key =
			typeof delivery === 'object' && delivery !== null && 'key' in delivery
				? delivery.key
				: undefined;
		// The workflow may have to decide an authorization by its deadline.
		if (
			remembers &&
			typeof key === 'string' &&
			!(await remember(context, key, name === AUTHORIZATION))
		)
			continue;
		if (name !== AUTHORIZATION && context.getMode() === 'webhook') await makeWay();
		const output = route(events, name);
		if (output !== undefined) outputs[output]?.push(item);
	}
	warnWithoutRespond(context, events);
	return outputs;
}

/**
 * In `workflow` mode, and always on an older n8n, n8n waits for an answer from the execution, for every event. One that
 * needs no decision gets its acknowledgement here: the execution is stored, and nothing in the workflow has been waited for.
 */
function waitsForAcknowledgement(
	context: IExecuteFunctions,
	events: readonly string[],
	name: string,
): boolean {
	const hasSender = ['webhook', 'manual'].includes(context.getMode());
	return (
		hasSender &&
		name !== AUTHORIZATION &&
		(!STORES_BEFORE_ANSWERING || workflowDecides(context, events))
	);
}

function workflowDecides(context: IExecuteFunctions, events: readonly string[]): boolean {
	return (
		events.includes(AUTHORIZATION) &&
		context.getNodeParameter('authorizationDecision', 0, 'rules') === 'workflow'
	);
}

/** Shown under a test run in the editor. */
function warnWithoutRespond(context: IExecuteFunctions, events: readonly string[]): void {
	if (context.getMode() !== 'manual' || !workflowDecides(context, events)) return;
	const nodes = context.getChildNodes(context.getNode().name, { includeNodeParameters: true });
	const responds = nodes.some(
		({ disabled, parameters }) =>
			!disabled && parameters?.resource === 'authorization' && parameters.operation === 'respond',
	);
	if (responds) return;
	context.addExecutionHints({
		message:
			'Nothing behind this trigger answers card authorizations: each one will get the Fallback Response Code at the deadline. Add a Card Treasury node with the action "Respond to card authorization" to the branch cards.authorization.',
		type: 'warning',
		location: 'outputPane',
	});
}
