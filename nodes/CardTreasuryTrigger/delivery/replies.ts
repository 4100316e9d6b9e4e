import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { approves } from '../../shared/authorizationAnswer';
import { AUTHORIZATION } from '../events';
import type { Claim } from './claims';
import type { Envelope } from './envelope';

/** The HTTP answer; `hang up` closes the connection without one, so that the card's own default applies (§6.3). */
export type Reply = HttpReply | 'hang up';

interface HttpReply<Body = object> {
	status: number;
	body: Body;
}

/** Says why a delivery is not taken, in the form that the service gives its own errors (§7). */
export type Refusal = HttpReply<{ code: string; message: string }>;

/** What becomes of a delivery. */
export type Handling =
	/** The trigger answers, at once or later. With an item, an execution starts. */
	| { kind: 'replied'; reply: Reply | Promise<Reply>; item?: INodeExecutionData }
	/** n8n acknowledges once it has stored the execution; `stored` is told, once, whether it could. */
	| { kind: 'acknowledged by n8n'; item: INodeExecutionData; stored(succeeded: boolean): void }
	/** The workflow decides: `decide` is told what n8n would answer, undefined when that is no decision. */
	| {
			kind: 'decided by the workflow';
			item: INodeExecutionData;
			decide(responseCode: string | undefined): void;
			reply: Promise<Reply>;
	  };

/** The acknowledgement of §6.3. */
export const ACKNOWLEDGEMENT = { response_code: 'OK' } as const;

export const ACKNOWLEDGED: Reply = { status: 200, body: ACKNOWLEDGEMENT };

/** An authorization that nobody here decides: "OK" would be passed to the network as a decline reason (§6.3). */
export const NOT_DECIDED = refusal(
	501,
	'NOT_DECIDED',
	'This trigger does not decide authorizations. Choose the event cards.authorization in the trigger.',
);

/** n8n has stored no execution for the event. */
const NOT_STORED = refusal(503, 'NOT_STORED', 'The event could not be stored. Send it again.');

/** An expression in the trigger's parameters fails. */
export const NOT_TAKEN = refusal(
	500,
	'NOT_TAKEN',
	'The parameters of the trigger could not be read',
);

export function decisionReply(responseCode: string): Reply {
	return { status: 200, body: { response_code: responseCode } };
}

export function refusal(status: number, code: string, message: string): Refusal {
	return { status, body: { code, message } };
}

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

/**
 * Accepts an event that needs no decision here. It is acknowledged after n8n has stored its execution, so that an
 * acknowledged event cannot be lost. A copy is answered like the first one, once that answer is known.
 */
export function accept(event: ReceivedEvent, claim: Claim | undefined): Handling {
	const isAuthorization = event.name === AUTHORIZATION;
	if (claim?.first === false) {
		const reply = claim.result.then(({ committed }) => {
			if (isAuthorization) return NOT_DECIDED;
			return committed ? ACKNOWLEDGED : NOT_STORED;
		});
		return { kind: 'replied', reply };
	}
	const item = eventItem(event);
	if (isAuthorization) {
		claim?.commit();
		return { kind: 'replied', reply: NOT_DECIDED, item };
	}
	const stored = (succeeded: boolean) => (succeeded ? claim?.commit() : claim?.release());
	return { kind: 'acknowledged by n8n', item, stored };
}
