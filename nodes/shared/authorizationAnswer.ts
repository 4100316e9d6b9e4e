import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/**
 * What the trigger and `authorization: respond` have to agree on (§6.3). They meet only through n8n: the operation
 * hands its answer to n8n, perhaps on a worker, and n8n writes it to the response, which the trigger intercepts.
 */

/** Marks an answer as a decision, to tell it from what n8n writes by itself. Never sent to the service. */
export const DECISION_HEADER = 'x-card-treasury-decision';

export const APPROVE = '00';
export const DECLINE = '05';

/** Codes that approve: those of §6.3, and those by which a card network may take an ISO 8583 answer for an approval. */
const APPROVING: readonly string[] = [APPROVE, 'SUCCESS', '000', '08', '10', '11', '16', '85'];

/** ISO 8583 response codes have 2 characters; the third is for codes that networks add. */
const RESPONSE_CODE = /^(?:[0-9A-Z]{2,3}|SUCCESS)$/;

/** Words that look like a code. The service would pass them to the network as decline reasons, `OK` too (§6.3). */
const WORDS: readonly string[] = ['OK', 'NOK', 'NO', 'YES', 'ON', 'OFF'];

/** Whether a value can be the `response_code` of an authorization. */
export function isResponseCode(value: unknown): value is string {
	return typeof value === 'string' && RESPONSE_CODE.test(value) && !WORDS.includes(value);
}

export function approves(responseCode: string): boolean {
	return APPROVING.includes(responseCode);
}

/** The answer to give to n8n's `sendResponse`. The caller has checked the code with `isResponseCode`. */
export function decisionAnswer(responseCode: string) {
	return {
		body: { response_code: responseCode },
		headers: { [DECISION_HEADER]: '1', 'content-type': 'application/json' },
		statusCode: 200,
	};
}

/** What the nodes of one execution know of the authorization that waits for it. */
export interface WaitingAuthorization {
	/** Until when it can be answered, in ISO 8601. */
	answerBy?: string;
	/** The code that an operation `authorization: respond` has sent. */
	sent?: string;
}

/** Kept in the execution, so that it does not depend on what the nodes in between make of the item. */
export function waitingAuthorization(n8n: Pick<IExecuteFunctions, 'getContext'>) {
	const context: IDataObject & { cardAuthorization?: WaitingAuthorization } =
		n8n.getContext('flow');
	return (context.cardAuthorization ??= {});
}
