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
import { explain } from '../authorization/decide';
import { ACKNOWLEDGEMENT } from '../delivery/replies';
import {
	AUTHORIZATION,
	chosenEvents,
	CLIENT_STATUS,
	eventName,
	EVENTS_BY_NAME,
	route,
	SAMPLE_ID,
} from '../events';
import { readSettings } from '../settings';

/** Two for each event: more than 7 a second over the whole retry schedule, 1,023 s of waits and ten times 30 s (§6.4). */
const MAX_KEYS = 20_000;

const DAY_MS = 86_400_000;

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
	if (isTest) warnWithoutRespond(n8n, events);
	return outputs;
}

/** What the execution of an event can be found by. */
function businessKeys(event: string, item: IDataObject): Record<string, unknown> {
	const data = isObject(item.data) ? item.data : {};
	const delivery = isObject(item.delivery) ? item.delivery : {};
	return {
		event,
		operation_id: item.operation_id,
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
 * Whether this execution is the first of its event. The service repeats an event for 22 minutes (§6.4); here a key counts
 * until the end of the next day (UTC), so that an event that is sent again on request, later than that, runs.
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
	// With Retry On Fail, n8n calls this again in the same execution, which must not take its own key for a copy's.
	const own: IDataObject & { recorded?: 'new' | 'perhaps' } = n8n.getContext('node');
	if (own.recorded === 'new') return true;
	const mayBeOwn = own.recorded !== undefined;
	own.recorded = 'perhaps';
	const day = Math.floor(Date.now() / DAY_MS);
	const keys = [`${key}@${day}`, `${key}@${day + 1}`];
	const options = { maxEntries: MAX_KEYS, withinMs: RECORD_MS };
	const recorded = await recordKeys(n8n, keys, options);
	// Of a process whose clock is ahead, at midnight, only the second may be there.
	if (recorded !== 'unknown' && recorded.fresh.length === keys.length) {
		own.recorded = 'new';
		return true;
	}
	if (recorded !== 'unknown' && recorded.certain && !mayBeOwn) return false;
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

/** Shown under a test run in the editor: the sample, with its changes, is how rules are tried. */
function explainTest(n8n: IExecuteFunctions, event: string, item: IDataObject): void {
	explainSample(n8n, event, item);
	if (event === AUTHORIZATION) explainDecision(n8n, item);
}

/** A field in the wrong place changes nothing, and looks as if it had been tried. */
function explainSample(n8n: IExecuteFunctions, event: string, item: IDataObject): void {
	const row = EVENTS_BY_NAME.get(event);
	const isSample = String(item.operation_id).startsWith(SAMPLE_ID);
	if (!isSample || row === undefined) return;
	const known = pathsIn(row.sample.data(''));
	const added = pathsIn(item.data).filter((path) => !known.includes(path));
	if (added.length === 0) return;
	const named = added.map((path) => {
		const meant = known.find((other) => other.split('.').at(-1) === path.split('.').at(-1));
		return meant === undefined ? path : `${path} (the sample has ${meant})`;
	});
	n8n.addExecutionHints({
		message: `Sample Changes added what the sample does not have in its data: ${named.join(', ')}. That changes nothing that the sample has.`,
		type: 'warning',
		location: 'outputPane',
	});
}

/** The fields of an object and of the objects in it, e.g. `merchant_data.mcc_code`. */
function pathsIn(value: unknown): string[] {
	if (!isObject(value)) return [];
	return Object.entries(value).flatMap(([name, inner]) => [
		name,
		...pathsIn(inner).map((path) => `${name}.${path}`),
	]);
}

function explainDecision(n8n: IExecuteFunctions, { data, decision }: IDataObject): void {
	if (!isObject(data) || decision === undefined) return;
	const { rules, defaultResponseCode } = readSettings((name, fallback) =>
		n8n.getNodeParameter(name, 0, fallback),
	);
	const message = explain(data, rules, defaultResponseCode);
	n8n.addExecutionHints({ message, location: 'outputPane' });
}

/** Shown under a test run in the editor. */
function warnWithoutRespond(n8n: IExecuteFunctions, events: readonly string[]): void {
	if (!workflowDecides(n8n, events)) return;
	const nodes = n8n.getChildNodes(n8n.getNode().name, { includeNodeParameters: true });
	const responds = nodes.some(
		({ disabled, parameters }) =>
			!disabled && parameters?.resource === 'authorization' && parameters.operation === 'respond',
	);
	if (responds) return;
	n8n.addExecutionHints({
		message:
			'Nothing behind this trigger answers card authorizations: each one will get the Fallback Decision. Add a Card Treasury node with the action "Respond to card authorization" to the output Authorization.',
		type: 'warning',
		location: 'outputPane',
	});
}
