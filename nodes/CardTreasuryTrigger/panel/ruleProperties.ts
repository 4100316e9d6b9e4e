import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { DECLINE } from '../../service/authorizationAnswer';
import { editorOnly } from '../n8n/editorOnly';

/** The conditions that a rule can have (see `readRules`). */
const CONDITIONS: INodeProperties[] = [
	{
		displayName: 'Amount From',
		name: 'amountFrom',
		type: 'string',
		default: '',
		placeholder: 'e.g. 0.01',
		description:
			'Lowest amount, inclusive. Compared with bill_amount whatever its currency: add Currencies to restrict the rule to one.',
	},
	{
		displayName: 'Amount To',
		name: 'amountTo',
		type: 'string',
		default: '',
		placeholder: 'e.g. 250.00',
		description:
			'Highest amount, inclusive. Compared with bill_amount whatever its currency: add Currencies to restrict the rule to one.',
	},
	{
		displayName: 'Card IDs',
		name: 'cardIds',
		type: 'string',
		default: '',
		placeholder: 'e.g. ca4d0000-0000-4000-8000-000000000001',
		description: 'Comma-separated, exactly as the service shows them',
	},
	{
		displayName: 'Channels',
		name: 'channels',
		type: 'string',
		default: '',
		placeholder: 'e.g. POS',
		description: 'Comma-separated, case-insensitive',
	},
	{
		displayName: 'Currencies',
		name: 'currencies',
		type: 'string',
		default: '',
		placeholder: 'e.g. USD, EUR',
		description: 'Currency codes of bill_amount, comma-separated, case-insensitive',
	},
	{
		displayName: 'MCC Codes',
		name: 'mccCodes',
		type: 'string',
		default: '',
		placeholder: 'e.g. 5411, 6010-6012',
		description: '4-digit merchant category codes and ranges of them, comma-separated',
	},
	{
		displayName: 'Merchant Countries',
		name: 'merchantCountries',
		type: 'string',
		default: '',
		placeholder: 'e.g. ESP, PRT',
		description: 'Country codes as the service sends them, comma-separated, case-insensitive',
	},
	{
		displayName: 'Merchant Name',
		name: 'merchantName',
		type: 'string',
		default: '',
		placeholder: 'e.g. airlines',
		description: 'Text that the name of the merchant contains, case-insensitive',
	},
];

export const DECISIONS = [
	{ name: 'Approve', value: 'approve', description: 'Response code 00' },
	{ name: 'Decline', value: 'decline', description: 'Response code 05' },
	{
		name: 'Other Code',
		value: 'other',
		description: 'Declines with another reason code, which is passed to the card network',
	},
];

/** What the field of another code says. */
export const OTHER_CODE = {
	type: 'string',
	placeholder: 'e.g. 51',
	description:
		'Passed to the card network as the decline reason (ISO 8583 response code). Codes that approve, and words such as OK, are not accepted.',
} satisfies Partial<INodeProperties>;

const EXISTS = { _cnd: { exists: true } } as const;
const given = (...conditions: string[]) =>
	Object.fromEntries(conditions.map((name) => [`conditions.${name}`, ['', EXISTS]]));

/** §6.5 gives `bill_amount` in the currency of the bill: 250 may be dollars or pesos. */
const anyCurrencyNotice = (
	amount: string,
	show: IDisplayOptions['show'],
	hide: IDisplayOptions['hide'],
): INodeProperties => ({
	displayName:
		'This rule compares amounts whatever their currency. To limit it, add the condition Currencies.',
	name: `${amount}CurrencyNotice`,
	type: 'notice',
	default: '',
	displayOptions: editorOnly({ show, hide }),
});

/** The fields of a rule, in the order in which it reads. */
export const RULE_PROPERTIES: INodeProperties[] = [
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		placeholder: 'e.g. No gambling',
		description: 'Shown in the output when this rule decides',
	},
	{
		displayName: 'Decision',
		name: 'decision',
		type: 'options',
		noDataExpression: true,
		options: DECISIONS,
		default: 'decline',
		description: 'The answer when all conditions of this rule match',
	},
	{
		displayName: 'Response Code',
		name: 'responseCode',
		...OTHER_CODE,
		default: DECLINE,
		displayOptions: { show: { decision: ['other'] } },
	},
	{
		displayName: 'Conditions',
		name: 'conditions',
		type: 'collection',
		placeholder: 'Add condition',
		default: {},
		options: CONDITIONS,
		description: 'All of them must match',
	},
	{
		displayName: 'This rule has no conditions, so it applies to every authorization.',
		name: 'noConditionsNotice',
		type: 'notice',
		default: '',
		displayOptions: editorOnly({
			hide: given(...CONDITIONS.map(({ name }) => name)),
		}),
	},
	anyCurrencyNotice('amountTo', given('amountTo'), given('currencies')),
	anyCurrencyNotice('amountFrom', given('amountFrom'), given('amountTo', 'currencies')),
	{
		displayName: 'Observe Only',
		name: 'observeOnly',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description:
			'Whether this rule only shows what it would have answered, in decision.observed, and never decides',
	},
];
