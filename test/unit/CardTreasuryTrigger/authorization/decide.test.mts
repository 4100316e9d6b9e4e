import {
	decide,
	decideUnanswered,
	type Question,
} from '../../../../nodes/CardTreasuryTrigger/authorization/decide.ts';
import {
	readRules,
	UNREADABLE,
} from '../../../../nodes/CardTreasuryTrigger/authorization/rules.ts';
import type { Decision } from '../../../../nodes/CardTreasuryTrigger/delivery/replies.ts';
import { sampleEvent } from '../../../simulator/index.mts';

/** bill_amount 52.35 USD, mcc 5942, ESP, Coffee & Books, POS */
const data = (changes: Record<string, unknown> = {}) =>
	sampleEvent('cards.authorization', { data: changes }).data;
const verdict = (rules: object[], changes: Record<string, unknown> = {}, byDefault = '05') =>
	decide(data(changes), readRules(rules), { responseCode: byDefault });
const decision = (...given: Parameters<typeof verdict>) => verdict(...given) as Decision;
/** Finding of a rule that is read without a problem, because a refused rule matches nothing either. */
function findingOf(conditions: object, changes: Record<string, unknown>): boolean | 'unreadable' {
	const rules = readRules([{ name: 'r', decision: 'approve', conditions }]);
	expect(rules.problems).toEqual([]);
	const { source } = decide(data(changes), rules, { responseCode: '05' }) as Decision;
	return source === 'unreadable' ? source : source === 'rule';
}

describe('conditions', () => {
	it.each<[object, Record<string, unknown>, boolean | 'unreadable']>([
		[{ amountTo: '52.35' }, {}, true],
		[{ amountFrom: '52.35' }, {}, true],
		[{ amountTo: '52.34' }, {}, false],
		[{ amountFrom: '52.36' }, {}, false],
		[{ amountTo: 100 }, {}, true],
		[{ amountFrom: '52.35', amountTo: '52.350' }, {}, true],
		[{ amountTo: '100' }, { bill_amount: '100.00000000000000000001' }, false],
		[{ amountFrom: '9' }, { bill_amount: '10' }, true],
		[{ currencies: ' eur , usd ' }, {}, true],
		[{ currencies: 'EUR' }, {}, false],
		[{ mccCodes: '5942' }, {}, true],
		[{ mccCodes: '6010-6012, 5900-5942' }, {}, true],
		[{ mccCodes: '5943 - 5999' }, {}, false],
		[{ mccCodes: '5940–5942' }, {}, true],
		[{ mccCodes: '5940 − 5942' }, {}, true],
		[{ mccCodes: '5942' }, { merchant_data: { mcc_code: ' 5942 ' } }, true],
		[{ mccCodes: '0742' }, { merchant_data: { mcc_code: '0742' } }, true],
		[{ merchantCountries: 'prt,esp' }, {}, true],
		[{ merchantCountries: 'ES' }, {}, 'unreadable'],
		[{ merchantCountries: '643' }, {}, 'unreadable'],
		[{ merchantCountries: 'PRT, ES' }, {}, false],
		[{ merchantCountries: 'ESP' }, { merchant_data: { country: ' ＥＳＰ ' } }, true],
		[{ currencies: 'IRR' }, { bill_currency_code: 'İRR' }, true],
		[{ merchantNames: 'COFFEE &' }, {}, true],
		[{ merchantNames: 'tea' }, {}, false],
		[{ merchantNames: 'tea, books' }, {}, true],
		[{ merchantNames: 'paypal *e' }, { merchant_data: { name: 'PAYPAL *EBAY' } }, true],
		[
			{ merchantNames: 'casino' },
			{ merchant_data: { name: 'CAS\u200bI\u00adN\u0000\ufeffO' } },
			true,
		],
		[{ channels: 'POS' }, { channel: 'P\u200bOS\u0000' }, true],
		[{ cardIds: 'card-1' }, { card_id: 'card-1\u200b' }, true],
		[{ merchantNames: 'Bet 365' }, { merchant_data: { name: 'BET  365\u00a0LTD' } }, true],
		[{ merchantNames: 'Café' }, { merchant_data: { name: 'CAFE\u0301 SOL' } }, true],
		[{ merchantNames: 'café' }, { merchant_data: { name: 'CAFE' } }, false],
		[{ merchantNames: 'digital' }, { merchant_data: { name: 'DİGİTAL' } }, true],
		[{ merchantNames: 'ＢＥＴ' }, { merchant_data: { name: 'bet365' } }, true],
		[{ merchantNames: 'strasse' }, { merchant_data: { name: 'Straße' } }, true],
		[{ merchantNames: 'Großspiel' }, { merchant_data: { name: 'GROẞSPIEL' } }, true],
		[{ merchantNames: 'Καφες' }, { merchant_data: { name: 'ΚΑΦΕΣΑΚΙ' } }, true],
		[{ merchantNames: 'wendy’s, a/b, x' }, { merchant_data: { name: "WENDY'S 4" } }, true],
		[{ channels: 'card not  present' }, { channel: 'CARD NOT PRESENT' }, true],
		[{ mccCodes: '5942' }, { merchant_data: { mcc_code: 5942 } }, true],
		[{ mccCodes: '0742' }, { merchant_data: { mcc_code: 742 } }, true],
		[{ mccCodes: '0742' }, { merchant_data: { mcc_code: '743' } }, false],
		[{ channels: 'ecommerce, pos' }, {}, true],
		[{ channels: 'ATM' }, {}, false],
		[{ channels: 'e-commerce' }, { channel: 'E-COMMERCE' }, true],
		[{ channels: 'ATM' }, { channel: ' ATM ' }, true],
		[{ cardIds: 'other\n card-1' }, { card_id: 'card-1' }, true],
		[{ cardIds: 'CARD-1' }, { card_id: 'card-1' }, false],
		[{ cardIds: 'ca4d-0001, CARD_2' }, { card_id: 'CARD_2' }, true],
		[{ cardIds: 'card-1' }, { card_id: ' card-1 ' }, true],
		[{ merchantIds: 'sample, merchant-1' }, { merchant_data: { id: 'merchant-1' } }, true],
		[{ merchantIds: 'MERCHANT-1' }, { merchant_data: { id: 'merchant-1' } }, false],
		[{ amountTo: '100', currencies: 'USD', mccCodes: '5942', channels: 'ATM' }, {}, false],
	])('the conditions %j match %j: %s', (conditions, changes, expected) => {
		expect(findingOf(conditions, changes)).toBe(expected);
	});
});

describe('decide (§6.3)', () => {
	const small = { name: 'small', decision: 'approve', conditions: { amountTo: '60' } };
	const books = {
		name: 'books',
		decision: 'other',
		responseCode: '62',
		conditions: { mccCodes: '5942' },
	};

	it('the first matching rule decides', () => {
		expect(decision([small, books])).toEqual({
			response_code: '00',
			source: 'rule',
			rule: 'small',
		});
		expect(decision([books, small])).toEqual({
			response_code: '62',
			source: 'rule',
			rule: 'books',
		});
	});

	it('the default decides if no rule matches', () => {
		expect(decision([{ ...small, conditions: { amountTo: '1' } }], {}, 'SUCCESS')).toEqual({
			response_code: 'SUCCESS',
			source: 'default',
		});
		expect(decision([])).toEqual({ response_code: '05', source: 'default' });
	});

	it('only a rule with a negative lower bound reads a negative amount', () => {
		const rule = (conditions: object) => [{ decision: 'approve', conditions }];
		const codeOf = (conditions: object, bill_amount: string) =>
			decision(rule(conditions), { bill_amount }).response_code;
		expect(codeOf({ amountTo: '250' }, '-9999.00')).toBe('05');
		expect(codeOf({ amountFrom: '0' }, '-1')).toBe('05');
		expect(decision(rule({ amountFrom: '0' }), { bill_amount: '-1' }, '00').source).toBe(
			'unreadable',
		);
		expect(codeOf({ amountFrom: '-10', amountTo: '250' }, '-9.99')).toBe('00');
		expect(codeOf({ amountTo: '250', amountFrom: '-10' }, '-10.01')).toBe('05');
		expect(codeOf({ amountTo: '250' }, '-0.00')).toBe('00');
		expect(codeOf({ channels: 'POS' }, '-1')).toBe('00');
	});

	it('a rule without a name is named by its position', () => {
		expect(
			decision([{ ...small, name: '', conditions: { amountTo: '1' } }, { decision: 'decline' }]),
		).toMatchObject({ rule: 'Rule 2' });
	});

	const unreadable = { response_code: '05', source: 'unreadable' };
	it.each([
		[
			'amountTo',
			{ amountTo: '60' },
			'bill_amount',
			[undefined, null, 52.35, '', ' 52', '5e1', '0x1', 'NaN', {}, ['52.35'], '-0.01', '-9999.00'],
		],
		[
			'currencies',
			{ currencies: 'USD' },
			'bill_currency_code',
			[undefined, null, 840, '', ' ', {}, ['USD'], '643', '₽', 'null', 'US D'],
		],
		['merchantIds', { merchantIds: 'x' }, 'merchant_data', [undefined, null, {}, { id: 5 }]],
		['channels', { channels: 'POS' }, 'channel', [undefined, null, 1, '', ['POS']]],
		['cardIds', { cardIds: 'x' }, 'card_id', [undefined, null, 1, '', '\u200b']],
		[
			'mccCodes',
			{ mccCodes: '5942' },
			'merchant_data',
			[
				undefined,
				null,
				'x',
				[],
				{ mcc_code: '' },
				{ mcc_code: 59.42 },
				{ mcc_code: -5942 },
				{ mcc_code: 59420 },
				{ mcc_code: '59420' },
				{ mcc_code: 'x5942' },
				{ mcc_code: ['5942'] },
			],
		],
		[
			'merchantNames',
			{ merchantNames: 'x' },
			'merchant_data',
			[undefined, null, {}, { name: '' }, { name: 5 }],
		],
		[
			'merchantCountries',
			{ merchantCountries: 'ESP' },
			'merchant_data',
			[
				undefined,
				{},
				{ country: null },
				{ country: 'Russian Federation' },
				{ country: 'RU-MOW' },
				{ country: 'N/A' },
				{ country: '64' },
				{ country: 'ES' },
				{ country: '724' },
			],
		],
	])(
		'a value that %s cannot read is declined, whatever the default',
		(_, condition, field, values) => {
			for (const value of values) {
				const { [field]: _, ...rest } = data();
				const broken = value === undefined ? rest : { ...rest, [field]: value };
				for (const ruling of ['approve', 'ask', 'decline']) {
					const rules = readRules([
						{ decision: ruling, conditions: condition },
						{ name: 'all', decision: 'decline' },
					]);
					expect(decide(broken, rules, { responseCode: '00' })).toEqual(unreadable);
				}
			}
		},
	);

	it('a rule with a condition that does not hold is skipped, even if another condition is unreadable', () => {
		const rest = { name: 'all', decision: 'approve', conditions: { amountFrom: '0' } };
		for (const conditions of [
			{ amountTo: '1', channels: 'POS' },
			{ channels: 'POS', mccCodes: '0001' },
			{ cardIds: 'other', channels: 'POS', currencies: 'EUR' },
		]) {
			const rules = [{ decision: 'decline', conditions }, rest];
			expect(decision(rules, { channel: null })).toMatchObject({ source: 'rule', rule: 'all' });
		}
		const atm = { name: 'ATM abroad', conditions: { channels: 'ATM', merchantCountries: 'RUS' } };
		expect(decision([atm, rest], { merchant_data: null })).toMatchObject({ rule: 'all' });
		expect(decision([atm, rest], { channel: 'ATM', merchant_data: null })).toEqual(unreadable);
	});

	it('fields inherited from a prototype are ignored', () => {
		const merchant_data: unknown = Object.create({ name: 'Coffee' });
		const rules = readRules([{ decision: 'approve', conditions: { merchantNames: 'Coffee' } }]);
		expect(decide({ merchant_data }, rules, { responseCode: '00' })).toEqual(unreadable);
	});

	it('an earlier rule that does not need the unreadable value decides', () => {
		expect(decision([small, books], { merchant_data: null })).toMatchObject({ rule: 'small' });
		expect(decision([books, small], { merchant_data: null })).toEqual(unreadable);
	});

	it('unreadable rules decline everything', () => {
		const broken = { ...small, conditions: { amountTo: 'sixty' } };
		expect(decision([broken], {}, '00')).toEqual(unreadable);
		expect(decision([small, broken], {}, '00')).toEqual(unreadable);
		expect(decide(data(), UNREADABLE, { responseCode: '00' })).toEqual(unreadable);
	});
});

describe('observe-only rule', () => {
	const observer = (conditions: object, more: object = {}) => ({
		name: 'observer',
		decision: 'approve',
		observeOnly: true,
		conditions,
		...more,
	});
	const decline = { name: 'decline', decision: 'decline', conditions: { mccCodes: '5942' } };

	it('the rule never decides, and its answer is listed', () => {
		expect(decision([observer({ amountTo: '60' }), decline])).toEqual({
			response_code: '05',
			source: 'rule',
			rule: 'decline',
			observed: [{ rule: 'observer', response_code: '00' }],
		});
		expect(decision([observer({ amountTo: '60' }, { decision: 'decline' })], {}, '00')).toEqual({
			response_code: '00',
			source: 'default',
			observed: [{ rule: 'observer', response_code: '05' }],
		});
		const unread = { merchant_data: null };
		expect(decision([observer({ amountTo: '60' }), decline], unread, '00')).toMatchObject({
			source: 'unreadable',
			observed: [{ rule: 'observer', response_code: '00' }],
		});
	});

	it('the rule is not listed if it does not match or is not reached', () => {
		expect(decision([observer({ amountTo: '1' }), decline, observer({ amountTo: '60' })])).toEqual({
			response_code: '05',
			source: 'rule',
			rule: 'decline',
		});
	});

	it.each([
		['its value', observer({ merchantNames: 'x' }), { merchant_data: null }],
		['a condition', observer({ amountTo: 'sixty' }), {}],
		['its list of conditions', observer({}, { conditions: null }), {}],
		['its code', observer({ amountTo: '60' }, { decision: 'other', responseCode: 'OK' }), {}],
	])('the rule declines nothing if %s cannot be read', (_, rule, changes) => {
		const approve = { name: 'all', decision: 'approve', conditions: { amountFrom: '0' } };
		expect(decision([rule, approve], changes)).toEqual({
			response_code: '00',
			source: 'rule',
			rule: 'all',
			observed: [{ rule: 'observer', response_code: null }],
		});
	});
});

describe('rule that asks', () => {
	const rule = (name: string, decision: string, conditions: object = { amountTo: '60' }) => ({
		name,
		decision,
		conditions,
	});
	const ask = rule('ask', 'ask');
	const asked = (rules: object[], changes = {}) => verdict(rules, changes) as Question;
	const unanswered = (rules: object[], changes = {}) =>
		decideUnanswered(data(changes), readRules(rules), asked(rules, changes));

	it('the first rule that matches decides or asks', () => {
		const approve = rule('approve', 'approve');
		expect(verdict([rule('tiny', 'decline', { amountTo: '1' }), ask, approve])).toEqual({
			asks: true,
			rule: 'ask',
			next: 2,
		});
		expect(decision([approve, ask])).toMatchObject({ rule: 'approve' });
		expect(decide(data(), readRules([approve]), 'ask')).toMatchObject({ response_code: '00' });
		expect(decide(data(), readRules([]), 'ask')).toEqual({ asks: true, next: 0 });
	});

	it('an observe-only rule is listed, and never asks', () => {
		const observed = [{ rule: 'ask', response_code: null, would_ask: true }];
		expect(decision([{ ...ask, observeOnly: true }])).toMatchObject({
			source: 'default',
			observed,
		});
		expect(verdict([{ ...ask, observeOnly: true }, ask])).toEqual({
			asks: true,
			rule: 'ask',
			next: 2,
			observed,
		});
	});

	// Each list is the whole of the rules; the first one asks.
	const never = rule('never', 'approve', { amountTo: '1' });
	it.each<[string, object[], string | undefined, string | undefined]>([
		['nothing', [], undefined, undefined],
		['a rule that does not match', [never], undefined, undefined],
		['a rule that approves', [rule('small', 'approve')], '00', 'small'],
		[
			'a rule that declines',
			[never, rule('books', 'decline', { mccCodes: '5942' })],
			'05',
			'books',
		],
		['another rule that asks', [ask], undefined, undefined],
		['a rule below another one that asks', [ask, rule('small', 'approve')], '00', 'small'],
		[
			'an observe-only rule',
			[{ ...rule('seen', 'approve'), observeOnly: true }],
			undefined,
			undefined,
		],
	])('at the deadline, %s below it decides', (_, below, code, name) => {
		const above = rule('above', 'decline', { amountTo: '1' });
		const found = unanswered([above, ask, ...below]);
		expect([found?.response_code, found?.rule]).toEqual([code, name]);
	});

	it('at the deadline, a rule above it is not looked at again', () => {
		const rules = [{ ...rule('seen', 'approve'), observeOnly: true }, ask];
		expect(unanswered(rules)).toBeUndefined();
	});

	it('at the deadline, a rule that cannot read its value declines', () => {
		const country = rule('home', 'approve', { merchantCountries: 'ESP' });
		expect(unanswered([ask, country], { merchant_data: null })).toEqual({
			response_code: '05',
			source: 'unreadable',
		});
	});
});
