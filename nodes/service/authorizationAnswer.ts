import type { IDataObject } from 'n8n-workflow';

/**
 * What the trigger and `authorization: respond` have to agree on (§6.3). They meet only through n8n: the operation
 * hands its answer to n8n, perhaps on a worker, and n8n writes it to the response, which the trigger intercepts.
 */

/** Marks an answer as a decision, to tell it from what n8n writes by itself. Never sent to the service. */
export const DECISION_HEADER = 'x-card-treasury-decision';

export const APPROVE = '00';
export const DECLINE = '05';

/** Codes that approve (§6.3); every other one declines. */
const APPROVING: readonly string[] = [APPROVE, 'SUCCESS'];

/** ISO 8583 response codes have 2 characters; the third is for codes that networks add. */
const RESPONSE_CODE = /^(?:[0-9A-Z]{2,3}|SUCCESS)$/;

/** Words that look like a code. The service would pass them to the network as decline reasons, `OK` too (§6.3). */
const WORDS: readonly string[] = ['OK', 'NOK', 'NO', 'YES', 'ON', 'OFF'];

/** Completes "<field> …" where `isResponseCode` is false. */
export const NO_RESPONSE_CODE =
	'is not a response code, and would be passed to the card network as a decline reason. Use Approve or Decline, or a code of 2 or 3 digits or capital letters, for example 51';

/** Whether a value can be the `response_code` of an authorization. */
export function isResponseCode(value: unknown): value is string {
	return typeof value === 'string' && RESPONSE_CODE.test(value) && !WORDS.includes(value);
}

/** The code of a choice between Approve, Decline and Other; undefined when it gives none. */
export function chosenResponseCode(decision: unknown, otherCode: unknown): string | undefined {
	if (decision === 'approve') return APPROVE;
	if (decision === 'decline') return DECLINE;
	if (decision !== 'other') return undefined;
	const code =
		typeof otherCode === 'string' || typeof otherCode === 'number' ? String(otherCode).trim() : '';
	return isResponseCode(code) ? code : undefined;
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

/**
 * Until when the authorization in this item can be answered, in epoch milliseconds (`delivery.answer_by`);
 * undefined when the item is no authorization that waits for the workflow.
 */
export function answerBy(item: IDataObject): number | undefined {
	const delivery = item.delivery;
	if (typeof delivery !== 'object' || delivery === null || !('answer_by' in delivery))
		return undefined;
	const at = Date.parse(String(delivery.answer_by));
	return Number.isNaN(at) ? undefined : at;
}
