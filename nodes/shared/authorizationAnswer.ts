import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/**
 * Protocol between the trigger and `authorization: respond` (§6.3). The operation returns its answer to n8n, perhaps on
 * a worker, and the trigger intercepts n8n's response.
 */

/** Marks an answer as a decision, as opposed to a response that n8n writes by itself. Never sent to the service. */
export const DECISION_HEADER = 'x-card-treasury-decision';

export const APPROVE = '00';
export const DECLINE = '05';

/** Codes that approve: those of §6.3, and ISO 8583 codes that a card network may treat as an approval. */
const APPROVING: readonly string[] = [
	APPROVE,
	'SUCCESS',
	'000',
	'08',
	'10',
	'11',
	'16',
	'85',
	'87',
];

/** ISO 8583 response codes have 2 characters; networks add codes with 3. */
const RESPONSE_CODE = /^(?:[0-9A-Z]{2,3}|SUCCESS)$/;

/** Words that look like a code. The service would pass them to the network as decline reasons, even `OK` (§6.3). */
const WORDS: readonly string[] = ['OK', 'NOK', 'NO', 'YES', 'ON', 'OFF'];

/** True if a value can be the `response_code` of an authorization. */
export function isResponseCode(value: unknown): value is string {
	return typeof value === 'string' && RESPONSE_CODE.test(value) && !WORDS.includes(value);
}

export function approves(responseCode: string): boolean {
	return APPROVING.includes(responseCode);
}

/** Answer for n8n's `sendResponse`. The caller checks the code with `isResponseCode` first. */
export function decisionAnswer(responseCode: string) {
	return {
		body: { response_code: responseCode },
		headers: { [DECISION_HEADER]: '1', 'content-type': 'application/json' },
		statusCode: 200,
	};
}

/** Authorization that waits for this execution, shared by its nodes. */
export interface WaitingAuthorization {
	/** Deadline of the answer, in ISO 8601. */
	answerBy?: string;
	/** Code that an `authorization: respond` operation has sent. */
	sent?: string;
}

/** Authorization that waits, stored in the execution so that nodes in between cannot drop it from the item. */
export function waitingAuthorization(n8n: Pick<IExecuteFunctions, 'getContext'>) {
	const context: IDataObject & { cardAuthorization?: WaitingAuthorization } =
		n8n.getContext('flow');
	return (context.cardAuthorization ??= {});
}
