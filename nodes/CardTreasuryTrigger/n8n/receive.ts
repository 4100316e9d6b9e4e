import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { CREDENTIAL_TYPE, acceptedWebhookKeys, readCredential } from '../../service/credential';
import { admit } from '../admit';
import { authorize } from '../authorization/authorize';
import type { Arrival } from '../delivery/item';
import { ACKNOWLEDGEMENT, NOT_TAKEN, type Outcome } from '../delivery/outcome';
import type { WebhookKeys } from '../delivery/webhookKeys';
import type { Claims } from '../duplicates/claims';
import { accept } from '../event/accept';
import { AUTHORIZATION } from '../events';
import { readSettings } from '../settings';
import { interceptAnswer, whenAnswered, writeReply, type DeliveryResponse } from './response';

/** What this process keeps for all workflows. */
export interface ReceivingState {
	claims: Claims;
	webhookKeys: WebhookKeys;
}

/** Handles one delivery: admits it, has `authorize` or `accept` decide its outcome, and carries that out. */
export async function receive(
	n8n: IWebhookFunctions,
	state: ReceivingState,
): Promise<IWebhookResponseData> {
	const response = n8n.getResponseObject();
	try {
		return carryOut(await outcomeOf(n8n, state), response);
	} catch (thrown) {
		// A parameter's expression failed. A throw would make n8n record an execution, even for a delivery without a key.
		n8n.logger.error(`${n8n.getNode().name} could not take a delivery: ${String(thrown)}`);
		return carryOut({ kind: 'answered', reply: NOT_TAKEN }, response);
	}
}

async function outcomeOf(
	n8n: IWebhookFunctions,
	{ claims, webhookKeys }: ReceivingState,
): Promise<Outcome> {
	const arrival = arriveNow();
	const settings = readSettings((name, fallback) => n8n.getNodeParameter(name, fallback));
	const node = `${n8n.getWorkflow().id}/${n8n.getNode().id}`;
	const delivery = {
		headers: n8n.getHeaderData(),
		body: n8n.getBodyData(),
		sender: n8n.getRequestObject().ip,
		arrival,
	};
	const admission = await admit(
		delivery,
		settings,
		async (given) => await webhookKeys(node, given, async () => await readKeys(n8n)),
	);
	if (admission.kind === 'answered') return admission;

	const { event } = admission;
	// Test runs from the editor repeat the same sample on purpose.
	const ignoresDuplicates = settings.ignoreDuplicates && n8n.getMode() !== 'manual';
	const claim = ignoresDuplicates ? claims(`${node}/${event.key}`) : undefined;
	const isDecided = event.name === AUTHORIZATION && settings.events.includes(AUTHORIZATION);
	return isDecided ? authorize(event, settings, claim) : accept(event, claim);
}

function carryOut(outcome: Outcome, response: DeliveryResponse): IWebhookResponseData {
	const { kind, item } = outcome;
	const workflowData = item && { workflowData: [[item]] };
	if (kind === 'answered') {
		const { reply } = outcome;
		if (reply instanceof Promise) void reply.then((later) => writeReply(response, later));
		else writeReply(response, reply);
		return { noWebhookResponse: true, ...workflowData };
	}
	if (kind === 'acknowledged by n8n') {
		whenAnswered(response, outcome.stored);
		return { webhookResponse: ACKNOWLEDGEMENT, ...workflowData };
	}
	const bypass = interceptAnswer(response, outcome.decide);
	void outcome.reply.then((reply) => bypass(() => writeReply(response, reply)));
	return { ...workflowData };
}

function arriveNow(): Arrival {
	const clock = performance.now();
	return { at: Date.now(), elapsed: () => performance.now() - clock };
}

/** A credential that is missing, or cannot be read at the moment, accepts no key. */
async function readKeys(n8n: IWebhookFunctions): Promise<string[]> {
	try {
		return acceptedWebhookKeys(readCredential(await n8n.getCredentials(CREDENTIAL_TYPE)));
	} catch {
		return [];
	}
}
