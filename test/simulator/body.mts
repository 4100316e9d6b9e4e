import lodash from 'lodash';
import { parseDocument, type YAMLMap } from 'yaml';

import { invalid } from './answer.mts';

/** Returns the body as a JSON object. @throws Rejected 400 for anything else. */
export function bodyObject(body: unknown): Record<string, unknown> {
	if (!lodash.isPlainObject(body)) throw invalid('The body must be a JSON object');
	return body as Record<string, unknown>;
}

/**
 * Returns the number in `amount` exactly as sent. The body must be a JSON object. @throws Rejected 400 if it is not a
 * number (§1.3).
 */
export function exactAmount(bodyText: string): string {
	const text = memberTexts(bodyText).get('amount');
	if (text === undefined) throw invalid('amount is required');
	if (!/^-?\d/.test(text)) throw invalid('amount must be a JSON number');
	return text;
}

/**
 * Source text of each member of a JSON object: `{"amount":0.10}` gives `amount` → `0.10`.
 * Uses the YAML parser, because JSON is YAML and that parser reports positions. As in JSON.parse, the last value of a
 * repeated name wins.
 */
export function memberTexts(text: string): Map<string, string> {
	const { items } = parseDocument(text, { uniqueKeys: false }).contents as YAMLMap<any, any>;
	return new Map(
		items.map(({ key, value }) => [String(key), text.slice(value.range[0], value.range[1])]),
	);
}
