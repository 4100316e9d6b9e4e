import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { acceptedWebhookKeys, CREDENTIAL_TYPE, readCredential } from '../../shared/credential';
import { unsupportedEngine } from '../../shared/host';
import { decideByRules, decideByWorkflow } from '../authorization/authorize';
import { admit } from '../delivery/admit';
import type { Claims } from '../delivery/claims';
import { digest } from '../delivery/envelope';
import {
	accept,
	ACKNOWLEDGEMENT,
	NOT_TAKEN,
	refusal,
	type Arrival,
	type DeliveryOutcome,
} from '../delivery/replies';
import type { WebhookKeys } from '../delivery/verify';
import { AUTHORIZATION } from '../events';
import { readSettings } from '../settings';
import { interceptAnswer, whenAnswered, writeReply, type DeliveryResponse } from './response';

/** What this process keeps for all workflows. */
export interface ReceivingState {
	eventClaims: Claims;
	/** Apart, so that no number of them pushes an event out. */
	authorizationClaims: Claims;
	webhookKeys: WebhookKeys;
	/** The triggers whose log says already that the clocks differ. */
	clocksDiffer: Set<string>;
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
		return carryOut({ kind: 'replied', reply: NOT_TAKEN }, response);
	}
}

async function outcomeOf(
	n8n: IWebhookFunctions,
	{ eventClaims, authorizationClaims, webhookKeys, clocksDiffer }: ReceivingState,
): Promise<DeliveryOutcome> {
	const arrival = arriveNow(n8n.getResponseObject());
	const settings = readSettings((name, fallback) => n8n.getNodeParameter(name, fallback));
	const node = `${n8n.getWorkflow().id}/${n8n.getNode().id}`;
	const isTest = n8n.getMode() === 'manual';
	const delivery = {
		headers: n8n.getHeaderData(),
		body: n8n.getBodyData(),
		sender: n8n.getRequestObject().ip,
		arrival,
	};
	const admission = await admit(
		delivery,
		settings,
		async (given) =>
			await webhookKeys(`${node}/${isTest ? 'test' : 'production'}`, given, async () =>
				readKeys(n8n),
			),
	);
	if (admission.kind === 'replied') return admission;
	// Settings of a workflow change without its being published again.
	const unsupported = unsupportedEngine(n8n.getWorkflowSettings());
	if (unsupported !== undefined) {
		n8n.logger.error(`${n8n.getNode().name} could not take a delivery: ${unsupported}`);
		return { kind: 'replied', reply: refusal(500, 'NOT_TAKEN', unsupported) };
	}

	const { event } = admission;
	const claims = event.name === AUTHORIZATION ? authorizationClaims : eventClaims;
	// Test runs from the editor repeat the same sample on purpose.
	const claim = (key = event.key) =>
		settings.ignoreDuplicates && !isTest ? claims(node, key) : undefined;
	if (event.name !== AUTHORIZATION || settings.authorizationDecision === undefined)
		return accept(event, claim());
	if (settings.authorizationDecision === 'rules') return decideByRules(event, settings, claim);
	// Another purchase under the same operation_id must not get the first one's decision.
	const { key, envelope } = event;
	const copyOf = claim(`${key}:${digest(JSON.stringify(envelope.data))}`);
	return decideByWorkflow(event, settings, copyOf, () => {
		if (clocksDiffer.has(node)) return;
		clocksDiffer.add(node);
		n8n.logger.warn(
			`${n8n.getNode().name}: the X-Request-Timestamp of an authorization leaves no time to answer, so the clocks of the service and of this n8n differ, or this n8n is overloaded. The Deadline counts from the arrival alone. Set the clock by NTP.`,
		);
	});
}

function carryOut(outcome: DeliveryOutcome, response: DeliveryResponse): IWebhookResponseData {
	const { kind, item } = outcome;
	const workflowData = item && { workflowData: [[item]] };
	if (kind === 'replied') {
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

function arriveNow(response: DeliveryResponse): Arrival {
	const clock = performance.now();
	return {
		at: Date.now(),
		elapsed: () => performance.now() - clock,
		senderLeft: () => response.destroyed,
	};
}

/** Undefined when the credential is missing, or cannot be read at the moment. */
async function readKeys(n8n: IWebhookFunctions): Promise<string[] | undefined> {
	try {
		return acceptedWebhookKeys(readCredential(await n8n.getCredentials(CREDENTIAL_TYPE)));
	} catch {
		return undefined;
	}
}
