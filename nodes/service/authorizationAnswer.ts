import type { IDataObject } from 'n8n-workflow';

/**
 * What the trigger and `authorization: respond` have to agree on (§6.3). They meet only through n8n: the operation
 * hands its answer to n8n, perhaps on a worker, and n8n writes it to the response that the trigger watches over.
 */

/** Marks an answer as a decision, so that the trigger tells it from what n8n writes by itself. Never sent on. */
export const DECISION_HEADER = 'x-card-treasury-decision';

export const APPROVE = '00';
export const DECLINE = '05';

/** Codes that approve (§6.3); every other one declines. */
const APPROVING: readonly string[] = [APPROVE, 'SUCCESS'];

/** ISO 8583 codes have two characters and `SUCCESS` seven; the margin is for codes that networks add. */
const RESPONSE_CODE = /^[0-9A-Za-z]{1,10}$/;

/** Whether a value can be the `response_code` of an authorization. */
export function isResponseCode(value: unknown): value is string {
	return typeof value === 'string' && RESPONSE_CODE.test(value);
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
