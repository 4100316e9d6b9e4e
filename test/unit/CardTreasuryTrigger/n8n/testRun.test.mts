import type { DecisionSettings } from '../../../../nodes/CardTreasuryTrigger/authorization/answer.ts';
import { readRules } from '../../../../nodes/CardTreasuryTrigger/authorization/rules.ts';
import { explain } from '../../../../nodes/CardTreasuryTrigger/n8n/testRun.ts';
import { sampleEvent } from '../../../simulator/index.mts';

/** bill_amount 52.35 USD, mcc 5942, ESP, Coffee & Books, POS */
const data = (changes: Record<string, unknown> = {}) =>
	sampleEvent('cards.authorization', { data: changes }).data;

describe('explain', () => {
	const small = { name: 'small', decision: 'approve', conditions: { amountTo: '60' } };
	const settings: Pick<DecisionSettings, 'fallback'> = { fallback: { responseCode: '05' } };
	const said = (rules: object[], changes = {}, defaultCode = '05') =>
		explain(data(changes), {
			...settings,
			rules: readRules(rules),
			byDefault: { responseCode: defaultCode },
		});
	const gambling = { name: 'No gambling', conditions: { mccCodes: '5942' } };

	it('the hint names the deciding rule, and later rules with another answer', () => {
		expect(said([small, gambling])).toBe(
			'This purchase is approved (00) by the rule "small". Later rules differ: "No gambling" would have declined (05). Move the rule that should decide up.',
		);
		expect(said([gambling, small])).toMatch(/declined \(05\) by .* "small" would have approved/);
		expect(said([small, { ...gambling, observeOnly: true }])).toContain('"No gambling"');
		const web = { name: 'web', decision: 'approve', conditions: { channels: 'WEB' } };
		expect(said([small, web])).not.toContain('Later rules differ');
		expect(said([small, web], { channel: null })).toContain('"web" would have declined');
		expect(said([small, { ...web, observeOnly: true }], { channel: null })).not.toContain(
			'Later rules differ',
		);
	});

	it('the hint says why rules with a problem decline everything', () => {
		expect(said([gambling, { ...small, conditions: {} }], {}, '00')).toBe(
			'This purchase is declined (05) because of a problem in the rules: Rule "small": It has no conditions, so it would approve every purchase. Add a condition, or use Default Decision.',
		);
	});

	const large = { name: 'large', decision: 'ask', conditions: { amountFrom: '50' } };
	const unanswered = 'Without an answer by the deadline, it is';
	it.each([
		['the rule below', [large, small], `approved (00) by the rule "small".`],
		['the Fallback Decision', [large], 'declined (05) by the Fallback Decision.'],
		[
			'the Fallback Decision, not another rule that asks',
			[large, { ...large, name: 'larger' }],
			'declined (05) by the Fallback Decision.',
		],
	])('the hint says which rule asks, and that %s decides at the deadline', (_, rules, expected) => {
		expect(said(rules)).toBe(
			`The workflow is asked about this purchase, by the rule "large". ${unanswered} ${expected}`,
		);
	});

	it('the hint says that the default asks, and that the card decides', () => {
		const asking = { rules: readRules([]), byDefault: 'ask', fallback: 'none' } as const;
		expect(explain(data(), asking)).toBe(
			`The workflow is asked about this purchase, by the Default Decision. ${unanswered} left to the card, because the Fallback Decision is None.`,
		);
	});

	it('the hint names a later rule that would have asked', () => {
		expect(said([small, large])).toContain('"large" would have asked the workflow');
	});

	it('the hint states that no rule matched, or that one cannot read the data', () => {
		expect(said([{ ...small, conditions: { amountTo: '1' } }])).toBe(
			'This purchase is declined (05) by the Default Decision: no rule matched.',
		);
		expect(said([small, gambling], { bill_amount: '-1' })).toBe(
			'This purchase is declined (05) because the rule "small" needs a value that is missing or unreadable.',
		);
		expect(said([small, small])).not.toContain('Later rules differ');
		const tiny = { name: 'tiny', conditions: { amountTo: '1' } };
		expect(said([tiny, gambling], { merchant_data: { mcc_code: null } })).toContain(
			'the rule "No gambling" needs a value',
		);
	});

	it('the hint omits observe-only rules above the deciding rule', () => {
		const watching = { ...small, name: 'watching', observeOnly: true };
		expect(said([watching, gambling])).not.toContain('watching');
		expect(said([watching])).toBe(
			'This purchase is declined (05) by the Default Decision: no rule matched.',
		);
	});

	it("the hint names entries in another form than the service's values", () => {
		const abroad = (conditions: object) => [{ name: 'abroad', conditions }];
		expect(said(abroad({ merchantCountries: 'RU, PRK, 408' }))).toBe(
			'This purchase is declined (05) by the Default Decision: no rule matched. The rule "abroad" has "RU", "408", which can never match values such as "ESP".',
		);
		expect(said(abroad({ currencies: 'EUR' }), { bill_currency_code: '840' })).toContain(
			'has "EUR", which can never match values such as "840".',
		);
		expect(said(abroad({ cardIds: 'card-1' }))).toContain('has "card-1", which can never match');
		for (const conditions of [
			{ merchantCountries: 'RUS' },
			{ channels: 'ATM' },
			{ merchantNames: 'x' },
		])
			expect(said(abroad(conditions))).not.toContain('never match');
		expect(said(abroad({ merchantCountries: 'RU' }), { merchant_data: null })).not.toContain(
			'never match',
		);
	});
});
