/** Response codes of authorizations (§6.3). */

export const APPROVE = '00';
export const DECLINE = '05';

/** Codes that approve. §6.3 names some, and a card network may treat other ISO 8583 codes as an approval. */
const APPROVING = [APPROVE, 'SUCCESS', '000', '08', '10', '11', '16', '85', '87'];

/** Form of a response code. ISO 8583 has codes of 2 characters, and networks add codes of 3. */
const RESPONSE_CODE = /^(?:[0-9A-Z]{2,3}|SUCCESS)$/;

/** Words that look like a code. The service would pass even `OK` to the network as a decline reason (§6.3). */
const WORDS = ['OK', 'NOK', 'NO', 'YES', 'ON', 'OFF'];

/** True if a value can be the `response_code` of an authorization. */
export function isResponseCode(value: unknown): value is string {
	return typeof value === 'string' && RESPONSE_CODE.test(value) && !WORDS.includes(value);
}

export const approves = (responseCode: string): boolean => APPROVING.includes(responseCode);

export const outcomeOf = (responseCode: string) =>
	approves(responseCode) ? 'approved' : 'declined';

export const decisionInWords = (responseCode: string) =>
	`${approves(responseCode) ? 'Approved' : 'Declined'} (${responseCode})`;

/** Beginning of the summary of an authorization that nothing has decided yet. */
export const UNDECIDED = 'Waiting for a decision';
