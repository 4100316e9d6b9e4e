import lodash from 'lodash';

import { CONDITIONS, readCondition, type Finding } from '../../../nodes/shared/rules/conditions.ts';
import { COUNTRIES } from '../../../nodes/shared/rules/countries.ts';
import { CURRENCIES } from '../../../nodes/shared/rules/currencies.ts';
import { CONDITION_SAMPLES } from '../../samples/conditions.mts';
import { sampleEvent } from '../../simulator/index.mts';
import { countryCodes } from '../../tools/docs/isoCodes.mts';
import { eachRow } from '../reading.mts';

/** Findings of a condition for real authorizations in which one value is changed. */
function findings(name: string, entered: unknown, path: string, values: unknown[]): Finding[] {
	const { data } = sampleEvent('cards.authorization');
	expect(data).toHaveProperty(path);
	const test = readCondition(name, entered);
	if (typeof test === 'string') throw new Error(test);
	return values.map((value) => test(lodash.set(structuredClone(data), path, value)));
}

/** Values that no condition can read. */
const NONE = [undefined, null, '', ' ', '\u200b', {}, ['x'], true];

const CASES = ['path', 'entered', 'matches', 'differs', 'unreadable', 'refused'] as const;

it('the samples are of the conditions, in the order of the panel', () => {
	expect(Object.keys(CONDITION_SAMPLES)).toEqual(Object.keys(CONDITIONS));
});

describe.each(Object.keys(CONDITIONS))('%s', (name) => {
	const sample = CONDITION_SAMPLES[name]!;

	it('has a whole sample in test/samples', () => {
		expect(CASES.filter((each) => lodash.isEmpty(sample?.[each]))).toEqual([]);
	});

	it('matches, does not match, or cannot read a purchase', () => {
		const { path, entered, matches, differs, unreadable } = sample;
		const of = (values: unknown[]) => findings(name, entered, path, values);
		expect(of(matches)).toEqual(matches.map(() => true));
		expect(of(differs)).toEqual(differs.map(() => false));
		expect(of(unreadable)).toEqual(unreadable.map(() => 'unreadable'));
		expect(of(NONE)).toEqual(NONE.map(() => 'unreadable'));
		const test = readCondition(name, entered) as (data: unknown) => Finding;
		expect(test(Object.create(lodash.set({}, path, matches[0])))).toBe('unreadable');
	});

	it('refuses an entry, and says what to enter', () => {
		const [entry, message] = sample.refused;
		expect(readCondition(name, entry)).toBe(message);
	});
});

/** Entries besides those of the samples. */
eachRow<[name: string, entered: unknown, yes: unknown[], no: unknown[]]>(`
	amountTo | 250 | ["250.00"] | ["250.01"]
	cardIds | ["a","b"] | ["A","B\\u200b"] | ["a, b","c"]
	cardIds | 00 12 345 | ["00 12 345"] | ["0012345"]
	channels | Card not  present, e-commerce | ["card not present","E–COMMERCE"] | ["POS"]
	mccCodes | 6010 – 6012, 0742 | ["6011","742",742,"0742"] | ["6013","743"]
	mccCodes | 6010−6012 | ["6012"] | ["6009"]
	merchantCountries | 36, 8, 76 | ["AUS","036",36,"ALB","008","8","BRA"] | ["ESP","360"]
	merchantCountries | Xk, ANT | ["XKX","XKK","QZZ","983","AN","530"] | ["SRB","NLD"]
	merchantTypes | ["airlines","fuel"] | ["3000","4511"," 5542 "] | ["3351","5983"]
`)('%s: %j', (name, entered, yes, no) => {
	const { path } = CONDITION_SAMPLES[name]!;
	const expected = [...yes.map(() => true), ...no.map(() => false)];
	expect(findings(name, entered, path, [...yes, ...no])).toEqual(expected);
});

eachRow<[entered: string, name: string]>(`
	PAYPAL * | PAYPAL *EBAY
	PAYPAL *EBAY | PAYPAL *EBAY 17
	SQ * | SQ *UBER TRIP
	*casino* | BIG CASINO 7
	&pizza | &PIZZA 12
	#1 Nails | THE #1  NAILS
	.com | BET365.COM
	ドン・キホーテ | ドン・キホーテ 渋谷
	Toys "R" Us | TOYS "R" US 77
	Shop (UK) | SHOP (UK) LTD
	"[TO]BIKE" | "[TO]BIKE TORINO"
	Amazon.com, Inc. | AMAZON.COM, INC. 12
	"tea; books\\nlibros" | Coffee & Books
	Cafe | CAFÉ
	Café Nero | CAFE NERO LONDON
	Café | "CAFE\\u0301 SOL"
	bet 365 | "BET\\u00a0 365"
	Bet-at-home | BET–AT−HOME
	Betano™ | BETANO SPORTS
	Acme | ACME® Shop
	McDonald’s | MCDONALD'S 12
	digital | DİGİTAL
	straße | STRASSE 1
	Großspiel | GROẞSPIEL
	Małpka Express | MALPKA EXPRESS
	FOTEX | Føtex City
	Cœur de Blé | COEUR DE BLE
	Đakovo | DAKOVO
	AERO | Ærø
	ｆｕｌｌ | Full width
	Καφες | ΚΑΦΕΣΑΚΙ
	ЁЛКА | елка
	casino | "CAS\\u200bI\\u00adN\\u0000\\ufeffO"
`)('the merchant name "%s" is found in %j', (entered, name) => {
	const names = [name, 'LUCKY SLOTS INC.'];
	expect(findings('merchantNames', entered, 'merchant_data.name', names)).toEqual([true, false]);
});

/** Entries that could never match, or would match something else. */
const REFUSED: Record<string, unknown[]> = {
	amountTo: ['1,000', '-1', '', '1e3', '250 USD', "1'000", '5, 6', ' ', null],
	currencies: [
		...['RMB', '840', 'USD，EUR', 'ZZZ', 'USDC', '', 'USD,', '"USD"'],
		...['HRK', 'ANG', 'BGN', 'XSU', 'XDR', 'XAU', 'CLF'],
	],
	merchantCountries: ['UK', 'IRI', 'Spain', '"RU, PRK"', '(RU)', 'RU PRK', '999'],
	mccCodes: ['541', '54110', '6012-6010', '"7995"', '7995;7800', '7800..7802', 7995.5],
	merchantTypes: [[], ['casino'], ['gambling', 'constructor'], '7995', null],
	merchantNames: [
		...['"bar"', "'bar'", '`bar`', '“bar”', '„bar“', '»bar«', '＂bar＂', '「カジノ」'],
		...['(uk)', '<casino>', '{casino}', 'bar, "casino"', '"casino, bar"', '(casino, bar)'],
		...['"casino', 'casino"', '[casino', 'casino)', "'m", '["casino", "bar"]'],
		...['*', 'a\n\nb', 'a;;b', '™', '', ';'],
	],
	cardIds: ['[c-1]', '"c-1"', '‚c-1‘', "'m", 'c-*', undefined, null, {}, 'c-1;c-2'],
	merchantIds: ['m1\nm2', '(m1)', ''],
	channels: ['POS*', '"POS"', '(POS)', 'POS\nATM', 'POS、ATM'],
	nope: ['x'],
	constructor: ['x'],
};

it.each(Object.entries(REFUSED))('%s has a problem with each entry of %j', (name, entered) => {
	for (const each of entered)
		expect(readCondition(name, each)).toMatch(/ holds | is not a condition/);
});

it('the currencies are those of Unicode, without former ones, funds and units of account', () => {
	const gone = ['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'ZWL', 'XDR', 'XSU', 'CLF'];
	const listed = Intl.supportedValuesOf('currency').filter((code) => !gone.includes(code));
	// Unicode lacks the second currency of Venezuela.
	expect([...CURRENCIES]).toEqual([...listed, 'VED'].sort());
});

it('the countries are those of i18n-iso-countries, with further codes of two', () => {
	for (const codes of countryCodes())
		for (const code of codes.split(' ')) expect(COUNTRIES.get(code)).toBe(codes.slice(3, 6));
	expect(COUNTRIES.size).toBe(3 * countryCodes().length + 5);
});
