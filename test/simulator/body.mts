import { parseDocument, type YAMLMap } from 'yaml';

import { invalid } from './answer.mts';

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

/**
 * The source text of the members of a JSON object, e.g. `{"amount":0.10}` → `amount` → `0.10`; JSON is YAML, whose parser
 * tells where a value stands. A repeated name keeps its last value, as JSON.parse does.
 */
export function memberTexts(text: string): Map<string, string> {
	const { items } = parseDocument(text, { uniqueKeys: false }).contents as YAMLMap<any, any>;
	return new Map(
		items.map(({ key, value }) => [String(key), text.slice(value.range[0], value.range[1])]),
	);
}
