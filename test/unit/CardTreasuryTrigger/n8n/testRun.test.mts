import { readRules } from '../../../../nodes/CardTreasuryTrigger/authorization/rules.ts';
import { explain } from '../../../../nodes/CardTreasuryTrigger/n8n/testRun.ts';
import { sampleEvent } from '../../../simulator/index.mts';

/** bill_amount 52.35 USD, mcc 5942, ESP, Coffee & Books, POS */
const data = (changes: Record<string, unknown> = {}) =>
	sampleEvent('cards.authorization', { data: changes }).data;

describe('explain', () => {
	const small = { name: 'small', decision: 'approve', conditions: { amountTo: '60' } };
	const said = (rules: object[], changes = {}, defaultCode = '05') =>
		explain(data(changes), readRules({ rule: rules }), defaultCode);
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

	it('the hint names a rule that approves everything, because n8n drops unknown conditions', () => {
		const open = { ...small, conditions: {} };
		expect(said([open])).toBe(
			'This purchase is approved (00) by the rule "small". "small" has no conditions, so it approves every purchase that no rule above it decides.',
		);
		expect(said([{ ...gambling, conditions: {} }])).not.toContain('has no conditions');
		expect(said([gambling, open])).toContain(
			'"small" has no conditions, so it approves every purchase that no rule above it decides.',
		);
		expect(said([{ ...open, observeOnly: true }])).not.toContain('has no conditions');
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
