import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { approves } from '../../service/authorizationAnswer';
import type { Envelope } from './parse';

/** The item's `delivery`. Times are ISO 8601 in UTC. */
export interface DeliveryFacts {
	/** From `deliveryKey`. */
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

/** The decision on an authorization, which its item carries with its outcome and what became of it. */
export interface Decision {
	response_code: string;
	source: 'rule' | 'default' | 'unreadable';
	/** Name of the rule that matched. */
	rule?: string;
	/** What the observe-only rules before the decision would have answered. */
	observed?: Observation[];
}

export interface Observation {
	rule: string;
	/** null when the rule, or what it looks at, could not be read. */
	response_code: string | null;
}

export interface ReceivedEvent {
	/** `<product>.<event_type>` */
	name: string;
	envelope: Envelope;
	key: string;
	issues: string[];
	arrival: Arrival;
	traceId: unknown;
	/** Epoch milliseconds, from `X-Request-Timestamp`. */
	sentAt: number | undefined;
}

/** When a delivery was received. */
export interface Arrival {
	/** Epoch milliseconds. */
	at: number;
	/** Milliseconds since then, by a monotonic clock. */
	elapsed(): number;
	/** Whether the sender has closed the connection. */
	senderLeft(): boolean;
}

/**
 * The item of an event: the envelope as it came, and the facts of its delivery. A sender's own fields of the names
 * `decision` and `delivery` are not handed on. The decision comes first, so that the editor shows it first.
 */
export function eventItem(
	{ envelope, key, issues, arrival, traceId, sentAt }: ReceivedEvent,
	more: { answerBy?: number; decision?: Decision } = {},
): INodeExecutionData {
	const delivery: DeliveryFacts = {
		key,
		trace_id: typeof traceId === 'string' ? traceId : null,
		sent_at: sentAt === undefined ? null : new Date(sentAt).toISOString(),
		received_at: new Date(arrival.at).toISOString(),
		...(issues.length > 0 && { schema_issues: issues }),
		...(more.answerBy !== undefined && { answer_by: new Date(more.answerBy).toISOString() }),
	};
	const sent = { ...envelope };
	delete sent.decision;
	return {
		json: {
			...(more.decision && { decision: decisionFacts(more.decision, arrival) }),
			...sent,
			delivery: { ...delivery },
		},
	};
}

function decisionFacts(decision: Decision, { elapsed, senderLeft }: Arrival): IDataObject {
	return {
		outcome: approves(decision.response_code) ? 'approved' : 'declined',
		...decision,
		answered_in_ms: Math.round(elapsed()),
		...(senderLeft() && { too_late: true }),
	};
}
