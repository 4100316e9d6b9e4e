import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/**
 * Protocol between the trigger and the operation `authorization: respond` (§6.3). The operation passes its answer to
 * n8n, perhaps on a worker. The trigger intercepts n8n's response.
 */

/** Header that marks an answer as a decision. n8n's own responses lack this header. Never sent to the service. */
export const DECISION_HEADER = 'x-card-treasury-decision';

export const APPROVE = '00';
export const DECLINE = '05';

/** Codes that approve. §6.3 names some, and a card network may treat other ISO 8583 codes as an approval. */
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

/** Form of a response code. ISO 8583 has codes of 2 characters, and networks add codes of 3. */
const RESPONSE_CODE = /^(?:[0-9A-Z]{2,3}|SUCCESS)$/;

/** Words that look like a code. The service would pass even `OK` to the network as a decline reason (§6.3). */
const WORDS: readonly string[] = ['OK', 'NOK', 'NO', 'YES', 'ON', 'OFF'];

/** True if a value can be the `response_code` of an authorization. */
export function isResponseCode(value: unknown): value is string {
	return typeof value === 'string' && RESPONSE_CODE.test(value) && !WORDS.includes(value);
}

export function approves(responseCode: string): boolean {
	return APPROVING.includes(responseCode);
}

/** Says a response code in words. */
export function decisionInWords(responseCode: string): string {
	return `${approves(responseCode) ? 'Approved' : 'Declined'} (${responseCode})`;
}

/** Beginning of the summary of an authorization that nothing has decided yet. */
export const UNDECIDED = 'Waiting for a decision';

/** Answer for n8n's `sendResponse`. The caller must check the code with `isResponseCode` first. */
export function decisionAnswer(responseCode: string) {
	return {
		body: { response_code: responseCode },
		headers: { [DECISION_HEADER]: '1', 'content-type': 'application/json' },
		statusCode: 200,
	};
}

/** Authorization that waits for this execution. All nodes of the execution share this object. */
export interface WaitingAuthorization {
	/** Deadline of the answer, in ISO 8601. */
	answerBy?: string;
	/** Code that an `authorization: respond` operation has sent. */
	sent?: string;
}

/** Returns the waiting authorization from the execution data, because nodes in between could drop it from the item. */
export function waitingAuthorization(n8n: Pick<IExecuteFunctions, 'getContext'>) {
	const context: IDataObject & { cardAuthorization?: WaitingAuthorization } =
		n8n.getContext('flow');
	return (context.cardAuthorization ??= {});
}
