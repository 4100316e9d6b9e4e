import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Envelope } from './parse';
import { readTimestamp } from './verify';

/** What the item tells about its delivery. Times are ISO 8601 in UTC. */
export interface DeliveryFacts {
	/** What duplicates are recognised by. */
	key: string;
	/** To be quoted in support requests (§1.5). */
	trace_id: string | null;
	/** From `X-Request-Timestamp` (§6.1). */
	sent_at: string | null;
	received_at: string;
	/** Where the event departs from §6.5. */
	schema_issues?: string[];
	/** Until when `authorization: respond` can answer. */
	answer_by?: string;
}

/** The decision on an authorization, as its item carries it. */
export interface Decision {
	response_code: string;
	source: 'rule' | 'default' | 'unreadable';
	/** Name of the rule that matched. */
	rule?: string;
}

export interface ReceivedEvent {
	envelope: Envelope;
	key: string;
	issues: string[];
	/** Epoch milliseconds. */
	receivedAt: number;
	traceId: unknown;
	timestamp: unknown;
}

/**
 * The item of an event: the envelope as it came, and the facts of its delivery under `delivery`, which replaces a
 * field of that name.
 */
export function eventItem(
	event: ReceivedEvent,
	more: { answerBy?: number; decision?: Decision } = {},
): INodeExecutionData {
	const delivery: DeliveryFacts = {
		key: event.key,
		trace_id: typeof event.traceId === 'string' ? event.traceId : null,
		sent_at: iso(readTimestamp(event.timestamp)),
		received_at: new Date(event.receivedAt).toISOString(),
		...(event.issues.length > 0 && { schema_issues: event.issues }),
		...(more.answerBy !== undefined && { answer_by: new Date(more.answerBy).toISOString() }),
	};
	const json: IDataObject = { ...event.envelope, delivery: { ...delivery } };
	if (more.decision !== undefined) json.decision = { ...more.decision };
	return { json };
}

function iso(at: number | undefined): string | null {
	return at === undefined ? null : new Date(at).toISOString();
}
