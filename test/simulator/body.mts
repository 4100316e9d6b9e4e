import { invalid } from './answer.mts';
import { memberTexts } from './jsonText.mts';

/** The body as a JSON object. @throws Rejected 400 for anything else. */
export function bodyObject(body: unknown): Record<string, unknown> {
	if (typeof body !== 'object' || body === null || Array.isArray(body))
		throw invalid('The body must be a JSON object');
	return body as Record<string, unknown>;
}

/** The number of the member `amount` exactly as it was sent. The body must be a JSON object. @throws Rejected 400 when it is no number (§1.3). */
export function exactAmount(bodyText: string): string {
	const text = memberTexts(bodyText).get('amount');
	if (text === undefined) throw invalid('amount is required');
	if (!/^-?\d/.test(text)) throw invalid('amount must be a JSON number');
	return text;
}
