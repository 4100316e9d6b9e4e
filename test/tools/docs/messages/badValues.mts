import { GIVES_NOTHING } from './message.mts';

/** What users and their expressions give where an ID, a text, an amount, … belongs. */
const ID = ['', GIVES_NOTHING, { id: 'crd_123' }, '..'];
const TEXT = [{ name: 'x' }];
const AMOUNT = ['', GIVES_NOTHING, '1,000.50', { amount: 5 }, 0, 1234567.12345678901];
const ADDRESS = [
	'',
	GIVES_NOTHING,
	5,
	'0x1234',
	`0x${'0'.repeat(40)}`,
	'0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD',
	`0x${'0'.repeat(36)}dEaD`,
	'TJRab ',
];
const FLAG = ['yes'];
const LIST = [[7]];
const IMAGE = [{ field: 'data' }, 'scan', 'empty', 'text'];
const PATH = [
	'',
	GIVES_NOTHING,
	{ path: '/x' },
	'management/clients',
	'/clients?page=2',
	'/my clients',
	'/clients\u200b',
	'/clients//c1',
	'/clients/../c1',
];
const PAIRS = [{ parameter: 'page=2' }, { parameter: [{ name: 'page', value: { number: 2 } }] }];
const DATE = ['01/03/2026', '2026-02-30'];
const COUNT = ['', GIVES_NOTHING, 0];
const SECONDS = [0];

/** The bad values of each field, by the names under which operations declare it. */
export const BAD_VALUES: Record<string, unknown[]> = {
	...forEach(['accountId', 'walletId', 'rampTransferId', 'cardId', 'transactionId'], ID),
	...forEach(['clientId', 'productRequestId', 'documentType'], ID),
	...forEach(['amount', 'balance', 'floor'], AMOUNT),
	...forEach(['maximumAmount', 'maximumTotal', 'sweepMinimum', 'sweepMaximum'], AMOUNT),
	...forEach(['to', 'tokenAddress'], ADDRESS),
	...forEach(['amountMode', 'type', 'decision', 'itemPer', 'method'], ['Other']),
	...forEach(['onlyInEnvironment'], ['', GIVES_NOTHING, 'live']),
	...forEach(['maximumTransfers'], COUNT),
	...forEach(['limit'], [0]),
	...forEach(['allowedRecipients'], ['', GIVES_NOTHING, ...LIST]),
	...forEach(['operations', 'blockchains', 'products', 'statuses'], LIST),
	...forEach(['symbol', 'binaryPropertyName', 'fileName'], TEXT),
	...forEach(
		[
			'returnAll',
			'simplify',
			'splitMovements',
			'replace',
			'dryRun',
			'requireHumanReview',
			'requireChecksum',
		],
		FLAG,
	),
	...forEach(['frontImageField', 'backImageField'], IMAGE),
	...forEach(['path'], PATH),
	...forEach(['fromDate', 'toDate'], DATE),
	...forEach(['queryParameters'], PAIRS),
	filters: ['active'],
	metadata: [{ value: 'passport' }],
	jsonBody: [GIVES_NOTHING, '{"amount": 1,}'],
	responseCode: ['', { code: '51' }, 'OK', '00'],
	idempotencyKey: ['', 7, 'k'.repeat(256), 'Überweisung-7', ' invoice-7'],
	...forEach(['maxAttempts', 'maxTotalSeconds', 'requestsPerSecond', 'timeoutSeconds'], SECONDS),
};

/** Files that the values of an image field name. */
export const BAD_FILES = { empty: Buffer.alloc(0), text: Buffer.from('a photo') };

function forEach(names: string[], values: unknown[]): Record<string, unknown[]> {
	return Object.fromEntries(names.map((name) => [name, values]));
}
