import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { acceptedWebhookKeys, CREDENTIAL_TYPE, readCredential } from '../../shared/credential';
import { quote } from '../../shared/fields/invalidField';
import { nodeKey } from '../../shared/turns';
import { answerAuthorization } from '../authorization/answer';
import { admit } from '../delivery/admit';
import type { Claims } from '../delivery/claims';
import { digest } from '../delivery/envelope';
import type { LogLimit } from '../delivery/logLimit';
import {
	accept,
	ACKNOWLEDGED,
	ACKNOWLEDGEMENT,
	NOT_TAKEN,
	refusal,
	type Arrival,
	type Handling,
	type Refusal,
} from '../delivery/replies';
import type { WebhookKeys } from '../delivery/verify';
import { AUTHORIZATION } from '../events';
import { readDecisionSettings, readDeliverySettings, type ReadParameter } from '../settings';
import { whyNoExecution } from './fitness';
import { interceptAnswer, whenAnswered, writeReply, type DeliveryResponse } from './response';

/** State of this process, shared by all workflows. */
interface ReceivingState {
	eventClaims: Claims;
	/** Claims of authorizations. Separate, so that authorizations never push out events. */
	authorizationClaims: Claims;
	webhookKeys: WebhookKeys;
	logLimit: LogLimit;
}

/** Writes a line to the log, at most one per minute and cause. */
type Log = (level: 'error' | 'warn', cause: string, line: string) => void;

export async function receive(
	n8n: IWebhookFunctions,
	state: ReceivingState,
): Promise<IWebhookResponseData> {
	const response = n8n.getResponseObject();
	const log = logOf(n8n, state.logLimit);
	try {
		return carryOut(await handle(n8n, state, log), response);
	} catch (thrown) {
		// An expression of a parameter failed. Nothing is thrown, because n8n would record an execution even for a delivery
		// without a key.
		log('error', 'parameters', `could not handle a delivery: ${String(thrown)}`);
		return carryOut({ kind: 'replied', reply: NOT_TAKEN }, response);
	}
}

function logOf(n8n: IWebhookFunctions, logLimit: LogLimit): Log {
	const { name } = n8n.getNode();
	return (level, cause, line) => {
		const count = logLimit(`${nodeKey(n8n)}/${cause}`);
		if (count === undefined) return;
		const times = count === 1 ? '' : ` (${count} times since this was last logged)`;
		n8n.logger[level](`${name} ${line}${times}`);
	};
}

async function handle(
	n8n: IWebhookFunctions,
	{ eventClaims, authorizationClaims, webhookKeys }: ReceivingState,
	log: Log,
): Promise<Handling> {
	const arrival = arriveNow(n8n.getResponseObject());
	const read: ReadParameter = (name, fallback) => n8n.getNodeParameter(name, fallback);
	const settings = readDeliverySettings(read);
	const node = nodeKey(n8n);
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
		async () =>
			await webhookKeys(`${node}/${isTest ? 'test' : 'production'}`, async () => readKeys(n8n)),
	);
	if (admission.kind === 'refused') {
		logRefusal(log, admission.reply, delivery.sender);
		return { kind: 'replied', reply: admission.reply };
	}
	if (admission.kind === 'discarded') return { kind: 'replied', reply: ACKNOWLEDGED };

	const { event } = admission;
	const { key, envelope } = event;
	// A test run repeats the same sample on purpose.
	const ignoresDuplicates = settings.ignoreDuplicates && !isTest;
	const contentOf = () => digest(JSON.stringify(envelope.data));
	const claimEvent = () => {
		if (!ignoresDuplicates) return undefined;
		const content = contentOf();
		const claimed = eventClaims(node, key, content);
		if (!claimed.first && !claimed.same)
			log(
				'warn',
				'other data',
				`dropped ${quote(key)} as a duplicate (§6.2), although its data differ from the first delivery`,
			);
		return claimed;
	};
	// Checked on every delivery, because n8n does not call this node when these settings change.
	const unfit = whyNoExecution(n8n);
	if (unfit !== undefined)
		log('error', 'settings', `starts no executions, and refuses events with 503: ${unfit}`);
	if (admission.kind === 'event')
		return unfit === undefined
			? accept(event, claimEvent())
			: { kind: 'replied', reply: refusal(503, 'NOT_TAKEN', unfit) };
	const isChosen = settings.events.includes(AUTHORIZATION);
	return answerAuthorization(event, isChosen ? readDecisionSettings(read, settings) : undefined, {
		canRun: unfit === undefined,
		// An authorization with the same operation_id but other data is another purchase, and runs the workflow too.
		claim: () =>
			ignoresDuplicates ? authorizationClaims(node, `${key}:${contentOf()}`) : undefined,
		clocksDiffer: () =>
			log(
				'warn',
				'clocks',
				'got an authorization whose X-Request-Timestamp leaves no time to answer: the clocks of the service and this n8n differ, or this n8n is overloaded. The Deadline counts from the arrival only. Synchronize the clock by NTP.',
			),
	});
}

function logRefusal(log: Log, { status, body }: Refusal, sender: unknown): void {
	const from = status === 403 ? `. This n8n saw the address ${quote(String(sender))}` : '';
	log('warn', body.message, `refused a delivery with ${status}: ${body.message}${from}`);
}

function carryOut(handling: Handling, response: DeliveryResponse): IWebhookResponseData {
	const { kind, item } = handling;
	const workflowData = item && { workflowData: [[item]] };
	if (kind === 'replied') {
		const { reply } = handling;
		if (reply instanceof Promise) void reply.then((later) => writeReply(response, later));
		else writeReply(response, reply);
		return { noWebhookResponse: true, ...workflowData };
	}
	if (kind === 'acknowledged by n8n') {
		whenAnswered(response, handling.stored);
		return { webhookResponse: ACKNOWLEDGEMENT, ...workflowData };
	}
	const bypass = interceptAnswer(response, handling.decide);
	void handling.reply.then((reply) => bypass(() => writeReply(response, reply)));
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

/** Returns the accepted webhook keys. Empty if the credential is missing or cannot be read. */
async function readKeys(n8n: IWebhookFunctions): Promise<string[]> {
	try {
		return acceptedWebhookKeys(readCredential(await n8n.getCredentials(CREDENTIAL_TYPE)));
	} catch {
		return [];
	}
}
