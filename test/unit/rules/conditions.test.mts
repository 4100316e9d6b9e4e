import lodash from 'lodash';

import { CONDITIONS, readCondition, type Finding } from '../../../nodes/shared/rules/conditions.ts';
import { COUNTRIES } from '../../../nodes/shared/rules/countries.ts';
import { MERCHANT_TYPES } from '../../../nodes/shared/rules/merchantTypes.ts';
import { countryCodes } from '../../tools/docs/isoCodes.mts';

/** Findings of a condition for values of the purchase. A refused condition fails the test. */
function findings(name: string, entered: unknown, values: unknown[]): Finding[] {
	const test = readCondition(name, entered);
	if (typeof test === 'string') throw new Error(test);
	return values.map((value) => test(lodash.set({}, CONDITIONS[name]!.path, value)));
}

const CARD = 'ca4d0000-0000-4000-8000-000000000001';

describe('values of a purchase', () => {
	it.each<[name: string, entered: unknown, matching: unknown[], others: unknown[]]>([
		['amountFrom', '52.35', ['52.35', '52.350', '052.36', '100', '9'.repeat(60)], ['52.34', '9']],
		['amountTo', '52.35', ['52.35', '52.350', '9', '0.00'], ['52.36', '100', '52.35000000001']],
		['amountTo', 250, ['250.00'], ['250.01']],
		['currencies', ' usd ,EUR', ['USD', 'eur', ' Usd '], ['GBP', 'KWD']],
		['mccCodes', '7995, 7800-7802', ['7995', 7995, '7800', '7801', ' 7802 '], ['7799', '7803']],
		['mccCodes', '6010 – 6012, 0742', ['6011', '742', 742, '0742'], ['6013', '743']],
		['mccCodes', '6010−6012', ['6012'], ['6009']],
		['merchantTypes', ['gambling'], ['7995', 7801, '9406'], ['7996', '5411']],
		['merchantTypes', ['airlines', 'fuel'], ['3000', '4511', ' 5542 '], ['3351', '5983']],
		[
			'merchantCountries',
			'RU, PRK',
			['RUS', 'ru', 643, '643', ' Rus ', 'KP', '408'],
			['ESP', 'US'],
		],
		['merchantCountries', '724', ['ES', 'ESP', '724'], ['PT']],
		['merchantCountries', 'Xk', ['XKX', 'XKK', 'XK', '983'], ['SRB']],
		['cardIds', CARD.toUpperCase(), [CARD, ` ${CARD} `, CARD.replaceAll('-', '–')], ['card-2']],
		['cardIds', ['a', 'b'], ['A', 'B\u200b'], ['a, b', 'c']],
		['merchantIds', '4445012345678', ['4445012345678', 4445012345678], [4445012345679, '444']],
		['channels', 'e-commerce, Card not  present', ['E–COMMERCE', 'card not present'], ['POS']],
	])('%s %j', (name, entered, matching, others) => {
		expect(findings(name, entered, matching)).toEqual(matching.map(() => true));
		expect(findings(name, entered, others)).toEqual(others.map(() => false));
	});

	it.each([
		['PAYPAL *', 'PAYPAL *EBAY'],
		['PAYPAL *EBAY', 'PAYPAL *EBAY 17'],
		['SQ *', 'SQ *UBER TRIP'],
		['*uber', 'SQ *UBER TRIP'],
		['casino*', 'BIG CASINO'],
		['&pizza', '&PIZZA 12'],
		['#1 Nails', 'THE #1  NAILS'],
		['.com', 'BET365.COM'],
		['ドン・キホーテ', 'ドン・キホーテ 渋谷'],
		['Toys "R" Us', 'TOYS "R" US 77'],
		['Shop (UK)', 'SHOP (UK) LTD'],
		['7"', 'VINYL 7" RECORDS'],
		["'t Koetje", "CAFE 'T KOETJE"],
		['tea, books', 'Coffee & Books'],
		['Cafe', 'CAFÉ'],
		['Café Nero', 'CAFE NERO LONDON'],
		['Café', 'CAFE\u0301 SOL'],
		['bet 365', 'BET\u00a0 365'],
		['Bet-at-home', 'BET–AT−HOME'],
		['Betano™', 'BETANO SPORTS'],
		['Acme', 'ACME® Shop'],
		['McDonald’s', "MCDONALD'S 12"],
		['digital', 'DİGİTAL'],
		['straße', 'STRASSE 1'],
		['Großspiel', 'GROẞSPIEL'],
		['ｆｕｌｌ', 'Full width'],
		['Καφες', 'ΚΑΦΕΣΑΚΙ'],
		['ЁЛКА', 'елка'],
		['casino', 'CAS\u200bI\u00adN\u0000\ufeffO'],
	])('the merchant name "%s" is found in %j', (entered, name) => {
		expect(findings('merchantNames', entered, [name, 'Hardware Store'])).toEqual([true, false]);
	});

	const NONE = [undefined, null, '', ' ', '\u200b', {}, ['x'], true];
	it.each<[name: string, entered: string, values: unknown[]]>([
		[
			'amountTo',
			'250',
			[...NONE, 20, '-5.00', '-0.00', '1e3', ' 20', '0x1', '1,0', '9'.repeat(70)],
		],
		['amountFrom', '0', [...NONE, 0, '-1', 'NaN']],
		['currencies', 'USD', [...NONE, 840, '840', 'US', 'US D', '₽', 'null']],
		['merchantTypes', 'gambling', [...NONE, '79955', 'x7995']],
		['mccCodes', '7995', [...NONE, '79955', 79955, 79.95, -7995, 'x7995']],
		['merchantCountries', 'ESP', [...NONE, 'Spain', 'RU-MOW', 'N/A', '64', 'UK']],
		['merchantIds', '5', [...NONE, 2 ** 60, 5.5, '5'.repeat(1_001)]],
		['merchantNames', 'x', [...NONE, '™', 2 ** 60, 'x'.repeat(1_001)]],
		['channels', 'POS', NONE],
		['cardIds', 'c-1', NONE],
	])('%s %j cannot read a value in another form', (name, entered, values) => {
		expect(findings(name, entered, values)).toEqual(values.map(() => 'unreadable'));
	});

	it('names of 1,000 characters are compared, and inherited values are not read', () => {
		expect(findings('merchantNames', 'x', ['x'.repeat(1_000)])).toEqual([true]);
		const test = readCondition('merchantNames', 'x') as (data: unknown) => Finding;
		expect(test({ merchant_data: Object.create({ name: 'x' }) as unknown })).toBe('unreadable');
	});
});

/** Entries that could never match, or would match something else. */
const REFUSED: Record<string, unknown[]> = {
	amountTo: ['1,000', '-1', '', '1e3', '250 USD', "1'000", '5, 6', ' ', null],
	currencies: ['RMB', '840', 'USD，EUR', 'HRK', 'ZZZ', 'USDC', '', 'USD,', '"USD"'],
	merchantCountries: ['UK', 'IRI', 'Spain', '"RU, PRK"', '(RU)', 'RU PRK'],
	mccCodes: ['541', '54110', '6012-6010', '"7995"', '7995;7800', '7800..7802', 7995.5],
	merchantTypes: [[], ['casino'], ['gambling', 'constructor'], '7995', null],
	merchantNames: [
		...['"casino"', "'casino'", '`casino`', '“casino”', '„casino“', '»casino«', '「カジノ」'],
		...['(uk)', '<casino>', '{casino}', 'bar, "casino"', '"casino, bar"', '(casino, bar)'],
		...['["casino", "bar"]', 'a; b', 'a|b', 'a\nb', 'a、b', '*', 'a,,b', '™', '', ','],
	],
	cardIds: ['c1 c2', '[c-1]', '"c-1"', '‚c-1‘', 'c-*', undefined, null, {}, 'c-1;c-2'],
	merchantIds: ['m1\nm2', '(m1)', ''],
	channels: ['POS/ATM', 'POS*', '"POS"', '(POS)', 'POS\nATM'],
	nope: ['x'],
	constructor: ['x'],
};

it.each(Object.entries(REFUSED))('%s has a problem with each entry of %j', (name, entered) => {
	for (const each of entered)
		expect([each, readCondition(name, each)]).toEqual([each, expect.any(String)]);
});

it('each merchant type has codes or ranges in ascending order, and a name of its own', () => {
	const types = Object.values(MERCHANT_TYPES);
	for (const [name, codes] of types) {
		const bounds = codes.split(/[-,] ?/);
		expect([name, ...[...bounds].sort()]).toEqual([name, ...bounds]);
		expect(codes).toMatch(/^\d{4}(?:-\d{4})?(?:, \d{4}(?:-\d{4})?)*$/);
	}
	expect(new Set(types.map(([name]) => name)).size).toBe(types.length);
});

it('every currency in use is accepted, those of Venezuela too', () => {
	const codes = [...Intl.supportedValuesOf('currency'), 'VED', 'XCG', 'ZWG'];
	const former = ['CUC', 'HRK', 'SLL', 'ZWL'];
	for (const code of codes.filter((each) => !former.includes(each)))
		expect(findings('currencies', code.toLowerCase(), [code])).toEqual([true]);
	expect(codes.length).toBeGreaterThan(150);
});

it('the countries are those of i18n-iso-countries, with the codes of Kosovo', () => {
	for (const codes of countryCodes())
		for (const code of codes.split(' ')) expect(COUNTRIES.get(code)).toBe(codes.slice(3, 6));
	expect(COUNTRIES.size).toBe(3 * countryCodes().length + 1);
});
