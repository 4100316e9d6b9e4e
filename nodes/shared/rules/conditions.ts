import type { INodePropertyOptions } from 'n8n-workflow';

import { compareDecimals, isDecimal } from '../decimal';
import { entryOf, valueAt } from '../isObject';
import { COUNTRIES } from './countries';
import { CURRENCIES } from './currencies';
import { MERCHANT_TYPES } from './merchantTypes';

/** `unreadable`: the purchase lacks the value, or has it in another form. */
export type Finding = boolean | 'unreadable';

/** Test of one value. `Entry` is what the user enters, `Value` what the purchase has. */
interface Form<Entry, Value> {
	/** Valid entries, for a message. */
	called: string;
	/** Signs between entries. Without it, only one entry makes sense. */
	separator?: RegExp;
	/** Undefined for an entry that could never match. */
	entry(text: string): Entry | undefined;
	/** Undefined if unreadable. */
	value(text: string): Value | undefined;
	matches(entry: Entry, value: Value): boolean;
}

/** Condition of a rule. The panel, the checks and the evaluation come from this table. */
interface Condition {
	label: string;
	/** Value of `data` that is tested. */
	path: string;
	placeholder?: string;
	description: string;
	form: Form<unknown, unknown>;
	/** Entries to choose from. Without it, the user types them. */
	choices?: INodePropertyOptions[];
	/** Lines of the field. */
	rows?: number;
}

const COMMAS = /,/;

const form = <Entry, Value>(of: Form<Entry, Value>) => of as Form<unknown, unknown>;

/** `bill_amount` against a bound, exactly (§1.3). The meaning of a negative amount is not documented: it is unreadable. */
const amount = (holds: (order: number) => boolean) =>
	form({
		called: 'an amount such as 250.00',
		entry: amountOf,
		value: amountOf,
		matches: (bound, billed) => holds(compareDecimals(billed, bound)),
	});

const amountOf = (text: string) => (isDecimal(text) && !text.startsWith('-') ? text : undefined);

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** One or two letters, such as `L` and `OE`. */
const BASES = LETTERS.flatMap((first) => ['', ...LETTERS].map((second) => first + second));
const { compare } = new Intl.Collator('en', { sensitivity: 'base' });
const known = new Map<string, string>();

/** Base of a letter that Unicode does not decompose, as dictionaries sort it: Ł is an L, Œ is OE. */
function baseOf(letter: string): string {
	const base = known.get(letter) ?? BASES.find((each) => compare(each, letter) === 0) ?? letter;
	known.set(letter, base);
	return base;
}

/** Text without differences in letter case, width, accents, dashes, apostrophes, spaces and invisible characters. */
const folded = (text: string): string =>
	text
		.replace(/[™®©]/g, '')
		.normalize('NFKD')
		.replace(/[\u0300-\u036f]/g, '')
		.normalize('NFKC')
		.replace(/\ufeff|(?!\s)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
		.replace(/[\p{Pd}\u2212]/gu, '-')
		.replace(/[‘’ʼ]/g, "'")
		.replace(/\s+/g, ' ')
		.trim()
		.toLowerCase()
		.toUpperCase()
		.replace(/(?![A-Z])\p{Script=Latin}/gu, baseOf);

const filled = (text: string): string | undefined => folded(text) || undefined;

const same = (entry: string, value: string) => entry === value;

/** Texts that are compared as a whole. A wildcard or a sign of another list would never match. */
const wholeText = form({
	called: 'them without quotes, brackets or asterisks, separated by commas',
	separator: COMMAS,
	entry: (text) => (/[*;，、\n]/.test(text) ? undefined : filled(text)),
	value: filled,
	matches: same,
});

/** Parts of names. A `*` at an end is dropped, because it means a wildcard. */
const partOfText = form({
	called: 'parts of names without quotes or brackets around them, one a line',
	separator: /[;\n]/,
	entry: (text) => filled(text.replace(/^\*+|\*+$/g, '')),
	value: filled,
	matches: (entry, name) => name.includes(entry),
});

const currencyOf = (text: string) =>
	/^[a-z]{3}$/i.test(text.trim()) ? text.trim().toUpperCase() : undefined;

const currency = form({
	called: 'codes of ISO 4217 such as USD, separated by commas',
	separator: COMMAS,
	entry: (text) => [currencyOf(text)].find((code) => code !== undefined && CURRENCIES.has(code)),
	value: currencyOf,
	matches: same,
});

/** ES, ESP and 724 are one country, because the document does not say in which form it comes (§6.5). 008 may come as 8. */
function countryOf(text: string): string | undefined {
	const code = text.trim().toUpperCase();
	return COUNTRIES.get(/^\d+$/.test(code) ? code.padStart(3, '0') : code);
}

const country = form({
	called: 'codes of ISO 3166 such as ESP, separated by commas',
	separator: COMMAS,
	entry: countryOf,
	value: countryOf,
	matches: same,
});

/**
 * Merchant category codes.
 * @param codesOf codes and ranges of an entry, such as `7800-7802, 7995`
 */
const mcc = (called: string, codesOf: (entry: string) => string | undefined) =>
	form({
		called,
		separator: COMMAS,
		entry(text) {
			const ranges = (codesOf(text) ?? '').split(', ').map((codes) => {
				const [, from, to = from] = /^(\d{4})(?: ?[\p{Pd}\u2212] ?(\d{4}))?$/u.exec(codes) ?? [];
				return from !== undefined && from <= to!
					? ([Number(from), Number(to)] as const)
					: undefined;
			});
			return ranges.every((range) => range !== undefined) ? ranges : undefined;
		},
		value: (text) => (/^\d{1,4}$/.test(text.trim()) ? Number(text) : undefined),
		matches: (ranges, code) => ranges.some(([from, to]) => from <= code && code <= to),
	});

/** Conditions by saved name, in the order of the panel. */
export const CONDITIONS: Readonly<Record<string, Condition>> = {
	amountFrom: {
		label: 'Amount From',
		path: 'bill_amount',
		placeholder: 'e.g. 0.01',
		description: 'Lowest amount, inclusive. To approve or ask, add the condition Currencies.',
		form: amount((order) => order >= 0),
	},
	amountTo: {
		label: 'Amount To',
		path: 'bill_amount',
		placeholder: 'e.g. 250.00',
		description: 'Highest amount, inclusive. To approve or ask, add the condition Currencies.',
		form: amount((order) => order <= 0),
	},
	cardIds: {
		label: 'Card IDs',
		path: 'card_id',
		placeholder: 'e.g. ca4d0000-0000-4000-8000-000000000001',
		description: 'Comma-separated',
		form: wholeText,
	},
	channels: {
		label: 'Channels',
		path: 'channel',
		placeholder: 'e.g. POS',
		description: 'Comma-separated',
		form: wholeText,
	},
	currencies: {
		label: 'Currencies',
		path: 'bill_currency_code',
		placeholder: 'e.g. USD, EUR',
		description: 'Currency codes of bill_amount (ISO 4217), comma-separated',
		form: currency,
	},
	mccCodes: {
		label: 'MCC Codes',
		path: 'merchant_data.mcc_code',
		placeholder: 'e.g. 7995, 7800-7802',
		description:
			'4-digit merchant category codes and ranges of them, comma-separated. Merchant Types has the usual ones.',
		form: mcc(
			'codes of four digits, or ranges such as 6010-6012, separated by commas',
			(entry) => entry,
		),
	},
	merchantCountries: {
		label: 'Merchant Countries',
		path: 'merchant_data.country',
		placeholder: 'e.g. ESP, PRT',
		description: 'Country codes (ISO 3166), comma-separated. ES, ESP and 724 are the same.',
		form: country,
	},
	merchantIds: {
		label: 'Merchant IDs',
		path: 'merchant_data.id',
		placeholder: 'e.g. 4445012345678',
		description: 'Comma-separated',
		form: wholeText,
	},
	merchantNames: {
		label: 'Merchant Names',
		path: 'merchant_data.name',
		placeholder: 'e.g. casino',
		description: 'One a line. The name of the merchant must contain one of them.',
		form: partOfText,
		rows: 3,
	},
	merchantTypes: {
		label: 'Merchant Types',
		path: 'merchant_data.mcc_code',
		description: 'Groups of merchant category codes (ISO 18245)',
		form: mcc('from the list', (name) => entryOf(MERCHANT_TYPES, name)?.[1]),
		choices: Object.entries(MERCHANT_TYPES)
			.map(([value, [name, codes]]) => ({ name, value, description: `MCC ${codes}` }))
			.sort((one, other) => one.name.localeCompare(other.name)),
	},
};

/** Condition as a rule has it: its entries, ready to test a purchase. */
export type Test = (data: unknown) => Finding;

/** Quote at an end, bracket around the whole, or half a pair of brackets. Such an entry would never match. */
const AT_AN_END =
	/^["'`＂＇\p{Pi}\p{Pf}]|["'`＂＇\p{Pi}\p{Pf}]$|^[\p{Ps}<](?:[^\p{Pe}>]*|.*[\p{Pe}>])$|^[^\p{Ps}<]*[\p{Pe}>]$/su;

/** Reads one condition. Returns a problem, as a sentence, if it could match more or less than its author meant. */
export function readCondition(name: string, entered: unknown): Test | string {
	const condition = entryOf(CONDITIONS, name);
	if (condition === undefined) return `${name} is not a condition of this node. Remove it.`;
	const { label, path, form, choices } = condition;
	const whole = String(entered ?? '').trim();
	const list = form.separator ? whole.split(form.separator).map((text) => text.trim()) : [whole];
	const entries = list.map((text) => (AT_AN_END.test(text) ? undefined : form.entry(text)));
	const wrong = list[entries.indexOf(undefined)];
	if (wrong !== undefined)
		return `${label} holds ${wrong === '' ? 'an empty entry' : `"${wrong}"`}. ${choices ? 'Choose' : 'Enter'} ${form.called}.`;
	return (data) => {
		const value = read(form, valueAt(data, path));
		return value === undefined ? 'unreadable' : entries.some((entry) => form.matches(entry, value));
	};
}

/** Longest value in characters that is compared. The rules would need minutes for one of many megabytes. */
const LONGEST_VALUE = 1_000;

/** Reads the value of a purchase. IDs and codes may come as numbers, but JSON has rounded one above 2^53. */
function read({ value, separator }: Form<unknown, unknown>, found: unknown): unknown {
	const isText = typeof found === 'string' || (Number.isSafeInteger(found) && separator);
	return isText && String(found).length <= LONGEST_VALUE ? value(String(found)) : undefined;
}
