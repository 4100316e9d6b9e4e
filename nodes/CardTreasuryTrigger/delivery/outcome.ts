import type { INodeExecutionData } from 'n8n-workflow';

/** The HTTP answer; `hang up` closes the connection without one, so that the card's own default applies (§6.3). */
export type Reply = { status: number; body: object } | 'hang up';

/** What becomes of a delivery. */
export type Outcome =
	/** The trigger answers, at once or later. With an item, an execution starts. */
	| { kind: 'answered'; reply: Reply | Promise<Reply>; item?: INodeExecutionData }
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
export const NOT_STORED = refusal(
	503,
	'NOT_STORED',
	'The event could not be stored. Send it again.',
);

/** An expression in the trigger's parameters fails. */
export const NOT_TAKEN = refusal(
	500,
	'NOT_TAKEN',
	'The parameters of the trigger could not be read',
);

export function decisionReply(responseCode: string): Reply {
	return { status: 200, body: { response_code: responseCode } };
}

/** In the form that the service gives its own errors (§7). */
export function refusal(status: number, code: string, message: string): Reply {
	return { status, body: { code, message } };
}
