import fc from 'fast-check';

import { codeUnanswered, decide, type Verdict } from '../../../nodes/shared/rules/decide.ts';
import { readRules } from '../../../nodes/shared/rules/read.ts';
import { sampleEvent } from '../../simulator/index.mts';

/** Saved rule. */
type Saved = Record<string, unknown>;

/** 52.35 USD, MCC 5942, ESP, Coffee & Books, POS. */
const purchase = (changes: object = {}) => ({
	...sampleEvent('cards.authorization').data,
	...changes,
});

/** Rules that can be published. */
function rulesOf(saved: Saved[]) {
	const { rules, problems } = readRules({ rule: saved });
	expect(problems).toEqual([]);
	return rules;
}

/** Response code and its reason, as one text. */
const inWords = ({ ruling, source, rule }: Verdict): string =>
	[ruling === 'ask' ? ruling : ruling.code, source, rule].join(' ').trim();

const rule = (name: string, decision: string, conditions: object, more: Saved = {}): Saved => ({
	name,
	decision,
	conditions,
	...more,
});
const USD = { currencies: 'USD' };
const small = rule('small', 'approve', { amountTo: '60', ...USD });
const books = rule('books', 'other', { mccCodes: '5942' }, { responseCode: '62' });
const tiny = rule('tiny', 'approve', { amountTo: '1', ...USD });
const gambling = rule('gambling', 'decline', { mccCodes: '7995, 7800-7802' });

describe('decision', () => {
	it.each<[verdict: string, rules: Saved[], changes?: object]>([
		['00 rule small', [tiny, small, books]],
		['62 rule books', [gambling, books, small]],
		['05 rule gambling', [gambling, small], { merchant_data: { mcc_code: '7801' } }],
		// An amount without its currency approves nothing.
		['91 default', [small], { bill_currency_code: 'KWD' }],
		['05 unreadable gambling', [gambling, small], { merchant_data: null }],
		['05 rule Rule 2', [tiny, { decision: 'decline', conditions: {}, name: ' ' }]],
		// n8n omits values that equal the default.
		['05 rule saved', [{ name: 'saved' }]],
		['05 rule saved', [{ name: 'saved', decision: 'other' }]],
	])('%s', (...[verdict, saved, changes]) => {
		expect(inWords(decide(purchase(changes), rulesOf(saved), { code: '91' }))).toBe(verdict);
	});

	it('an observe-only rule never decides or asks, and says what it would have answered', () => {
		const seen = { observeOnly: true };
		const rules = rulesOf([
			rule('approves', 'approve', { amountTo: '60', ...USD }, seen),
			rule('asks', 'ask', USD, seen),
			rule('matches nothing', 'decline', { mccCodes: '7995' }, seen),
			rule('needs a country', 'approve', { merchantCountries: 'ESP' }, seen),
			books,
			rule('below', 'decline', {}, seen),
		]);
		const data = purchase({ merchant_data: { mcc_code: '5942' } });
		const observed = [
			{ rule: 'approves', response_code: '00' },
			{ rule: 'asks', response_code: null },
			{ rule: 'needs a country', response_code: '05' },
		];
		const decided = { ruling: { code: '62' }, source: 'rule', rule: 'books', observed };
		expect(decide(data, rules, { code: '05' })).toEqual(decided);
		expect(decide(data, rules.slice(0, 4), { code: '05' }).observed).toEqual(observed);
	});
});

describe('saved rules', () => {
	const problems = (saved: unknown) => readRules({ rule: [saved] }).problems.length;

	it.each<[number, Saved]>([
		[0, small],
		[1, rule('no currency', 'approve', { amountTo: '250' })],
		[1, rule('no currency', 'ask', { amountFrom: '250' })],
		[0, rule('declines in any currency', 'decline', { amountFrom: '250' })],
		[1, rule('approves everything', 'approve', {})],
		[1, rule('asks everything', 'ask', {})],
		[1, { decision: 'approve' }],
		[0, rule('declines everything', 'decline', {})],
		[1, rule('upside down', 'decline', { amountFrom: '9.5', amountTo: '9' })],
		[1, rule('upside down', 'decline', { amountFrom: '500 ', amountTo: 50 })],
		[1, rule('upside down', 'decline', { amountFrom: 500, amountTo: '50' })],
		[0, rule('one amount', 'decline', { amountFrom: '9.50', amountTo: '9.5' })],
		[1, rule('observes', 'decline', {}, { observeOnly: 'true' })],
		[1, rule('observes', 'decline', {}, { observeOnly: null })],
		[1, rule('typo', 'aprove', USD)],
		[1, rule('unknown', 'decline', { nope: 'x' })],
		[2, rule('two', 'decline', { currencies: 'RMB', mccCodes: '54' })],
		[1, rule('approves', 'other', USD, { responseCode: '85' })],
		[1, rule('no code', 'other', USD, { responseCode: '51 ' })],
		[1, rule('no code', 'other', USD, { responseCode: null })],
		[0, rule('declines', 'other', USD, { responseCode: 'N7' })],
	])('%d problems: %j', (count, saved) => {
		expect(problems(saved)).toBe(count);
	});

	it.each([null, undefined, 'rules', [], { rule: {} }, { rule: '={{ $vars.rules }}' }])(
		'%j cannot be read as rules',
		(given) => {
			expect(readRules(given)).toEqual({ rules: [], problems: [expect.any(String)] });
		},
	);

	it.each([{}, { rule: [] }, { rule: undefined }])('%j are no rules', (given) => {
		expect(readRules(given)).toEqual({ rules: [], problems: [] });
	});

	it.each([null, 'x', [], 5])('%j in place of a rule approves nothing', (given) => {
		const { rules } = readRules({ rule: [given] });
		expect(decide(purchase(), rules, { code: '00' }).ruling).toEqual({ code: '05' });
	});
});

/** Purchase with values that anybody can compare, or without them. */
const anyPurchase = fc.record({
	bill_amount: fc.constantFrom(
		'0.00',
		'49.99',
		'50',
		'50.00',
		'50.01',
		'1000',
		'-1',
		'',
		undefined,
	),
	bill_currency_code: fc.constantFrom('USD', 'EUR', 'usd', undefined),
	channel: fc.constantFrom('POS', 'atm', undefined),
	merchant_data: fc.constantFrom({ mcc_code: '7995' }, { mcc_code: '5411' }, {}, undefined),
});
type AnyPurchase = typeof anyPurchase extends fc.Arbitrary<infer Its> ? Its : never;

const anyRule = fc.record({
	decision: fc.constantFrom('approve', 'decline', 'ask'),
	observeOnly: fc.boolean(),
	conditions: fc.record(
		{
			currencies: fc.constantFrom('USD', 'USD, EUR'),
			amountTo: fc.constantFrom('50', '50.0', '999.99'),
			channels: fc.constantFrom('POS', 'ATM'),
			mccCodes: fc.constantFrom('7995', '5400-5499'),
		},
		{ requiredKeys: ['currencies'], noNullPrototype: true },
	),
});
type AnyRule = typeof anyRule extends fc.Arbitrary<infer Its> ? Its : never;

/** Value of a purchase as this test compares it. Undefined if no rule can read it. */
const VALUES: Record<string, (of: AnyPurchase) => unknown> = {
	currencies: (of) => of.bill_currency_code?.toUpperCase(),
	amountTo: (of) => (/^\d/.test(of.bill_amount ?? '') ? Number(of.bill_amount) : undefined),
	channels: (of) => of.channel?.toUpperCase(),
	mccCodes: (of) => (of.merchant_data as { mcc_code?: string } | undefined)?.mcc_code,
};

const CODES: Record<string, string> = { approve: '00', decline: '05', ask: 'ask' };

/** Naive answer and its reason: a rule that needs what is missing declines, unless one of its conditions is false. */
function naive(of: AnyPurchase, rules: AnyRule[], otherwise: string, asking: boolean): string {
	for (const [at, { decision, observeOnly, conditions }] of rules.entries()) {
		const found = Object.entries(conditions).map(([name, entered]) => {
			const value = VALUES[name]!(of);
			if (value === undefined) return undefined;
			if (name === 'amountTo') return (value as number) <= Number(entered);
			if (name === 'mccCodes') return (value === '7995') === (entered === '7995');
			return String(entered).split(', ').includes(String(value));
		});
		if (observeOnly || found.includes(false)) continue;
		if (found.includes(undefined)) return `05 unreadable Rule ${at + 1}`;
		if (decision === 'ask' && !asking) continue;
		return `${CODES[decision]} rule Rule ${at + 1}`;
	}
	return `${otherwise} default`;
}

it('any rules decide any purchase as a naive reading of them does', () => {
	fc.assert(
		fc.property(anyPurchase, fc.array(anyRule, { maxLength: 5 }), (of, saved) => {
			const rules = rulesOf(saved);
			expect(inWords(decide(of, rules, { code: '96' }))).toBe(naive(of, saved, '96', true));
			expect(inWords(decide(of, rules, 'ask'))).toBe(naive(of, saved, 'ask', true));
			const [unanswered] = naive(of, saved, '91', false).split(' ');
			expect(codeUnanswered(of, rules, { code: '91' })).toBe(unanswered);
		}),
		{ numRuns: 1_000 },
	);
});
