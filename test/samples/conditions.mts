/**
 * What the contract and the interface document (§6.5) say of a condition of a rule. The values are put into a real
 * authorization at the path.
 */
export interface ConditionSample {
	/** Value of `data` that is tested. */
	path: string;
	entered: unknown;
	matches: unknown[];
	differs: unknown[];
	/** Values in another form, besides those that no condition can read. */
	unreadable: unknown[];
	/** Entry that could never match, with the message. */
	refused: [entry: unknown, message: string];
}

const CARD = 'ca4d0000-0000-4000-8000-000000000001';
const AMOUNT = 'Enter an amount such as 250.00.';
const WHOLE = 'Enter them without quotes, brackets or asterisks, separated by commas.';

/** By saved name, in the order of the panel. */
export const CONDITION_SAMPLES: Record<string, ConditionSample> = {
	amountFrom: {
		path: 'bill_amount',
		entered: '52.35',
		matches: ['52.35', '52.350', '052.36', '100', '9'.repeat(60)],
		differs: ['52.34', '9'],
		unreadable: [0, '-1', 'NaN'],
		refused: ['', `Amount From holds an empty entry. ${AMOUNT}`],
	},
	amountTo: {
		path: 'bill_amount',
		entered: '52.35',
		matches: ['52.35', '52.350', '9', '0.00'],
		differs: ['52.36', '100', '52.35000000001'],
		unreadable: [20, '-5.00', '-0.00', '1e3', ' 20', '0x1', '1,0', '9'.repeat(70)],
		refused: ['1,000', `Amount To holds "1,000". ${AMOUNT}`],
	},
	cardIds: {
		path: 'card_id',
		entered: CARD.toUpperCase(),
		matches: [CARD, ` ${CARD} `, CARD.replaceAll('-', '–')],
		differs: ['card-2'],
		unreadable: [{ id: CARD }],
		refused: ['c-*', `Card IDs holds "c-*". ${WHOLE}`],
	},
	channels: {
		path: 'channel',
		entered: 'pos, MAIL/PHONE',
		matches: ['POS', 'mail/phone'],
		differs: ['MAIL'],
		unreadable: [['POS']],
		refused: ['"POS"', `Channels holds ""POS"". ${WHOLE}`],
	},
	currencies: {
		path: 'bill_currency_code',
		entered: ' usd ,EUR',
		matches: ['USD', 'eur', ' Usd '],
		differs: ['GBP', 'KWD'],
		unreadable: [840, '840', 'US', 'US D', '₽', 'null'],
		refused: [
			'RMB',
			'Currencies holds "RMB". Enter codes of ISO 4217 such as USD, separated by commas.',
		],
	},
	mccCodes: {
		path: 'merchant_data.mcc_code',
		entered: '7995, 7800-7802',
		matches: ['7995', 7995, '7800', '7801', ' 7802 '],
		differs: ['7799', '7803'],
		unreadable: ['79955', 79955, 79.95, -7995, 'x7995'],
		refused: [
			'6012-6010',
			'MCC Codes holds "6012-6010". Enter codes of four digits, or ranges such as 6010-6012, separated by commas.',
		],
	},
	merchantCountries: {
		path: 'merchant_data.country',
		entered: 'ES, PRK',
		matches: ['ESP', 'es', 724, '724', ' Esp ', 'KP', '408'],
		differs: ['PT', 'US'],
		unreadable: ['Spain', 'RU-MOW', 'N/A', 'UK', '1724'],
		refused: [
			'UK',
			'Merchant Countries holds "UK". Enter codes of ISO 3166 such as ESP, separated by commas.',
		],
	},
	merchantIds: {
		path: 'merchant_data.id',
		entered: '4445012345678',
		matches: ['4445012345678', 4445012345678],
		differs: [4445012345679, '444'],
		unreadable: [2 ** 60, 5.5, '5'.repeat(1_001)],
		refused: ['(m1)', `Merchant IDs holds "(m1)". ${WHOLE}`],
	},
	merchantNames: {
		path: 'merchant_data.name',
		entered: 'casino',
		matches: ['BIG CASINO', `${'x'.repeat(994)}casino`],
		differs: ['BIG CAS', 'x'.repeat(1_000)],
		unreadable: ['™', 2 ** 60, 'casino'.repeat(167)],
		refused: [
			'“casino”',
			'Merchant Names holds "“casino”". Enter parts of names without quotes or brackets around them, one a line.',
		],
	},
	merchantTypes: {
		path: 'merchant_data.mcc_code',
		entered: ['gambling'],
		matches: ['7995', 7801, '9406'],
		differs: ['7996', '5411'],
		unreadable: ['79955', 'x7995'],
		refused: [['casino'], 'Merchant Types holds "casino". Choose from the list.'],
	},
};
