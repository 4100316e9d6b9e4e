import fc from 'fast-check';
import lodash from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { Calculation } from '../../../nodes/CardTreasury/operations/operation.ts';
import { answerAuthorization } from '../../../nodes/CardTreasuryTrigger/answer.ts';
import { decide, decisionOf } from '../../../nodes/shared/rules/decide.ts';
import { readDeciding, readRules } from '../../../nodes/shared/rules/read.ts';
import { sampleEvent } from '../../simulator/index.mts';
import { anyOperation, eachRow, valuesOf } from '../reading.mts';

/** Saved rule. */
type Saved = Record<string, unknown>;

/** 52.35 USD, MCC 5942, ESP, Coffee & Books, POS. */
const purchase = (changes = {}) => ({ ...sampleEvent('cards.authorization').data, ...changes });

/** Settings that can be published. */
function settingsOf(saved: Saved[], more: Saved = {}) {
	const all: Saved = { rules: { rule: saved }, ...more };
	const settings = readDeciding((name, fallback) => all[name] ?? fallback);
	expect(settings.problems).toEqual([]);
	return settings;
}

/** Decision of an item as one text. */
const inWords = (decision: IDataObject): string =>
	['response_code', 'if_unanswered', 'source', 'rule']
		.flatMap((name) => (name in decision ? [decision[name]] : []))
		.join(' ');

const rule = (name: string, decision: string, conditions: object, more: Saved = {}): Saved => ({
	...{ name, decision, conditions, ...more },
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
		['05 rule Rule 2', [tiny, { decision: 'decline', conditions: {}, name: ' ' }]],
		// n8n omits values that equal the default.
		['05 rule saved', [{ name: 'saved' }]],
		['05 rule saved', [{ name: 'saved', decision: 'other' }]],
	])('%s', (...[verdict, saved, changes]) => {
		expect(inWords(decisionOf(decide(purchase(changes), settingsOf(saved))))).toBe(verdict);
	});

	it('an observe-only rule never decides or asks, and says what it would have answered', () => {
		const seen = { observeOnly: true };
		const rules = [
			rule('approves', 'approve', { amountTo: '60', ...USD }, seen),
			rule('asks', 'ask', USD, seen),
			rule('matches nothing', 'decline', { mccCodes: '7995' }, seen),
			rule('needs a country', 'approve', { merchantCountries: 'ESP' }, seen),
			books,
			rule('below', 'decline', {}, seen),
		];
		const data = purchase({ merchant_data: { mcc_code: '5942' } });
		const observed = [
			{ rule: 'approves', response_code: '00' },
			{ rule: 'asks', response_code: null },
			{ rule: 'needs a country', response_code: '05' },
		];
		expect(decisionOf(decide(data, settingsOf(rules)))).toEqual({
			...{ outcome: 'declined', response_code: '62', source: 'rule', rule: 'books', observed },
		});
		expect(decide(data, settingsOf(rules.slice(0, 4))).observed).toEqual(observed);
	});

	it('what is asked says the answer of the rules below, and nothing that they observe', () => {
		const asks = rule('asks', 'ask', USD);
		const seen = rule('seen', 'decline', USD, { observeOnly: true });
		const asked = { outcome: 'asked', rule: 'asks' };
		const approve = { fallbackDecision: 'approve' };
		for (const settings of [
			settingsOf([gambling, asks, seen, small]),
			settingsOf([asks, gambling], approve),
		])
			expect(decisionOf(decide(purchase(), settings))).toEqual({ ...asked, if_unanswered: '00' });
	});
});

describe('saved rules', () => {
	const problems = (saved: unknown) => readRules({ rule: [saved] }).problems.length;

	it.each<[number, Saved]>([
		[0, small],
		[1, rule('no currency', 'approve', { amountTo: '250' })],
		[0, rule('declines in any currency', 'decline', { amountFrom: '250' })],
		[1, rule('asks everything', 'ask', {})],
		[0, rule('declines everything', 'decline', {})],
		[1, rule('upside down', 'decline', { amountFrom: '500 ', amountTo: 50 })],
		[1, rule('upside down', 'decline', { amountFrom: 500, amountTo: '50' })],
		[0, rule('one amount', 'decline', { amountFrom: '9.50', amountTo: '9.5' })],
		[1, rule('observes', 'decline', {}, { observeOnly: null })],
		[1, rule('typo', 'aprove', USD)],
		[2, rule('two', 'decline', { currencies: 'RMB', mccCodes: '54' })],
		[1, rule('approves', 'other', USD, { responseCode: '85' })],
		[1, rule('no code', 'other', USD, { responseCode: '51 ' })],
		[1, rule('no code', 'other', USD, { responseCode: null })],
		[0, rule('declines', 'other', USD, { responseCode: 'N7' })],
	])('%d problems: %j', (count, saved) => {
		expect(problems(saved)).toBe(count);
	});

	eachRow<[Saved, problem: string]>(`
		{"decision":"approve","responseCode":"00"} | It has no conditions. Add one, or use Default Decision.
		{"decision":"other","responseCode":"00"} | Decision must be in its list, and a Decline Code must have 2 or 3 digits or capital letters, and must not approve. Enter for example 51.
		{"decision":"ask","conditions":{"amountFrom":"9"}} | It has an amount without a currency. Add the condition Currencies.
		{"conditions":{"amountFrom":"9","amountTo":"5"}} | Amount From is greater than Amount To. Change one of them.
		{"name":"x","observeOnly":"yes"} | Observe Only is neither on nor off. Set it again.
		{"name":"x","conditions":{"color":"red"}} | color is not a condition of this node. Remove it.
	`)('the problem of %j: %s', (saved, problem) => {
		const { problems: said } = readRules({ rule: [saved] });
		expect(said).toEqual([`Rule "${String(saved.name ?? 'Rule 1')}": ${problem}`]);
	});

	const NO_RULES = [null, undefined, 'rules', [], { rule: {} }, { rule: '={{ $vars.rules }}' }];
	it.each(NO_RULES)('%j cannot be read as rules', (given) => {
		const problems = ['Rules could not be read. Enter them again.'];
		expect(readRules(given)).toEqual({ rules: [], problems });
	});

	it.each([{}, { rule: [] }, { rule: undefined }])('%j are no rules', (given) => {
		expect(readRules(given)).toEqual({ rules: [], problems: [] });
	});

	const UNKNOWN = { decision: 'approve', conditions: { x: 1 } };
	it.each([null, 'x', [], 5, { decision: 'aprove' }, UNKNOWN])('%j declines', (given) => {
		const all: Saved = { rules: { rule: [given] }, defaultDecision: 'approve' };
		const settings = readDeciding((name, fallback) => all[name] ?? fallback);
		expect(decide(purchase(), settings).code).toBe('05');
	});
});

const AMOUNTS = ['0.00', '49.99', '50', '50.00', '50.01', '1000', '-1', '', undefined];

/** Purchase with values that anybody can compare, or without them. */
const anyPurchase = fc.record({
	card_id: fc.constant('c-1'),
	bill_amount: fc.constantFrom(...AMOUNTS),
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

const CODES: Record<string, string> = { approve: '00', decline: '05' };

/** Naive decision: a rule that needs what is missing declines, unless one of its conditions is false. */
function naive(of: AnyPurchase, rules: AnyRule[], byDefault: string, fallback: string): string {
	let asked: string | undefined;
	const says = (code: string, why: string) =>
		asked === undefined ? `${code} ${why}` : code + asked;
	for (const [at, { decision, observeOnly, conditions }] of rules.entries()) {
		const found = Object.entries(conditions).map(([name, entered]) => {
			const value = VALUES[name]!(of);
			if (value === undefined) return undefined;
			if (name === 'amountTo') return (value as number) <= Number(entered);
			if (name === 'mccCodes') return (value === '7995') === (entered === '7995');
			return String(entered).split(', ').includes(String(value));
		});
		if (observeOnly || found.includes(false)) continue;
		if (found.includes(undefined)) return says('05', `unreadable Rule ${at + 1}`);
		if (decision !== 'ask') return says(CODES[decision]!, `rule Rule ${at + 1}`);
		asked ??= ` Rule ${at + 1}`;
	}
	if (byDefault === 'ask') asked ??= '';
	return says(CODES[asked === undefined ? byDefault : fallback]!, 'default');
}

it('the trigger and Try Rules decide any purchase by any rules as a naive reading of them does', async () => {
	jest.useFakeTimers();
	const { calculate } = anyOperation('authorization: tryRules') as Calculation;
	const anyDefault = fc.constantFrom('approve', 'decline', 'ask');
	const anyFallback = fc.constantFrom('approve', 'decline');
	const anyRules = fc.array(anyRule, { maxLength: 5 });
	let place = 0;
	await fc.assert(
		fc.asyncProperty(anyPurchase, anyRules, anyDefault, anyFallback, async (data, rule, ...by) => {
			const [defaultDecision, fallbackDecision] = by;
			const settings = settingsOf(rule, { defaultDecision, fallbackDecision });
			const envelope = { ...sampleEvent('cards.authorization'), data };
			const event = { envelope, headers: {}, arrivedAt: Date.now() };
			const facts = { place: String(place++), canRun: true, canAsk: true };
			const { item } = answerAuthorization(event, settings, facts);
			const decided = lodash.omit(item!.json.decision as object, ['answered_in_ms', 'answer_by']);
			expect(inWords(decided as IDataObject)).toBe(naive(data, rule, ...by));
			const rulesOf = { rules: { rule }, defaultDecision, fallbackDecision };
			const given = { rulesOf, purchase: data, answeredThen: '' } as unknown as IDataObject;
			const tried = calculate(await valuesOf('authorization: tryRules', given));
			expect(tried?.decision).toEqual(decided);
		}),
		{ numRuns: 1_000 },
	);
});
