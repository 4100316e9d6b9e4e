/** Sentences about events. */

import { valueAt } from './isObject';
import { harmless, shortAddress } from './text';

/** `{path}` is a value of `data`. A part in [ ] is left out if one of its values is missing. */
export const PURCHASE =
	'{bill_amount} {bill_currency_code} at {merchant_data.name} with card {card_id}';

/** Fills in the values of `data`. Optional parts are resolved first, so that no value can open one. */
export function filled(about: string, data: unknown): string {
	const fill = (text: string, missing: string) =>
		text.replace(/\{(.+?)\}/g, (_, path: string) => inWords(valueAt(data, path)) || missing);
	const parts = about.split(/\[(.+?)\]/).map((part, position) => {
		const isOptional = position % 2 === 1;
		const text = fill(part, isOptional ? '\0' : '?');
		return text.includes('\0') ? '' : text;
	});
	return parts.join('');
}

/** Longest value in a summary: a transaction hash, which is shortened in its middle. */
const VALUE_LENGTH = 66;

function inWords(value: unknown): string {
	const text = ['string', 'number'].includes(typeof value)
		? harmless(String(value), VALUE_LENGTH)
		: '';
	return /^0x[0-9a-f]{12}/i.test(text) ? shortAddress(text) : text;
}
