import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { approves, decisionInWords } from '../../shared/authorizationAnswer';
import { harmless } from '../../shared/plainLine';
import { summaryOf } from '../events';
import type { Claim } from './claims';
import type { Envelope } from './envelope';

/** HTTP reply. `hang up` closes the connection without a reply, so that the card's default applies (§6.3). */
export type Reply = HttpReply | 'hang up';

interface HttpReply<Body = object> {
	status: number;
	body: Body;
}

/** Refusal of a delivery, in the form of the service's errors (§7). */
export type Refusal = HttpReply<{ code: string; message: string }>;

/** Way to handle a delivery. */
export type Handling =
	/** The trigger replies, at once or later. With an item, n8n also starts an execution. */
	| { kind: 'replied'; reply: Reply | Promise<Reply>; item?: INodeExecutionData }
	/** n8n acknowledges after storing the execution. `stored` is called once with the result. */
	| { kind: 'acknowledged by n8n'; item: INodeExecutionData; stored(succeeded: boolean): void }
	/**
	 * The workflow decides. `decide` is called with a response code, or with undefined if n8n's answer is not a decision.
	 */
	| {
			kind: 'decided by the workflow';
			item: INodeExecutionData;
			decide(responseCode: string | undefined): void;
			reply: Promise<Reply>;
	  };

/** Body that acknowledges an event (§6.3). */
export const ACKNOWLEDGEMENT = { response_code: 'OK' } as const;

export const ACKNOWLEDGED: Reply = { status: 200, body: ACKNOWLEDGEMENT };

/**
 * Reply to an authorization that this trigger does not decide. An "OK" would reach the network as a decline reason
 * (§6.3).
 */
export const NOT_DECIDED = refusal(
	501,
	'NOT_DECIDED',
	'This trigger does not decide authorizations. Choose the event cards.authorization in the trigger.',
);

/** Reply if n8n has not stored the execution of an event. */
const NOT_STORED = refusal(503, 'NOT_STORED', 'The event could not be stored. Send it again.');

/** Reply if an expression in the trigger's parameters fails. */
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

/** Field `delivery` of an item. Times are ISO 8601 in UTC. */
interface DeliveryFacts {
	/** Key from `deliveryKey`. */
	key: string;
	/** Trace ID for support requests (§1.5). */
	trace_id: string | null;
	/** Time from `X-Request-Timestamp` (§6.1). */
	sent_at: string | null;
	received_at: string;
	/** Deviations from the documented form (§6.5). */
	schema_issues?: string[];
}

/** Decision by the rules on an authorization, shown in the item. */
export interface Decision {
	response_code: string;
	source: 'rule' | 'default' | 'unreadable';
	/** Name of the rule that matched. */
	rule?: string;
	/** Answers that earlier observe-only rules would have given. */
	observed?: Observation[];
}

export interface Observation {
	rule: string;
	/** Null if the rule would ask, is unreadable, or needs a value that is unreadable. */
	response_code: string | null;
	would_ask?: true;
}

/** Question to the workflow, shown in the item. */
export interface Asked {
	rule?: string;
	observed?: Observation[];
	/** Deadline for `authorization: respond`, in epoch milliseconds. */
	answerBy: number;
}

export interface ReceivedEvent {
	name: string;
	envelope: Envelope;
	key: string;
	issues: string[];
	arrival: Arrival;
	traceId: unknown;
	/** Epoch milliseconds from `X-Request-Timestamp`. */
	sentAt: number | undefined;
}

/** Arrival of a delivery. */
export interface Arrival {
	/** Epoch milliseconds of the arrival. */
	at: number;
	/** Milliseconds since the arrival, by a monotonic clock. */
	elapsed(): number;
	/** True if the sender has closed the connection. */
	senderLeft(): boolean;
}

/**
 * Item of an event: the envelope as received, with `delivery` and, first in the editor, `decision` and `summary`.
 * Fields of the sender with these names are dropped.
 */
export function eventItem(
	{ envelope, key, issues, arrival, traceId, sentAt }: ReceivedEvent,
	{ decision, asked }: { decision?: Decision; asked?: Asked } = {},
): INodeExecutionData {
	const delivery: DeliveryFacts = {
		key,
		trace_id: typeof traceId === 'string' ? traceId : null,
		sent_at: sentAt === undefined ? null : new Date(sentAt).toISOString(),
		received_at: new Date(arrival.at).toISOString(),
		...(issues.length > 0 && { schema_issues: issues }),
	};
	const sent = { ...envelope };
	for (const ours of ['decision', 'summary']) delete sent[ours];
	return {
		json: {
			...(decision && { decision: decisionFacts(decision, arrival) }),
			...(asked && { decision: questionFacts(asked) }),
			summary: summaryOf(envelope, decision && newsOf(decision)),
			...sent,
			delivery: { ...delivery },
		},
	};
}

/** Says a decision in words. */
function newsOf({ response_code: code, rule }: Decision): string {
	const by = rule === undefined ? '' : ` by the rule "${harmless(rule, 40)}"`;
	return `${decisionInWords(code)}${by}`;
}

function questionFacts({ rule, observed, answerBy }: Asked): IDataObject {
	return {
		outcome: 'asked',
		...(rule !== undefined && { rule }),
		...(observed && { observed }),
		answer_by: new Date(answerBy).toISOString(),
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
 * Accepts an event that needs no decision. n8n acknowledges only after storing the execution, so that no acknowledged
 * event is lost. A duplicate gets the reply of the first delivery.
 */
export function accept(event: ReceivedEvent, claim: Claim | undefined): Handling {
	if (claim?.first === false) {
		const reply = claim.result.then(({ committed }) => (committed ? ACKNOWLEDGED : NOT_STORED));
		return { kind: 'replied', reply };
	}
	const stored = (succeeded: boolean) => (succeeded ? claim?.commit() : claim?.release());
	return { kind: 'acknowledged by n8n', item: eventItem(event), stored };
}
