import type { INodePropertyOptions } from 'n8n-workflow';

import { compareDecimals, isDecimal } from '../decimal';
import { entryOf, valueAt } from '../isObject';
import { COUNTRIES } from './countries';
import { MERCHANT_TYPES } from './merchantTypes';

/** `unreadable`: the purchase lacks the value, or has it in another form. */
export type Finding = boolean | 'unreadable';

/** Test of one value. `Entry` is what the user enters, `Value` what the purchase has. */
interface Form<Entry, Value> {
	/** Valid entries, for a message. */
	called: string;
	/** Undefined for an entry that could never match. */
	entry(text: string): Entry | undefined;
	/** Undefined if unreadable. */
	value(given: string): Value | undefined;
	matches(entry: Entry, value: Value): boolean;
	/** True if only one entry makes sense. */
	isSingle?: true;
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
}

const form = <Entry, Value>(of: Form<Entry, Value>) => of as Form<unknown, unknown>;

/** `bill_amount` against a bound, exactly (§1.3). The meaning of a negative amount is not documented: it is unreadable. */
const amount = (holds: (order: number) => boolean) =>
	form({
		called: 'an amount such as 250.00',
		isSingle: true,
		entry: (text) => (isAmount(text) ? text : undefined),
		value: (given) => (isAmount(given) ? given : undefined),
		matches: (bound, given) => holds(compareDecimals(given, bound)),
	});

const isAmount = (text: string) => isDecimal(text) && !text.startsWith('-');

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
		.toUpperCase();

const filled = (text: string): string | undefined => folded(text) || undefined;

const same = (entry: string, value: string) => entry === value;

/**
 * Texts, compared without differences in spelling.
 * @param odd signs of another kind of list, or of a wildcard: an entry with one of them would never match
 */
const texts = (
	called: string,
	odd: RegExp,
	matches: (entry: string, value: string) => boolean,
	cleaned = (entry: string) => entry,
) =>
	form({
		called,
		entry: (text) => (odd.test(text) ? undefined : filled(cleaned(text))),
		value: filled,
		matches,
	});

const id = texts('IDs without quotes, brackets or spaces', /["“”„<>()[\]{};|\\*，、\s]/, same);

const wholeText = texts(
	'names without quotes, brackets or slashes',
	/["“”„<>()[\]{};|\\/*，、\n]/,
	same,
);

/** Part of a name. A `*` at its end is dropped, because it means a wildcard. */
const partOfText = texts(
	'parts of names, without quotes or brackets around them',
	/[[\]{};|\\，、\n]/,
	(entry, name) => name.includes(entry),
	(entry) => entry.replace(/\*+$/, ''),
);

/** Currencies that exist no more. `Intl` still knows them. */
const FORMER = ['CUC', 'HRK', 'SLL', 'ZWL'];

/** Currencies in use (ISO 4217), without metals and funds. `Intl` lacks the second one of Venezuela. */
const CURRENCIES: ReadonlySet<string> = new Set(
	[...Intl.supportedValuesOf('currency'), 'VED'].filter((code) => !FORMER.includes(code)),
);

const currencyOf = (text: string) =>
	/^[a-z]{3}$/i.test(text.trim()) ? text.trim().toUpperCase() : undefined;

const currency = form({
	called: 'codes of ISO 4217 such as USD',
	entry: (text) => {
		const code = currencyOf(text);
		return code !== undefined && CURRENCIES.has(code) ? code : undefined;
	},
	value: currencyOf,
	matches: same,
});

/** ES, ESP and 724 are one country, because the document does not say in which form it comes (§6.5). */
const countryOf = (text: string) => COUNTRIES.get(text.trim().toUpperCase());

const country = form({
	called: 'codes of ISO 3166 such as ESP',
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
		entry(text) {
			const ranges = (codesOf(text) ?? '').split(', ').map((codes) => {
				const [, from, to = from] = /^(\d{4})(?: ?[\p{Pd}\u2212] ?(\d{4}))?$/u.exec(codes) ?? [];
				return from !== undefined && from <= to!
					? ([Number(from), Number(to)] as const)
					: undefined;
			});
			return ranges.every((range) => range !== undefined) ? ranges : undefined;
		},
		value: (given) => (/^\d{1,4}$/.test(given.trim()) ? Number(given) : undefined),
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
		form: id,
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
		form: mcc('codes of four digits, or ranges such as 6010-6012', (entry) => entry),
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
		form: id,
	},
	merchantNames: {
		label: 'Merchant Names',
		path: 'merchant_data.name',
		placeholder: 'e.g. airlines, casino',
		description: 'Comma-separated texts. The name of the merchant must contain one of them.',
		form: partOfText,
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

/** Quotes or brackets around an entry or a list. Such an entry would never match. Languages open and close differently. */
const AROUND = /^[\p{Ps}\p{Pi}\p{Pf}<"'`].*[\p{Pe}\p{Pi}\p{Pf}>"'`]$/su;

/** Reads one condition. Returns a problem, as a sentence, if it could match more or less than its author meant. */
export function readCondition(name: string, given: unknown): Test | string {
	const condition = Object.hasOwn(CONDITIONS, name) ? CONDITIONS[name] : undefined;
	if (condition === undefined) return `${name} is not a condition of this node. Remove it.`;
	const { label, path, form, choices } = condition;
	const whole = String(given ?? '').trim();
	const list =
		form.isSingle || AROUND.test(whole) ? [whole] : whole.split(',').map((text) => text.trim());
	const entries = list.map((text) => (AROUND.test(text) ? undefined : form.entry(text)));
	const wrong = list[entries.indexOf(undefined)];
	if (wrong !== undefined)
		return `${label} holds ${wrong === '' ? 'an empty entry' : `"${wrong}"`}. ${choices ? 'Choose' : 'Enter'} ${form.called}${form.isSingle || choices ? '' : ', separated by commas'}.`;
	return (data) => {
		const value = read(form, valueAt(data, path));
		return value === undefined ? 'unreadable' : entries.some((entry) => form.matches(entry, value));
	};
}

/** Longest value in characters that is compared. The rules would need minutes for one of many megabytes. */
const LONGEST_VALUE = 1_000;

/** Reads the value of a purchase. IDs and codes may come as numbers, but JSON has rounded one above 2^53. */
function read({ value, isSingle }: Form<unknown, unknown>, given: unknown): unknown {
	const isText = typeof given === 'string' || (Number.isSafeInteger(given) && !isSingle);
	return isText && String(given).length <= LONGEST_VALUE ? value(String(given)) : undefined;
}
