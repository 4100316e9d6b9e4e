import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { acceptedWebhookKeys, CREDENTIAL_TYPE, readCredential } from '../shared/credential';
import { nodeKey } from '../shared/execution';
import { DECLINE } from '../shared/responseCode';
import { readDeciding, type Read } from '../shared/rules/read';
import { answerAuthorization, intercept, write, type Answer } from './answer';
import {
	checkEnvelope,
	checkKey,
	itemOf,
	NOT_DECIDED,
	OK,
	refusal,
	replyWith,
	type Received,
	type Refusal,
	type Reply,
} from './delivery';
import { AUTHORIZATION, eventName, outputOf, type Envelope } from './events';
import { mayAsk, whyNoExecution } from './n8n';
import { readEvents } from './settings';

/** Takes a delivery (§6): replies to it, or lets n8n reply after it has stored the execution. */
export async function receive(n8n: IWebhookFunctions): Promise<IWebhookResponseData> {
	const arrivedAt = Date.now();
	try {
		const headers = n8n.getHeaderData();
		const body: unknown = n8n.getBodyData();
		const wrong = checkKey(headers['x-webhook-key'], await readKeys(n8n)) ?? checkEnvelope(body);
		if (wrong) return replied(n8n, refused(n8n, wrong));

		const event = { envelope: body as Envelope, headers, arrivedAt };
		const read: Read = (name, fallback) => n8n.getNodeParameter(name, fallback);
		if (eventName(event.envelope) === AUTHORIZATION) return takeAuthorization(n8n, event, read);
		const events = readEvents(read);
		if (events.length > 0 && outputOf(events, event.envelope) === undefined)
			return replied(n8n, { status: 200, body: OK });
		// n8n makes an empty list of null.
		const unfit = events.length === 0 ? 'Events is empty' : whyNoExecution(n8n);
		return unfit === undefined
			? { webhookResponse: OK, workflowData: [[itemOf(event)]] }
			: replied(n8n, refused(n8n, refusal(503, 'NOT_TAKEN', unfit)));
	} catch (thrown) {
		// Nothing is thrown, because n8n would record an execution even for a delivery without a key.
		const reply = refusal(503, 'NOT_TAKEN', 'The delivery could not be handled');
		return replied(n8n, refused(n8n, reply, String(thrown)));
	}
}

/** Identifies the trigger in all workflows. Test runs have a place of their own. */
const placeOf = (n8n: IWebhookFunctions) => `${nodeKey(n8n)}/${n8n.getMode()}`;

/** Keys by place, used for a second: any sender can cause a read, which is a quarter of a delivery's cost. */
const keysRead = new Map<string, { at: number; keys: string[] }>();

/** Reads the accepted keys. An empty list is read anew each time, because the next read may find keys. */
async function readKeys(n8n: IWebhookFunctions): Promise<string[]> {
	const place = placeOf(n8n);
	const latest = keysRead.get(place);
	if (latest !== undefined && performance.now() - latest.at < 1_000) return latest.keys;
	const credential = await n8n.getCredentials<IDataObject>(CREDENTIAL_TYPE);
	const keys = acceptedWebhookKeys(readCredential(credential));
	if (keys.length > 0) keysRead.set(place, { at: performance.now(), keys });
	return keys;
}

function replied(n8n: IWebhookFunctions, reply: Reply): IWebhookResponseData {
	write(n8n.getResponseObject(), reply);
	return { noWebhookResponse: true };
}

/** Answers an authorization. n8n also starts an execution if there is an item. */
function takeAuthorization(
	n8n: IWebhookFunctions,
	event: Received,
	read: Read,
): IWebhookResponseData {
	const response = n8n.getResponseObject();
	const { reply, item, settle } = answerOrDecline(n8n, event, read);
	const say = settle ? intercept(response, settle) : (answer: Reply) => write(response, answer);
	if (reply instanceof Promise) void reply.then(say);
	else say(reply);
	return {
		...(settle === undefined && { noWebhookResponse: true }),
		...(item && { workflowData: [[item]] }),
	};
}

/** Declines what cannot be handled, such as data nested thousands of levels deep. */
function answerOrDecline(n8n: IWebhookFunctions, event: Received, read: Read): Answer {
	try {
		if (!readEvents(read).includes(AUTHORIZATION)) return { reply: refused(n8n, NOT_DECIDED) };
		// Looked at for every delivery, because n8n does not call this node when these settings change.
		const unfit = whyNoExecution(n8n);
		if (unfit) warnOnce(n8n, `starts no workflow for authorizations: ${unfit}`);
		return answerAuthorization(event, readDeciding(read), {
			place: placeOf(n8n),
			canRun: unfit === undefined,
			canAsk: mayAsk(n8n.getNode()),
		});
	} catch (thrown) {
		warnOnce(n8n, `declined an authorization that could not be handled: ${String(thrown)}`);
		return { reply: replyWith(DECLINE) };
	}
}

/** Lines that were logged in this minute. Any sender can cause them, so each line is logged once a minute. */
const logged = { minute: 0, lines: new Set<string>() };

function warnOnce(n8n: IWebhookFunctions, event: string): void {
	const line = `${n8n.getNode().name} ${event}`;
	const minute = Math.floor(Date.now() / 60_000);
	if (minute !== logged.minute) Object.assign(logged, { minute, lines: new Set() });
	if (!logged.lines.has(line)) n8n.logger.warn(line);
	logged.lines.add(line);
}

function refused(n8n: IWebhookFunctions, reply: Refusal, reason = reply.body.message): Refusal {
	warnOnce(n8n, `refused a delivery with ${reply.status}: ${reason}`);
	return reply;
}
