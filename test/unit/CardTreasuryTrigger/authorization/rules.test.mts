import fc from 'fast-check';

import {
	countries,
	currencies,
} from '../../../../nodes/CardTreasuryTrigger/authorization/codes.ts';
import { CONDITIONS } from '../../../../nodes/CardTreasuryTrigger/authorization/conditions.ts';
import {
	COUNTRY_CODES,
	CURRENCY_CODES,
} from '../../../../nodes/CardTreasuryTrigger/authorization/isoCodes.ts';
import { readRules, RULES } from '../../../../nodes/CardTreasuryTrigger/authorization/rules.ts';
import { sourceFrom } from '../../../../nodes/shared/fields/source.ts';
import { countryCodes, currencyCodes } from '../../../tools/docs/isoCodes.mts';

const read = (fields: object) =>
	readRules([{ name: 'r', decision: 'approve', conditions: { amountTo: '5' }, ...fields }]);

describe('problems with conditions', () => {
	it.each([
		[{ amountFrom: '1,000.50' }, 'Amount From "1,000.50" is not valid. Use digits'],
		[{ amountTo: 'x'.repeat(100) }, `Amount To "${'x'.repeat(44)}…" is not valid`],
		[{ amountFrom: '10', amountTo: '9.99' }, 'Amount From must not be greater than Amount To'],
		[
			{ mccCodes: '6012-6010' },
			'MCC Codes holds the range "6012-6010". Enter the lower code first.',
		],
		...[',', ', 5942', '5942,', '5942, ,5943', '5942,\u0000'].map((mccCodes): [object, string] => [
			{ mccCodes },
			'MCC Codes has an empty entry. Remove the comma, or check the expression that gives the entry',
		]),
		[
			{ merchantNames: 'CAS\ufeffINO' },
			'Merchant Names holds an invisible character: U+FEFF at position 4. ',
		],
		...['59', 'x5942', '5942-59431', '6010..6012', '６０１０ to 6012', '60xx', '５９４２ 5943'].map(
			(entry): [object, string] => [
				{ mccCodes: `5942, ${entry}` },
				`MCC Codes holds ${JSON.stringify(entry.normalize('NFKC'))}. Enter codes of four digits, or ranges such as 6010-6012, separated by commas.`,
			],
		),
		[{ mccCodes: '742, 6010' }, 'MCC Codes holds "742". Enter 0742.'],
		...['EUR; USD', 'EUR USD', '999', '$', 'US\u200bD'].map((entry): [object, string] => [
			{ currencies: `EUR, ${entry}` },
			`Currencies holds ${JSON.stringify(entry.normalize('NFKC'))}`,
		]),
		...['RUS  PRK', '!US', 'US-CA', 'not US', 'EUR'].map((entry): [object, string] => [
			{ merchantCountries: entry },
			`Merchant Countries holds ${JSON.stringify(entry.replace(/ +/g, ' '))}. Enter codes of ISO 3166, for example ESP`,
		]),
		...['card-1 card-2', '[card-1]', 'a/b'].map((entry): [object, string] => [
			{ cardIds: entry },
			`Card IDs holds ${JSON.stringify(entry)}. Enter IDs without quotes, brackets, slashes or spaces`,
		]),
		[{ channels: '\u200bPOS' }, 'Channels holds an invisible character: U+200B at position 1. '],
		...['POS/ATM', '“POS”'].map((entry): [object, string] => [
			{ channels: entry },
			`Channels holds ${JSON.stringify(entry).replace(/[‘’]/g, "'")}. Enter names without quotes, brackets or slashes`,
		]),
		...['"BET365"', 'BET365|CASINO', 'BET365*', 'BET.*', 'BET365%'].map(
			(entry): [object, string] => [
				{ merchantNames: `casino, ${entry}` },
				`Merchant Names holds ${JSON.stringify(entry.normalize('NFKC'))}. Enter parts of names, without quotes or brackets`,
			],
		),
		[
			{ merchantNames: 'casino, BET\u00ad365' },
			'Merchant Names holds an invisible character: U+00AD at position 4. ',
		],
		...['-', "'", 'undefined', 'null', 'NaN', 'none', 'N/A', '#N/A', 'Loading...'].flatMap(
			(entry) =>
				(['cardIds', 'channels', 'merchantIds', 'merchantNames'] as const).flatMap(
					(name): Array<[object, string]> => {
						const problem = `${CONDITIONS[name]!.label} holds "${entry}", which means nothing.`;
						return [entry, `card-1, ${entry}`].map((value) => [{ [name]: value }, problem]);
					},
				),
		),
		...['all', 'Any'].flatMap(
			(entry): Array<[object, string]> => [
				[{ cardIds: entry }, `Card IDs holds "${entry}"`],
				[{ channels: `POS, ${entry}` }, `Channels holds "${entry}"`],
			],
		),
		[{ amountTo: 'undefined' }, 'Amount To "undefined" is not valid. Use digits'],
		[{ amountFrom: NaN }, 'Amount From holds "NaN", which means nothing'],
		...[4_445_012_345_678_901_234, 2 ** 53].map((number): [object, string] => [
			{ merchantIds: number },
			`Merchant IDs is the number ${number}, which has lost digits. Pass it as text`,
		]),
		[
			{ cardIds: '{{ $vars.blocked }}' },
			'Card IDs holds {{ }} but is not an expression. Switch the field to Expression.',
		],
		[{ amountUpTo: '5' }, 'amountUpTo is not a condition'],
		[{ constructor: '5' }, 'constructor is not a condition'],
	])(
		'the conditions %j are a problem that names rule and field, and everything is declined',
		(conditions, problem) => {
			expect(read({ conditions })).toMatchObject({
				problems: [expect.stringContaining(`Rule "r": ${problem}`)],
				areUnreadable: true,
			});
		},
	);

	it.each(Object.entries(CONDITIONS).map(([name, { label }]) => [name, label] as const))(
		'%s without a value is a problem, and everything is declined',
		(field, label) => {
			for (const value of ['', '  ', undefined, null]) {
				expect(read({ conditions: { [field]: value } })).toMatchObject({
					problems: [`Rule "r": ${label} is empty. Enter a value, or remove the condition.`],
					areUnreadable: true,
				});
			}
		},
	);

	it.each(Object.entries(CONDITIONS).map(([name, { label }]) => [name, label] as const))(
		'%s with a value that is not a text or number is a problem, and everything is declined',
		(field, label) => {
			for (const value of [{}, [], ['x'], ['USD', 'EUR'], true]) {
				expect(read({ conditions: { [field]: value } })).toMatchObject({
					problems: [
						`Rule "r": ${label} is not a text or number. Check its expression: it must give one text, with commas between several entries.`,
					],
					areUnreadable: true,
				});
			}
		},
	);

	it('each of several problems has its own sentence', () => {
		const { problems, rules } = read({ conditions: { amountTo: '', mccCodes: '1' } });
		expect(problems).toHaveLength(2);
		expect(rules).toMatchObject([{ conditions: [], readable: false }]);
	});

	it.each([undefined, 'x', []])(
		'conditions that are %j are a problem, and everything is declined',
		(conditions) => {
			expect(read({ conditions })).toMatchObject({
				problems: ['Rule "r": Conditions could not be read. Check the expression, or remove them.'],
				areUnreadable: true,
			});
		},
	);
});

/** Data of an authorization with this value in the field that the condition reads. */
const at: Record<string, (value: string) => object> = {
	currencies: (bill_currency_code) => ({ bill_currency_code }),
	channels: (channel) => ({ channel }),
	cardIds: (card_id) => ({ card_id }),
	merchantCountries: (country) => ({ merchant_data: { country } }),
	merchantIds: (id) => ({ merchant_data: { id } }),
	merchantNames: (name) => ({ merchant_data: { name } }),
	mccCodes: (mcc_code) => ({ merchant_data: { mcc_code } }),
};

/** Values in the form that §6.5 and the standards behind it allow there: no list, no quotes, nothing invisible. */
const documented: Record<string, RegExp> = {
	currencies: /^[A-Z]{3}$/,
	channels: /^[ -~]+$/,
	cardIds: /^[!-~]+$/,
	merchantCountries: /^(?:[A-Z]{2,3}|\d{3})$/,
	merchantIds: /^[!-~]+$/,
	merchantNames: /^[^\p{C}"[\]{}<>;|]+$/u,
	mccCodes: /^\d{4}$/,
};

describe('accepted entry of a list', () => {
	const signs = fc.constantFrom(
		...'USD84ESP05-_. /"\'()[]{}<>;|，、\u200b\u00a0\u0301İıß$€’“'.split(''),
	);
	const typed = fc.oneof(
		fc.string({ unit: signs, minLength: 1, maxLength: 12 }),
		fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
		fc.stringMatching(/^[A-Za-z]{3}$/),
		fc.stringMatching(/^\d{3,4}$/),
		fc.stringMatching(/^\d{4}-\d{4}$/),
		fc.constantFrom(...`${COUNTRY_CODES} ${CURRENCY_CODES}`.trim().split(/\s+/)),
	);

	it('each condition is a list here, or an amount', () => {
		const names = [...Object.keys(at), 'amountFrom', 'amountTo'];
		expect(Object.keys(CONDITIONS).sort()).toEqual(names.sort());
	});

	it.each(Object.keys(at))('an accepted entry can match an authorization: %s', (name) => {
		let accepted = 0;
		fc.assert(
			fc.property(typed, (entry) => {
				fc.pre(!entry.includes(','));
				const { rules, problems } = read({ conditions: { [name]: entry } });
				if (problems.length > 0) return;
				accepted++;
				const candidate = entry.normalize('NFKC').trim().toUpperCase();
				const exact = entry.normalize('NFKC').trim();
				const values = [candidate, exact, exact.slice(0, 4)].filter((value) =>
					documented[name]!.test(value),
				);
				const found = values.map((value) =>
					rules[0]!.conditions[0]!.examine({ ...at[name]!(value) }),
				);
				expect([entry, found]).toEqual([entry, expect.arrayContaining([true])]);
			}),
			{ numRuns: 2_000 },
		);
		expect(accepted).toBeGreaterThan(20);
	});
});

describe('problems with the decision', () => {
	it.each(['', '0 0', 'OK', undefined])('%j is not a response code', (responseCode) => {
		const { problems, areUnreadable } = read({ decision: 'other', responseCode });
		expect(problems).toEqual([
			expect.stringMatching(/^Rule "r": Decline Code is (?:empty|not .* decline reason)/),
		]);
		expect(areUnreadable).toBe(true);
	});

	it.each(['05', ' 51 ', 51])('%j is a response code that declines', (responseCode) => {
		const { problems, rules } = read({ decision: 'other', responseCode });
		expect(problems).toEqual([]);
		expect(rules[0]!.ruling).toEqual({ responseCode: String(responseCode).trim() });
	});

	it.each(['00', 'SUCCESS', ' 85 '])('%j is refused, because it approves', (responseCode) => {
		expect(read({ decision: 'other', responseCode })).toMatchObject({
			problems: [expect.stringMatching(/Decline Code is \w+, which approves. Choose Approve/)],
			areUnreadable: true,
		});
	});

	it.each([undefined, 'Approve', true])('%j is not a decision', (decision) => {
		expect(read({ decision })).toMatchObject({
			problems: [
				expect.stringMatching(/^Rule "r": Decision (?:is not set|cannot be .*)\. Choose one of:/),
			],
			areUnreadable: true,
		});
	});

	it('a rule without a decision declines', () => {
		expect(readRules([{}])).toMatchObject({
			rules: [
				{ name: 'Rule 1', ruling: { responseCode: '05' }, conditions: [], observeOnly: false },
			],
			problems: [],
			areUnreadable: false,
		});
	});
});

describe('observe-only rules', () => {
	it('unreadable ones are refused, but decline nothing', () => {
		const { problems, areUnreadable } = read({ observeOnly: true, conditions: { amountTo: 'x' } });
		expect([problems.length, areUnreadable]).toEqual([1, false]);
	});

	it.each([undefined, 'true', 1])(
		'%j is not accepted as a value of Observe Only',
		(observeOnly) => {
			expect(read({ observeOnly })).toMatchObject({
				problems: [expect.stringContaining('Rule "r": Observe Only')],
				areUnreadable: true,
			});
		},
	);
});

describe('rule without conditions', () => {
	it.each([
		['approve', 'approve'],
		['ask', 'ask about'],
	])('a rule with the decision %s is refused, and everything is declined', (decision, what) => {
		for (const observeOnly of [false, true])
			expect(read({ decision, conditions: {}, observeOnly })).toEqual({
				rules: [expect.anything()],
				problems: [
					`Rule "r": It has no conditions, so it would ${what} every purchase. Add a condition, or use Default Decision.`,
				],
				areUnreadable: !observeOnly,
			});
	});

	it.each([['decline'], ['other']])('a rule with the decision %s is accepted', (decision) => {
		const { problems } = read({ decision, responseCode: '51', conditions: {} });
		expect(problems).toEqual([]);
	});
});

describe('ISO codes', () => {
	const country = (entry: string) => read({ conditions: { merchantCountries: entry } }).problems;
	const currency = (entry: string) => read({ conditions: { currencies: entry } }).problems;

	it.each([
		['UK', 'GB'],
		['UAE', 'ARE'],
		['iri', 'IRN'],
		['GER', 'DEU'],
		['EL', 'GR'],
		['ENG', 'GBR'],
		['GRB', 'GBR'],
		['ROM', 'ROU'],
		['KOS', 'XKX'],
		['DRC', 'COD'],
		['NIG', 'NER'],
		['24', '024'],
		['ESP.', 'ESP'],
		['U.S.A.', 'USA'],
		['U.K.', 'GB'],
		["'ESP'", 'ESP'],
		['Germany', 'DEU'],
		['Hong Kong', 'HKG'],
		['Great Britain', 'GBR'],
		['Czech Republic', 'CZE'],
		['Palestine', 'PSE'],
	])('the country %s is refused, and %s is suggested', (wrong, right) => {
		expect(country(`PRT, ${wrong}`)).toEqual([
			`Rule "r": Merchant Countries holds "${wrong}". Enter ${right}.`,
		]);
	});

	it.each([
		['RMB', 'CNY'],
		['nis', 'ILS'],
		['EUR€', 'EUR'],
		['€', 'EUR'],
		['US$', 'USD'],
		['us dollar', 'USD'],
		['Euro', 'EUR'],
		['978', 'EUR'],
		['RUR', 'RUB'],
		['BYR', 'BYN'],
		['HRK', 'EUR'],
		['VEF', 'VES'],
		['TUR', 'TRY'],
		['zł', 'PLN'],
		['Rand', undefined],
	])('the currency %s is refused, and %s is suggested', (wrong, right) => {
		const fix = right ?? 'codes of ISO 4217, for example USD, separated by commas';
		expect(currency(wrong)).toEqual([`Rule "r": Currencies holds "${wrong}". Enter ${fix}.`]);
	});

	it.each(['XKX', 'XKK', 'xkx'])('Kosovo, which ISO 3166 lacks, is written %s', (entry) => {
		const { rules, problems } = read({ conditions: { merchantCountries: entry } });
		expect(problems).toEqual([]);
		const finds = (code: string) =>
			rules[0]!.conditions[0]!.examine({ merchant_data: { country: code } });
		expect(['XKX', 'XKK', 'ALB', 'XK'].map(finds)).toEqual([true, true, false, 'unreadable']);
	});

	// Of Venezuela, units of account, silver, none at all, and two that ended in 2025.
	it.each(['VED', 'CHE', 'CLF', 'XAG', 'xxx', 'BGN', 'ANG'])('%s is a currency', (entry) => {
		expect(currency(entry)).toEqual([]);
	});

	it.each(['ZZZ', 'XX', '000', 'PRX', 'ZAR'])('%s is no country', (entry) => {
		expect(country(entry)).toEqual([expect.stringContaining('Enter codes of ISO 3166')]);
	});

	it.each(['DOLLAR', 'ZZZ', 'USDC'])('%s is no currency', (entry) => {
		expect(currency(entry)).toEqual([expect.stringContaining('Enter codes of ISO 4217')]);
	});

	it.each([
		['country', countries],
		['currency', currencies],
	])('a code of a %s is never taken for a mistake, and a suggestion is a code', (_, codes) => {
		const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
		const triples = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
		const suggested = triples.flatMap((code) => codes.instead(code) ?? []);
		expect(suggested.length).toBeGreaterThan(20);
		expect(suggested.filter((code) => !codes.has(code))).toEqual([]);
		expect(triples.filter((code) => codes.has(code) && codes.instead(code))).toEqual([]);
	});

	it('the list of countries is the one of i18n-iso-countries', () => {
		expect(COUNTRY_CODES.trim().split(/\s+/)).toEqual(countryCodes().join(' ').split(' '));
	});

	it('the list of currencies is the one of Intl', () => {
		const codes = CURRENCY_CODES.trim().split(/\s+/);
		// Older versions of Node.js know former currencies too, and lack the newest two.
		const unknown = codes.filter((code) => !currencyCodes().includes(code));
		expect(['XCG', 'ZWG']).toEqual(expect.arrayContaining(unknown));
		expect(codes.length).toBeGreaterThan(150);
	});
});

describe('rules parameter', () => {
	const parameter = (rules: unknown) => RULES.read(sourceFrom({ rules }, undefined, {}), 'rules');

	it.each([{}, { rule: [] }])('%j has no rules and no problems', (given) => {
		expect(parameter(given)).toEqual({ rules: [], problems: [], areUnreadable: false });
	});

	it.each([undefined, [], { rule: undefined }])('%j cannot be read', (given) => {
		expect(() => parameter(given)).toThrow('Rules could not be read');
	});

	it('a rule that is not an object declines everything', () => {
		const { problems, areUnreadable } = parameter({ rule: [null] });
		expect([problems.length, areUnreadable]).toEqual([1, true]);
	});
});
