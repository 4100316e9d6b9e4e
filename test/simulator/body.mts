import { parseDocument, type YAMLMap } from 'yaml';

/** Returns the number in `amount` exactly as sent. */
export const exactAmount = (bodyText: string): string => memberTexts(bodyText).get('amount')!;

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
