import { isResponseCode } from '../../service/authorizationAnswer';
import { compareDecimals, isDecimal } from '../../service/decimal';
import { isBetween, isOneOf, mccIsIn, nameContains, type Condition } from './conditions';

export interface Rule {
	name: string;
	responseCode: string;
	/** Every one must hold; a rule without conditions matches every authorization. */
	conditions: Condition[];
}

/** Rules as the parameter `rules` holds them, and what is wrong with them, in words for the user. */
export interface ReadRules {
	rules: Rule[];
	problems: string[];
}

/** Reads the value of the parameter `rules`. Rules are only to be used when there are no problems. */
export function readRules(parameter: unknown): ReadRules {
	const entries =
		typeof parameter === 'object' && parameter !== null && 'rule' in parameter
			? parameter.rule
			: [];
	const rules: Rule[] = [];
	const problems: string[] = [];
	for (const [index, entry] of (Array.isArray(entries) ? entries : []).entries()) {
		const fields =
			typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>) : {};
		rules.push(readRule(fields, index, problems));
	}
	return { rules, problems };
}

function readRule(fields: Record<string, unknown>, index: number, problems: string[]): Rule {
	const name = textOf(fields.name) || `Rule ${index + 1}`;
	const complain = (field: string, reason: string) =>
		problems.push(`Rule "${name}": ${field} ${reason}`);
	const responseCode = textOf(fields.responseCode);
	if (!isResponseCode(responseCode))
		complain('Response Code', 'must be 1 to 10 letters and digits, e.g. 00 or 05');

	const conditions: Condition[] = [];
	const from = amount('Amount From', fields.amountFrom, complain);
	const to = amount('Amount To', fields.amountTo, complain);
	if (from !== undefined || to !== undefined) conditions.push(isBetween(from, to));

	if (from !== undefined && to !== undefined && compareDecimals(from, to) > 0) {
		complain('Amount From', 'must not be greater than Amount To');
	}

	const listed = (field: string, value: unknown) => {
		const entries = list(value);
		// Read as "not given", the rule would match more than its author meant.
		if (entries.length === 0 && textOf(value) !== '')
			complain(field, 'has nothing between its commas');
		return entries;
	};
	const mccCodes = listed('MCC Codes', fields.mccCodes);
	const ranges = mccCodes.map(mccRange);
	ranges.forEach((range, position) => {
		if (range === undefined)
			complain(
				'MCC Codes',
				`must be codes of 4 digits or ranges such as 6010-6012; it has "${mccCodes[position]}"`,
			);
	});
	if (mccCodes.length > 0) conditions.push(mccIsIn(ranges.filter((range) => range !== undefined)));

	const lists = [
		['Currencies', 'bill_currency_code', fields.currencies, 'any case'],
		['Merchant Countries', 'merchant_data.country', fields.merchantCountries, 'any case'],
		['Channels', 'channel', fields.channels, 'any case'],
		['Card IDs', 'card_id', fields.cardIds, 'exact'],
	] as const;
	for (const [field, path, value, letterCase] of lists) {
		const entries = listed(field, value);
		if (entries.length > 0) conditions.push(isOneOf(path, entries, letterCase));
	}
	const merchantName = textOf(fields.merchantName);
	if (merchantName !== '') conditions.push(nameContains(merchantName));
	return { name, responseCode, conditions };
}

type Complain = (field: string, reason: string) => void;

function amount(field: string, value: unknown, complain: Complain): string | undefined {
	const text = textOf(value);
	if (text === '') return undefined;
	const valid: boolean = isDecimal(text);
	if (!valid)
		complain(field, `must be a plain decimal such as 1250.50; it is "${text.slice(0, 40)}"`);
	return valid ? text : undefined;
}

/** First and last code of an entry; undefined when it is neither a code nor a range. */
function mccRange(entry: string): [number, number] | undefined {
	const match = /^(\d{4})(?:\s*-\s*(\d{4}))?$/.exec(entry);
	if (match === null) return undefined;
	const [first, last] = [Number(match[1]), Number(match[2] ?? match[1])];
	return first <= last ? [first, last] : undefined;
}

/** Comma-separated entries, trimmed. */
function list(value: unknown): string[] {
	return textOf(value)
		.split(',')
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}

/** A parameter written by hand or by a program may hold a number where the editor has a text. */
function textOf(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
