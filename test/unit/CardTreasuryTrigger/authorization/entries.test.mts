import type { INodeProperties } from 'n8n-workflow';

import { CONDITIONS } from '../../../../nodes/CardTreasuryTrigger/authorization/conditions.ts';
import { readRules } from '../../../../nodes/CardTreasuryTrigger/authorization/rules.ts';
import { CardTreasuryTrigger } from '../../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';

/** Condition, entry, and data of an authorization that the entry matches. */
const ACCEPTED: Array<[condition: string, entry: string, data: object]> = [
	['amountFrom', '10', { bill_amount: '10.00' }],
	['amountTo', '10.5', { bill_amount: '10.5' }],
	['cardIds', 'ca4d-0001', { card_id: 'ca4d-0001' }],
	['cardIds', 'CA4D-0001', { card_id: 'CA4D-0001' }],
	['cardIds', 'ca4d-0001, CARD_2', { card_id: 'CARD_2' }],
	['channels', 'POS', { channel: 'POS' }],
	['channels', 'e-commerce', { channel: 'E-COMMERCE' }],
	['currencies', 'usd, EUR', { bill_currency_code: 'USD' }],
	['mccCodes', '6010-6012', { merchant_data: { mcc_code: '6011' } }],
	['mccCodes', '6010–6012', { merchant_data: { mcc_code: '6011' } }],
	['mccCodes', '6010 − 6012', { merchant_data: { mcc_code: '6011' } }],
	['merchantCountries', 'esp', { merchant_data: { country: 'ESP' } }],
	['merchantIds', 'merchant-000123', { merchant_data: { id: 'merchant-000123' } }],
	['merchantNames', 'paypal *e', { merchant_data: { name: 'PAYPAL *EBAY' } }],
	['merchantNames', 'coffee', { merchant_data: { name: 'Coffee & Books' } }],
];

it('the table has an accepted entry for each condition', () => {
	const names = new Set(ACCEPTED.map(([condition]) => condition));
	expect([...names].sort()).toEqual(Object.keys(CONDITIONS).sort());
});

it.each(ACCEPTED)('%s accepts the entry %j, which matches %j', (condition, entry, data) => {
	const { rules, problems } = readRules([
		{ name: 'r', decision: 'approve', conditions: { [condition]: entry } },
	]);
	expect(problems).toEqual([]);
	expect(rules[0]!.conditions[0]!.examine(data as Record<string, unknown>)).toBe(true);
});

it('every field for a decline code begins with 05, because n8n omits a value that equals the default', () => {
	const properties = propertiesIn(new CardTreasuryTrigger().description.properties);
	const codes = properties.filter(({ name }) => /responseCode$/i.test(name));
	expect(
		codes.map(({ displayName, default: value }) => `${displayName}: ${String(value)}`),
	).toEqual(['Decline Code: 05', 'Default Response Code: 05', 'Fallback Response Code: 05']);
});

/** Properties at any depth. */
function propertiesIn(properties: object[]): INodeProperties[] {
	return (properties as INodeProperties[]).flatMap((property) => {
		const { options = [], values = [] } = property as { options?: object[]; values?: object[] };
		return [property, ...propertiesIn(options), ...propertiesIn(values)];
	});
}
