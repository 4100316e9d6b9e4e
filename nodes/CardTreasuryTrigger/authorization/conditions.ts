import { compareDecimals, DECIMAL_FIX, isDecimal } from '../../shared/decimal';
import { field, LITERAL, type Field, type Given, type Refuse } from '../../shared/fields/field';
import { InvalidFieldError, orInvalidNow, quote } from '../../shared/fields/invalidField';
import { holdsLiteral, sourceFrom } from '../../shared/fields/source';
import { CARD_ID_EXAMPLE } from '../../shared/fields/text';
import { isObject } from '../../shared/isObject';

/** What a condition finds in an authorization: `unreadable` when what it looks at is missing or not in its form. */
export type Finding = boolean | 'unreadable';

export type Condition = (data: Readonly<Record<string, unknown>>) => Finding;

/** What separates codes or IDs where it was not a comma. A channel may have a space: §6.5 does not show all of them. */
const NOT_IN_CODES = /[;|/\s]/;

/** §6.5 does not show the form of a country. Names may have spaces, but are not made of words as short as codes. */
const NOT_IN_COUNTRIES = /[;|]|^[a-z\d]{2,3}(?:[\s/]+[a-z\d]{2,3})+$/i;

/** The conditions that a rule can have: each is shown in the panel, read, and then examined with an authorization. */
export const CONDITIONS: Record<string, Field<Condition>> = {
	amountFrom: condition(
		'Amount From',
		'e.g. 0.01',
		'Lowest amount, inclusive. Compared with bill_amount whatever its currency: add Currencies to restrict the rule to one.',
		(text, { source, refuse }) => {
			const from = readDecimal(text, refuse);
			const to = textOf(source.get('amountTo'));
			return isDecimal(to) && compareDecimals(from, to) > 0
				? refuse('must not be greater than Amount To', 'Change one of them.')
				: isBetween(from, undefined);
		},
	),
	amountTo: condition(
		'Amount To',
		'e.g. 250.00',
		'Highest amount, inclusive. Compared with bill_amount whatever its currency: add Currencies to restrict the rule to one.',
		(text, { source, refuse }) => {
			const from = textOf(source.get('amountFrom'));
			return isBetween(isDecimal(from) ? from : undefined, readDecimal(text, refuse));
		},
	),
	cardIds: condition(
		'Card IDs',
		CARD_ID_EXAMPLE,
		'Comma-separated, exactly as the service shows them',
		entries((cards) => isOneOf('card_id', cards, 'exact'), NOT_IN_CODES),
	),
	channels: condition(
		'Channels',
		'e.g. POS',
		'Comma-separated, case-insensitive',
		entries((channels) => isOneOf('channel', channels, 'any case')),
	),
	currencies: condition(
		'Currencies',
		'e.g. USD, EUR',
		'Currency codes of bill_amount, comma-separated, case-insensitive',
		entries((currencies) => isOneOf('bill_currency_code', currencies, 'any case'), NOT_IN_CODES),
	),
	mccCodes: condition(
		'MCC Codes',
		'e.g. 5411, 6010-6012',
		'4-digit merchant category codes and ranges of them, comma-separated',
		entries((codes, { refuse }) => mccIsIn(codes.map((code) => readMccRange(code, refuse)))),
	),
	merchantCountries: condition(
		'Merchant Countries',
		'e.g. ESP, PRT',
		'Country codes as the service sends them, comma-separated, case-insensitive',
		entries(
			(countries) => isOneOf('merchant_data.country', countries, 'any case'),
			NOT_IN_COUNTRIES,
		),
	),
	merchantName: condition(
		'Merchant Name',
		'e.g. airlines',
		'Text that the name of the merchant contains, case-insensitive',
		(text) => nameContains(text),
	),
};

/**
 * Reads the conditions of a rule. One that is there without a value is refused: without it the rule would match more than
 * its author meant.
 * @param given what was entered for each, by its name
 */
export function readConditions(
	given: Readonly<Record<string, unknown>>,
): Array<Condition | InvalidFieldError> {
	const source = sourceFrom(given, undefined, {});
	return Object.keys(given).map((name) => {
		const known = Object.hasOwn(CONDITIONS, name) ? CONDITIONS[name] : undefined;
		if (known === undefined)
			return new InvalidFieldError(name, 'is not a condition that this node knows', 'Remove it.');
		return orInvalidNow(() => known.read(source, name));
	});
}

/** An expression may give a number where the panel has a text field; trimmed, and empty for anything else. */
export function textOf(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

function condition(
	label: string,
	placeholder: string,
	description: string,
	read: (text: string, given: Given) => Condition,
): Field<Condition> {
	return field(label, { placeholder, description }, (given) => {
		const text = textOf(given.value);
		if (text === '') return given.refuse('is empty', 'Enter a value, or remove the condition.');
		return holdsLiteral(text) ? given.refuse(...LITERAL) : read(text, given);
	});
}

function readDecimal(text: string, refuse: Refuse): string {
	return isDecimal(text) ? text : refuse(`${quote(text)} is not valid`, DECIMAL_FIX);
}

/** Reads comma-separated entries, trimmed. Separated otherwise, they would be one that nothing ever matches. */
function entries(read: (entries: string[], given: Given) => Condition, separator = /[;|]/) {
	return (text: string, given: Given): Condition => {
		const found = text
			.split(/[,\n]/)
			.map((entry) => entry.trim())
			.filter((entry) => entry !== '');
		if (found.length === 0)
			return given.refuse('has no entries, only commas', 'Enter a value, or remove the condition.');
		const odd = found.find((entry) => separator.test(entry));
		return odd === undefined
			? read(found, given)
			: given.refuse(`holds ${quote(odd)}`, 'Separate the entries by commas.');
	};
}

function readMccRange(entry: string, refuse: Refuse): readonly [first: number, last: number] {
	const [, from, to = from] = /^(\d{4})(?:\s*-\s*(\d{4}))?$/.exec(entry) ?? [];
	return Number(from) <= Number(to)
		? [Number(from), Number(to)]
		: refuse(
				`must be 4-digit codes or ranges such as 6010-6012, not ${quote(entry)}`,
				'Separate them by commas.',
			);
}

/**
 * `bill_amount` between two decimals, both inclusive, compared exactly (§1.3). An absent bound is open. What a negative
 * amount means is not shown (§6.5): only a rule that begins below zero reads one.
 */
function isBetween(from: string | undefined, to: string | undefined): Condition {
	const readsNegative = compareDecimals(from ?? '0', '0') < 0;
	return ({ bill_amount: amount }) => {
		if (!isDecimal(amount)) return 'unreadable';
		if (compareDecimals(amount, '0') < 0 && !readsNegative) return 'unreadable';
		if (from !== undefined && compareDecimals(amount, from) < 0) return false;
		return to === undefined || compareDecimals(amount, to) <= 0;
	};
}

/** The string at this path is one of the entries. */
function isOneOf(
	path: string,
	entries: readonly string[],
	letterCase: 'exact' | 'any case',
): Condition {
	const fold = (text: string) => (letterCase === 'exact' ? text : text.toLowerCase());
	const wanted = new Set(entries.map(fold));
	return (data) => {
		const text = textAt(data, path);
		return text === undefined ? 'unreadable' : wanted.has(fold(text));
	};
}

/** The merchant category code is in one of the ranges, both ends included. */
function mccIsIn(ranges: ReadonlyArray<readonly [first: number, last: number]>): Condition {
	return (data) => {
		const code = textAt(data, 'merchant_data.mcc_code') ?? '';
		if (!/^\d{4}$/.test(code)) return 'unreadable';
		return ranges.some(([first, last]) => first <= Number(code) && Number(code) <= last);
	};
}

/** The merchant's name contains the text, case-insensitive. */
function nameContains(part: string): Condition {
	return (data) => {
		const name = textAt(data, 'merchant_data.name');
		return name === undefined ? 'unreadable' : name.toLowerCase().includes(part.toLowerCase());
	};
}

/** A string that is not empty, trimmed; own fields only, so that nothing inherited is ever read. */
function textAt(data: object, path: string): string | undefined {
	let value: unknown = data;
	for (const key of path.split('.')) {
		if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
		value = value[key];
	}
	return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
