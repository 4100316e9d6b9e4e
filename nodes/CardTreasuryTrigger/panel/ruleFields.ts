import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { DECLINE } from '../../service/authorizationAnswer';

const AMOUNT = {
	form: '(?:-?[0-9]+(?:[.][0-9]+)?)?',
	advice: 'must be a plain decimal such as 1250.50',
};
const MCC = '[0-9]{4}(?:\\s*-\\s*[0-9]{4})?';
const RESPONSE_CODE = '[0-9A-Za-z]{1,10}';

/** What the text of a field looks like, as a regular expression that the editor evaluates, and what to say otherwise. */
const FORMS = {
	amountFrom: AMOUNT,
	amountTo: AMOUNT,
	mccCodes: {
		form: `(?:[\\s,]*${MCC}(?:\\s*,[\\s,]*${MCC})*[\\s,]*)?`,
		advice: 'must be codes of 4 digits or ranges such as 6010-6012, with commas between them',
	},
	responseCode: {
		form: RESPONSE_CODE,
		advice: 'must be 1 to 10 letters and digits, e.g. 00 or 05',
	},
	defaultResponseCode: {
		form: RESPONSE_CODE,
		advice: 'must be 1 to 10 letters and digits, e.g. 00 or 05',
	},
	fallbackResponseCode: {
		form: `(?:${RESPONSE_CODE})?`,
		advice: 'must be 1 to 10 letters and digits, or empty',
	},
};

/** A notice that the editor shows while the field holds neither an expression nor a text of its form. */
export function warnOf(
	displayName: string,
	field: keyof typeof FORMS,
	shown: IDisplayOptions = {},
): INodeProperties {
	const { form, advice } = FORMS[field];
	// Hidden for the form rather than shown for what departs from it: what `show` names, n8n shows for every expression.
	return {
		displayName: `<b>${displayName}</b> ${advice}. The workflow cannot be published like this.`,
		name: `${field}Notice`,
		type: 'notice',
		default: '',
		displayOptions: forTheEditor({
			...shown,
			hide: { [field]: [{ _cnd: { regex: `^(?:=|\\s*${form}\\s*$)` } }] },
		}),
	};
}

/** Never shown, and cheap to find so: there is no such version. */
const NEVER: IDisplayOptions = { show: { '@version': [-1] } };

/**
 * Display options that only the editor evaluates, which gets the description as JSON. n8n itself evaluates those of
 * every field at every delivery, and a regular expression costs it more than everything else on the way (each is run
 * in a context of its own with a time limit); it finds that the notice is never shown, which changes nothing there.
 */
function forTheEditor(options: IDisplayOptions): IDisplayOptions {
	return Object.defineProperty({ ...NEVER }, 'toJSON', { value: () => options });
}

/** The fields of a rule, each with a warning while its text cannot be read (see `readRules`). */
export const RULE_FIELDS: INodeProperties[] = [
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		placeholder: 'e.g. Small purchases',
		description: 'Shown in the output as the rule that decided',
	},
	{
		displayName: 'Amount From',
		name: 'amountFrom',
		type: 'string',
		default: '',
		placeholder: 'e.g. 0.01',
		description: 'Lowest billed amount, inclusive, in the currency of the card',
	},
	warnOf('Amount From', 'amountFrom'),
	{
		displayName: 'Amount To',
		name: 'amountTo',
		type: 'string',
		default: '',
		placeholder: 'e.g. 250.00',
		description: 'Highest billed amount, inclusive, in the currency of the card',
	},
	warnOf('Amount To', 'amountTo'),
	{
		displayName: 'Card IDs',
		name: 'cardIds',
		type: 'string',
		default: '',
		placeholder: 'e.g. crd_123, crd_456',
		description: 'Comma-separated, letter by letter as the service gives them',
	},
	{
		displayName: 'Channels',
		name: 'channels',
		type: 'string',
		default: '',
		placeholder: 'e.g. POS',
		description: 'Comma-separated, in any letter case',
	},
	{
		displayName: 'Currencies',
		name: 'currencies',
		type: 'string',
		default: '',
		placeholder: 'e.g. USD, EUR',
		description: 'Currency codes of the billed amount, comma-separated, in any letter case',
	},
	{
		displayName: 'MCC Codes',
		name: 'mccCodes',
		type: 'string',
		default: '',
		placeholder: 'e.g. 5411, 6010-6012',
		description: 'Merchant category codes of 4 digits and ranges of them, comma-separated',
	},
	warnOf('MCC Codes', 'mccCodes'),
	{
		displayName: 'Merchant Countries',
		name: 'merchantCountries',
		type: 'string',
		default: '',
		placeholder: 'e.g. ESP, PRT',
		description: 'Country codes as the service sends them, comma-separated, in any letter case',
	},
	{
		displayName: 'Merchant Name',
		name: 'merchantName',
		type: 'string',
		default: '',
		placeholder: 'e.g. airlines',
		description: 'Text that the name of the merchant contains, in any letter case',
	},
	{
		displayName: 'Response Code',
		name: 'responseCode',
		type: 'string',
		default: DECLINE,
		hint: '00 approves, 05 declines',
		description: 'Any other code is passed to the card network as the decline reason (ISO 8583)',
	},
	warnOf('Response Code', 'responseCode'),
];
