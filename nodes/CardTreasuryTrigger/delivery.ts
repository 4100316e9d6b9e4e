import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../shared/isObject';
import { statusOf } from './catalog';
import { BLOCKED, eventName, schemaIssues, summaryOf, type Envelope } from './events';

export interface Reply {
	status: number;
	body: object;
}

/** Body that acknowledges an event (§6.3). */
export const OK = { response_code: 'OK' };

export const replyWith = (responseCode: string): Reply => ({
	status: 200,
	body: { response_code: responseCode },
});

/** Refusal in the form of the service's errors (§7). */
export interface Refusal extends Reply {
	body: { code: string; message: string };
}

export const refusal = (status: number, code: string, message: string): Refusal => ({
	status,
	body: { code, message },
});

/** Reply to an authorization that this trigger does not decide: an "OK" would reach the network as a decline reason. */
export const NOT_DECIDED = refusal(
	501,
	'NOT_DECIDED',
	'Choose the event cards.authorization in the trigger to decide authorizations.',
);

/** Checks `X-Webhook-Key` (§5.5) in constant time, and always against every key. */
export function checkKey(header: unknown, keys: readonly string[]): Refusal | undefined {
	const sent = sha256(typeof header === 'string' ? header : '');
	const isAccepted = keys.filter((key) => timingSafeEqual(sha256(key), sent)).length > 0;
	const isMissing = keys.length === 0;
	const reason = isMissing
		? 'The trigger has no webhook key'
		: 'The value of X-Webhook-Key is not accepted';
	return isAccepted ? undefined : refusal(401, 'AUTH', reason);
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** Checks the envelope (§6.2). Everything else of the body is handed on as it came. */
export function checkEnvelope(body: unknown): Refusal | undefined {
	if (!isObject(body))
		return refusal(400, 'VAL', 'The body must be a JSON object, sent as application/json');
	const { operation_id: id, data } = body;
	const wrong = ['product', 'event_type'].find((name) => !isFilled(body[name]));
	if (wrong !== undefined)
		return refusal(400, 'VAL', `"${wrong}" must be a string that is not empty`);
	// JSON.parse has rounded a number above 2^53, so another event may have the same one.
	if (!isFilled(id) && !Number.isSafeInteger(id))
		return refusal(400, 'VAL', '"operation_id" must be a string that is not empty');
	return isObject(data) ? undefined : refusal(400, 'VAL', '"data" must be an object');
}

const isFilled = (value: unknown) => typeof value === 'string' && value.trim() !== '';

/**
 * Key by which a repetition is recognized. A `success` after a `pending` is another event (§6.2). Must never change,
 * because n8n's database stores it.
 */
export function deliveryKey(envelope: Envelope): string {
	const { product, event_type, operation_id, status, company_id, data } = envelope;
	const what =
		eventName(envelope) === BLOCKED
			? // Without a time, nothing tells two blocks of a card apart.
				[data.company_id ?? company_id, data.card_id, data.blocked_at || randomUUID()]
			: [operation_id, statusOf(status) || status];
	return [product, event_type, ...what]
		.map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
		.join(':');
}

/** Delivery that is to run the workflow. */
export interface Received {
	envelope: Envelope;
	headers: IDataObject;
	/** Epoch milliseconds. */
	arrivedAt: number;
}

/** Item of an event. Fields of the sender with our names are dropped. */
export function itemOf(
	{ envelope, headers, arrivedAt }: Received,
	decision?: IDataObject,
	news?: string,
): { json: IDataObject } {
	const sent = { ...envelope } as IDataObject;
	for (const ours of ['decision', 'summary']) delete sent[ours];
	const stamp = sentAt(headers);
	const issues = schemaIssues(envelope);
	const delivery = {
		key: deliveryKey(envelope),
		trace_id: headers['x-trace-id'] ?? null,
		sent_at: stamp === undefined ? null : new Date(stamp).toISOString(),
		received_at: new Date(arrivedAt).toISOString(),
		...(issues.length > 0 && { schema_issues: issues }),
	};
	return {
		json: { ...(decision && { decision }), summary: summaryOf(envelope, news), ...sent, delivery },
	};
}

/** Epoch milliseconds of `X-Request-Timestamp` (§6.1). */
export function sentAt(headers: IDataObject): number | undefined {
	const stamp = String(headers['x-request-timestamp']);
	return /^\d{13}$/.test(stamp) ? Number(stamp) : undefined;
}
