import { compareDecimals, DECIMAL_FIX, isDecimal } from '../../shared/decimal';
import {
	field,
	LITERAL,
	type Field,
	type FieldContext,
	type Refuse,
	type Ui,
} from '../../shared/fields/field';
import { InvalidFieldError, orInvalid, quote } from '../../shared/fields/invalidField';
import { holdsLiteral, isEmpty, sourceFrom } from '../../shared/fields/source';
import { CARD_ID_EXAMPLE } from '../../shared/fields/text';
import { isObject } from '../../shared/isObject';
import { countries, currencies, sameCountry, type Codes } from './codes';

/** Result of a condition. `unreadable`: the value to check is missing or has another form. */
export type Finding = boolean | 'unreadable';

type Data = Readonly<Record<string, unknown>>;

export interface Condition {
	examine(data: Data): Finding;
	/** Finds entries that can never match, because the value in `data` has another form. Undefined if there are none. */
	unlike?(data: Data): { entries: string[]; value: string } | undefined;
}

/** Valid forms of entries. An entry in another form could never match. */
const FORMS = {
	cardId: /^(?!(?:all|any)$)[a-z\d][a-z\d._:-]*$/i,
	/** A channel may contain a space. Any name is accepted, because not all channels are documented (§6.5). */
	channel: /^(?!(?:all|any)$)[a-z\d][a-z\d ._-]*$/i,
	currency: /^[a-z]{3}$/i,
	country: /^(?:[a-z]{2,3}|\d{3})$/i,
	merchantId: /^[a-z\d][a-z\d._:/-]*$/i,
	/** Any dash, because documents print ranges with a long one. */
	mccRange: /^(\d{4})(?: ?[\p{Pd}\u2212] ?(\d{4}))?$/u,
	/**
	 * Letters of any script, and signs that merchants use. The first character must be a letter or digit. A `*` or `%` at
	 * the end would be meant as a wildcard.
	 */
	merchantName:
		/^(?!.*\p{Default_Ignorable_Code_Point})(?!.*[*%]$)[\p{L}\p{N}][\p{L}\p{M}\p{N} '/&.*#+!@:_$%?=-]*$/u,
};

/** Maximum number of lists of one kind that are kept. */
const MOST_LISTS = 100;

/** Every entry names something, so that none of them can be "null". */
const NAMES = { isName: true };

/** Hint that `bill_amount` is in the currency of the bill (§6.5), so 250 may be dollars or pesos. */
const ANY_CURRENCY = 'In any currency, unless the rule has the condition Currencies';

/** Conditions that a rule can have, by saved name. */
export const CONDITIONS: Record<string, Field<Condition>> = {
	amountFrom: condition(
		'Amount From',
		{
			placeholder: 'e.g. 0.01',
			description: 'Lowest amount, inclusive. Compared with bill_amount.',
			hint: ANY_CURRENCY,
		},
		(text, { source, refuse }) => {
			const from = readDecimal(text, refuse);
			const to = typedText(source.get('amountTo'));
			return isDecimal(to) && compareDecimals(from, to) > 0
				? refuse('must not be greater than Amount To', 'Change one of them.')
				: isBetween(from, undefined);
		},
	),
	amountTo: condition(
		'Amount To',
		{
			placeholder: 'e.g. 250.00',
			description: 'Highest amount, inclusive. Compared with bill_amount.',
			hint: ANY_CURRENCY,
		},
		(text, { source, refuse }) => {
			const from = typedText(source.get('amountFrom'));
			return isBetween(isDecimal(from) ? from : undefined, readDecimal(text, refuse));
		},
	),
	cardIds: condition(
		'Card IDs',
		{
			placeholder: CARD_ID_EXAMPLE,
			description: 'Comma-separated, exactly as the service shows them',
		},
		listOf('IDs without quotes, brackets, slashes or spaces', inForm(FORMS.cardId), (cards) =>
			isOneOf('card_id', cards, 'exact'),
		),
	),
	channels: condition(
		'Channels',
		{ placeholder: 'e.g. POS', description: 'Comma-separated, case-insensitive' },
		listOf('names without quotes, brackets or slashes', inForm(FORMS.channel), (channels) => ({
			examine: isOneOf('channel', channels, 'any case').examine,
		})),
	),
	currencies: condition(
		'Currencies',
		{
			placeholder: 'e.g. USD, EUR',
			description: 'Currency codes of bill_amount (ISO 4217), comma-separated, case-insensitive',
		},
		listOf('codes of ISO 4217, for example USD', currencies, (codes) =>
			isOneOf('bill_currency_code', codes, 'any case', FORMS.currency),
		),
	),
	mccCodes: condition(
		'MCC Codes',
		{
			placeholder: 'e.g. 5411, 6010-6012',
			description: '4-digit merchant category codes and ranges of them, comma-separated',
		},
		listOf(
			'codes of four digits, or ranges such as 6010-6012',
			{
				...inForm(FORMS.mccRange),
				// A spreadsheet drops the zero at the beginning.
				instead: (entry) => (/^\d{3}$/.test(entry) ? `0${entry}` : undefined),
			},
			mccIsIn,
		),
	),
	merchantCountries: condition(
		'Merchant Countries',
		{
			placeholder: 'e.g. ESP, PRT',
			description:
				'Country codes (ISO 3166) as the service sends them, comma-separated, case-insensitive',
		},
		listOf('codes of ISO 3166, for example ESP', countries, (codes) =>
			isOneOf('merchant_data.country', codes.flatMap(sameCountry), 'any case', FORMS.country),
		),
	),
	merchantIds: condition(
		'Merchant IDs',
		{
			placeholder: 'e.g. 4445012345678',
			description: 'Comma-separated, exactly as the service shows them',
		},
		listOf('IDs without quotes, brackets or spaces', inForm(FORMS.merchantId), (merchants) =>
			isOneOf('merchant_data.id', merchants, 'exact'),
		),
	),
	merchantNames: condition(
		'Merchant Names',
		{
			placeholder: 'e.g. airlines, casino',
			description:
				'Comma-separated texts, case-insensitive. The name of the merchant must contain one of them.',
		},
		listOf('parts of names, without quotes or brackets', inForm(FORMS.merchantName), nameContains),
	),
};

/**
 * Reads the conditions of a rule. Refuses a condition without a value, because the rule would match more than intended.
 * @param given entered values by name
 */
export function readConditions(
	given: Readonly<Record<string, unknown>>,
): Array<Condition | InvalidFieldError> {
	const source = sourceFrom(given, undefined, {});
	return Object.keys(given).map((name) => {
		const known = Object.hasOwn(CONDITIONS, name) ? CONDITIONS[name] : undefined;
		if (known === undefined)
			return new InvalidFieldError(name, 'is not a condition that this node knows', 'Remove it.');
		return orInvalid(() => known.read(source, name));
	});
}

/** Trimmed text. Empty for other types. A number counts as text, because an expression may return one. */
export function typedText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

function condition(
	label: string,
	ui: Ui,
	read: (text: string, given: FieldContext) => Condition,
): Field<Condition> {
	return field(label, ui, (given) => {
		const { value } = given;
		const text = typedText(value);
		if (text === '' && !isEmpty(value) && typeof value !== 'string')
			return given.refuse(
				'is not a text or number',
				'Check its expression: it must give one text, with commas between several entries.',
			);
		if (text === '') return given.refuse('is empty', 'Enter a value, or remove the condition.');
		if (typeof value === 'number') given.refuseNothing(value, undefined);
		return holdsLiteral(text) ? given.refuse(...LITERAL) : read(text, given);
	});
}

function readDecimal(text: string, refuse: Refuse): string {
	return isDecimal(text) ? text : refuse(`${quote(text)} is not valid`, DECIMAL_FIX);
}

/**
 * Reads comma-separated entries. Refuses an entry in another form: it would never match, so the rule would not decline.
 * @param called description of valid entries, for a wrong one without a known right one
 */
function listOf(
	called: string,
	allowed: Pick<Codes, 'has'> & Partial<Codes>,
	read: (entries: string[], given: FieldContext) => Condition,
): (text: string, given: FieldContext) => Condition {
	const readList = (text: string, given: FieldContext): Condition => {
		const parts = text.split(',').map((part) =>
			part
				.split(/[\p{Cc}\p{Zl}\p{Zp}]/u)
				.map(plain)
				.filter((entry) => entry !== ''),
		);
		// An expression that gave nothing for one entry would make the rule decline less.
		if (parts.some((part) => part.length === 0))
			return given.refuse(
				'has an empty entry',
				'Remove the comma, or check the expression that gives the entry.',
			);
		const found = parts.flat();
		// No code means nothing.
		if (allowed.instead === undefined)
			for (const entry of found) given.refuseNothing(entry, undefined, NAMES);
		const odd = found.find((entry) => !allowed.has(entry));
		if (odd === undefined) return read(found, given);
		const right = allowed.instead?.(odd);
		const fix = right === undefined ? `Enter ${called}, separated by commas.` : `Enter ${right}.`;
		return given.refuse(`holds ${quote(odd)}`, fix);
	};
	/** Lists that were read, because the rules are read for each authorization. */
	const known = new Map<string, Condition>();
	return (text, given) => {
		const condition = known.get(text) ?? readList(text, given);
		if (known.size >= MOST_LISTS) known.clear();
		known.set(text, condition);
		return condition;
	};
}

/** Entries of this form. */
function inForm(form: RegExp): Pick<Codes, 'has'> {
	return { has: (entry) => form.test(entry) };
}

/**
 * Checks `bill_amount` against two inclusive bounds (§1.3). The meaning of negative amounts is not documented (§6.5),
 * so only a rule with a negative lower bound reads them.
 */
function isBetween(from: string | undefined, to: string | undefined): Condition {
	const readsNegative = compareDecimals(from ?? '0', '0') < 0;
	return {
		examine({ bill_amount: amount }) {
			if (!isDecimal(amount)) return 'unreadable';
			if (compareDecimals(amount, '0') < 0 && !readsNegative) return 'unreadable';
			if (from !== undefined && compareDecimals(amount, from) < 0) return false;
			return to === undefined || compareDecimals(amount, to) <= 0;
		},
	};
}

/**
 * Checks if the string at this path is one of the entries.
 * @param form valid form of the string, if codes have one. A string in another form than all entries is unreadable: no
 * entry could match it, so a rule that declines would pass over it.
 */
function isOneOf(
	path: string,
	entries: readonly string[],
	letterCase: 'exact' | 'any case',
	form?: RegExp,
): Condition {
	const folded = letterCase === 'exact' ? (text: string) => text : fold;
	const wanted = new Set(entries.map(folded));
	return {
		examine(data) {
			const text = textAt(data, path);
			if (text === undefined) return 'unreadable';
			const given = folded(text);
			if (wanted.has(given)) return true;
			if (form === undefined) return false;
			const isComparable =
				form.test(given) && entries.some((entry) => formOf(entry) === formOf(given));
			return isComparable ? false : 'unreadable';
		},
		unlike(data) {
			const value = textAt(data, path) ?? '';
			const unlike = entries.filter((entry) => formOf(entry) !== formOf(value));
			return value === '' || unlike.length === 0 ? undefined : { entries: unlike, value };
		},
	};
}

/** Form of a code: the length, and whether the code has only digits. Distinguishes `ES`, `ESP` and `724`. */
function formOf(code: string): string {
	return `${code.length}${/^\d+$/.test(code)}`;
}

/** Checks if the merchant category code is in one of the ranges. Both ends are included. */
function mccIsIn(entries: readonly string[], { refuse }: FieldContext): Condition {
	const ranges = entries.map((entry) => {
		const [, from, to = from] = FORMS.mccRange.exec(entry) ?? [];
		return Number(from) <= Number(to)
			? ([Number(from), Number(to)] as const)
			: refuse(`holds the range ${quote(entry)}`, 'Enter the lower code first.');
	});
	return {
		examine(data) {
			const code = mccOf(valueAt(data, 'merchant_data.mcc_code'));
			if (code === undefined) return 'unreadable';
			return ranges.some(([first, last]) => first <= code && code <= last);
		},
	};
}

/** Reads a merchant category code. Accepts a number, or a text without leading zeros. */
function mccOf(value: unknown): number | undefined {
	const text = typeof value === 'number' ? String(value) : value;
	return typeof text === 'string' && /^\d{1,4}$/.test(text.trim()) ? Number(text) : undefined;
}

/** Checks if the merchant's name contains one of the texts. */
function nameContains(parts: readonly string[]): Condition {
	const wanted = parts.map(fold);
	return {
		examine(data) {
			const name = textAt(data, 'merchant_data.name');
			if (name === undefined) return 'unreadable';
			const folded = fold(name);
			return wanted.some((part) => folded.includes(part));
		},
	};
}

/** Normalizes characters (NFKC), spaces and typographic apostrophes. */
function plain(text: string): string {
	return text
		.normalize('NFKC')
		.replace(/[^\S\ufeff]+/g, ' ')
		.replace(/[‘’]/g, "'")
		.trim();
}

/** Removes differences in letter case. Covers the Turkish i, the final sigma and both letters ẞ and ß. */
function fold(text: string): string {
	const lower = plain(text).toLowerCase().toUpperCase().toLowerCase();
	return lower
		.replace(/i\u0307/g, 'i')
		.replace(/ς/g, 'σ')
		.normalize('NFKC');
}

/** Invisible characters, except spaces. */
const INVISIBLE = /(?!\s)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]|\ufeff/gu;

/** String at a path, trimmed and without invisible characters. Undefined if missing or empty. */
function textAt(data: Data, path: string): string | undefined {
	const value = valueAt(data, path);
	if (typeof value !== 'string') return undefined;
	const text = value.replace(INVISIBLE, '').trim();
	return text === '' ? undefined : text;
}

/** Value at a path. Inherited properties are not read. */
function valueAt(data: Data, path: string): unknown {
	let value: unknown = data;
	for (const key of path.split('.')) {
		if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
		value = value[key];
	}
	return value;
}
