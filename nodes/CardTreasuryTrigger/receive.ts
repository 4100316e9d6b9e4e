import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { acknowledging } from './delivery/acknowledgements';
import { ACKNOWLEDGEMENT, answer, type DeliveryResponse } from './delivery/answer';
import { receiveAuthorization, refuseToDecide } from './authorization/receiveAuthorization';
import type { Claims } from './duplicates/claims';
import { deliveryKey } from './delivery/deliveryKey';
import { AUTHORIZATION, eventName } from './events';
import { eventItem, type ReceivedEvent } from './delivery/item';
import { parse } from './delivery/parse';
import { route } from './route';
import { readSettings } from './settings';
import { whenAnswered } from './delivery/stored';
import { verifyDelivery, type KnownKeys } from './delivery/verifyDelivery';

/** What n8n is told when the delivery has been, or will be, answered here and starts nothing. */
const ANSWERED: IWebhookResponseData = { noWebhookResponse: true };

/** What is remembered in this process, for whichever workflow. */
export interface ProcessMemory {
	claims: Claims;
	keys: KnownKeys;
}

/**
 * Takes one delivery in: verify, parse, recognise duplicates, then answer or decide (§6).
 *
 * An event's acknowledgement is left to n8n, which writes it only after it has stored the execution, so that what is
 * acknowledged cannot be lost:
 * - normally (`responseMode: onReceived`) n8n answers with the `webhookResponse` given here;
 * - while authorizations wait for the workflow (`responseNode`; n8n fixes the mode before it knows which event came), and
 *   on an n8n that answers before it stores, the trigger acknowledges as the first step of the stored execution (see `emit`).
 */
export async function receive(
	context: IWebhookFunctions,
	memory: ProcessMemory,
): Promise<IWebhookResponseData> {
	const response = context.getResponseObject();
	try {
		return await take(context, response, memory);
	} catch (thrown) {
		// A parameter whose expression fails. Left to n8n, it would start an execution even for a delivery without a key.
		context.logger.error(`${context.getNode().name} could not take a delivery: ${String(thrown)}`);
		answer(response, 500, {
			code: 'NOT_TAKEN',
			message: 'The parameters of the trigger could not be read',
		});
		return ANSWERED;
	}
}

async function take(
	context: IWebhookFunctions,
	response: DeliveryResponse,
	{ claims, keys }: ProcessMemory,
): Promise<IWebhookResponseData> {
	const receivedAt = Date.now();
	const headers: Record<string, unknown> = context.getHeaderData();
	const settings = readSettings(context);

	const node = `${context.getWorkflow().id}/${context.getNode().id}`;
	const verdict = await verifyDelivery(
		context,
		keys,
		{ webhookKey: headers['x-webhook-key'], timestamp: headers['x-request-timestamp'] },
		{ node, maximumAgeSeconds: settings.maximumAgeSeconds, now: receivedAt },
	);
	if (!verdict.ok) {
		answer(response, 401, { code: 'AUTH', message: verdict.message });
		return ANSWERED;
	}
	const parsed = parse(context.getBodyData());
	if (!parsed.ok) {
		answer(response, 400, { code: 'VAL', message: parsed.message });
		return ANSWERED;
	}

	const { envelope, issues } = parsed;
	const name = eventName(envelope);
	const decides = name === AUTHORIZATION && settings.events.includes(name);
	if (route(settings.events, name) === undefined) {
		if (name === AUTHORIZATION) refuseToDecide(response);
		else answer(response, 200, ACKNOWLEDGEMENT);
		return ANSWERED;
	}

	const event: ReceivedEvent = {
		envelope,
		issues,
		receivedAt,
		key: deliveryKey(envelope),
		traceId: headers['x-trace-id'],
		timestamp: headers['x-request-timestamp'],
	};
	// Test runs from the editor repeat the same sample on purpose.
	const ignoreDuplicates = settings.ignoreDuplicates && context.getMode() !== 'manual';
	const claim = ignoreDuplicates ? claims(`${node}/${event.key}`) : undefined;

	if (decides) return receiveAuthorization(response, event, settings, claim);
	if (claim?.first === false) {
		// Answered when the first one is. n8n is not kept waiting for it.
		void claim.outcome.then(({ kept }) => {
			if (name === AUTHORIZATION) refuseToDecide(response);
			else if (kept) answer(response, 200, ACKNOWLEDGEMENT);
			else
				answer(response, 503, {
					code: 'NOT_STORED',
					message: 'The event could not be stored. Send it again.',
				});
		});
		return ANSWERED;
	}
	const workflowData = [[eventItem(event)]];
	if (name === AUTHORIZATION) {
		claim?.keep();
		refuseToDecide(response);
		return { noWebhookResponse: true, workflowData };
	}
	const answered = acknowledging();
	whenAnswered(response, (stored) => {
		answered();
		if (stored) claim?.keep();
		else claim?.giveBack();
	});
	return { webhookResponse: ACKNOWLEDGEMENT, workflowData };
}
