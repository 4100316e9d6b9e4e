import type { IDataObject } from 'n8n-workflow';

import { IDS } from '../simulator/ids.mts';
import { DRY_RUN, no, refusals, RIGHT, ROWS, SENT, type OperationSample } from './operation.mts';

const NO_CARD = `Card not found | Check Card ID, ${RIGHT}`;
const NOT_VERSION_2 =
	'412: The card is not an enterprise card, or version 2 does not know what was asked for | For an individual card, download a statement instead.';
const noDay = (label: string): [string, string] => [
	'31.01.2026',
	`${label} is "31.01.2026", not a day | Enter it as YYYY-MM-DD, e.g. 2026-01-31.`,
];
const CARD_ID = { cardId: no.id('Card ID') };
/** Operation that changes a card and whose reply shows nothing. */
const cardChange = (
	level: string,
	[verb, state]: [string, IDataObject],
	cardId: string,
	request: OperationSample['request'],
): OperationSample => ({
	is: `set${level}`,
	parameters: 'cardId +dryRun=true',
	...{ given: { cardId }, request, reply: {} },
	item: {
		...{ outcome: 'done', summary: `Sent: ${verb} card ${cardId}.`, card_id: cardId, ...state },
		...SENT,
	},
	errors: [`404: ${NO_CARD}`],
	refused: { ...CARD_ID, ...DRY_RUN },
});
const CARD = {
	...{ id: IDS.activeCard, client_id: IDS.client, type: 'VIRTUAL', status: 'ACTIVE' },
	...{ last4: '4001', card_holder_name: 'ANA SOUZA' },
};
/** What §4.11 and §9.5 name of a transaction. */
const MOVEMENT = { operation: 'PURCHASE', bill_amount: 12.5 };
const LIMITS = { daily_limit: 100, weekly_limit: 500, monthly_limit: 1000 };

export const CARDS: Record<string, OperationSample> = {
	'authorization: respond': {
		is: 'answer',
		parameters: 'decision=decline responseCode',
		given: { decision: 'approve' },
		item: { decision: { response_code: '00' } },
		errors: [],
		refused: refusals(`
			decision | yes | Decision is "yes" | Use approve, decline and other.
			responseCode | 00 | Response Code is "00", not a code that declines | Use 2 or 3 digits or capital letters, for example 51.
		`),
	},
	'authorization: tryRules': {
		is: 'calculation',
		parameters:
			"rulesOf=={{ $('Card Treasury Trigger').params }} purchase=={{ $json.data }} answeredThen=={{ $json.decision.response_code }}",
		given: {
			rulesOf: { rules: { rule: [{ name: 'All', decision: 'decline', conditions: {} }] } },
			...{ purchase: { card_id: 'c-1' }, answeredThen: '00' },
		},
		hint: '1 of 1 purchases would be decided differently: 1 declined that were approved. In all, 1 declined.',
		item: {
			summary:
				'Would be declined (05) by the rule "All", was approved (00): ? ? at ? with card c-1',
			changes: true,
			decision: { outcome: 'declined', response_code: '05', source: 'rule', rule: 'All' },
			answered_then: '00',
		},
		errors: [],
		refused: refusals(`
			rulesOf | x | Rules Of has no rules | Choose the event Card Authorization in the trigger, and name it here: {{ $('Card Treasury Trigger').params }}.
			purchase | "{\\"card" | Purchase is not the data of a card event | Pass the field data of the event.
			answeredThen | approved | Answered Then is "approved", not a response code | Pass decision.response_code.
		`),
	},
	'card: get': {
		is: 'read 1',
		parameters: 'cardId simplify=true',
		given: { cardId: IDS.activeCard },
		request: ['GET /cards/individual-cards/{cardId}'],
		// §2.7
		reply: {
			...{ ...CARD, provider_card_id: 'p-1', expiration_month: 3, expiration_year: 2029 },
			...{ approval_method: 'A', ...LIMITS, forwarded_3ds_type: 'sms' },
		},
		item: {
			summary:
				'Card •4001 of ANA SOUZA is ACTIVE, expires 03/2029, limits 100 USD a day, 500 USD a week, 1000 USD a month',
			...{ ...CARD, expiration: '03/2029', ...LIMITS },
		},
		errors: [`404: ${NO_CARD}`],
		refused: { ...CARD_ID, simplify: no.flag('Simplify') },
	},
	'card: freeze': cardChange(' 2', ['freeze', { frozen: true }], IDS.activeCard, [
		'PATCH /cards/individual-cards/{cardId}/frozen',
		{ freeze: true },
	]),
	'card: unfreeze': cardChange(' 2', ['unfreeze', { frozen: false }], IDS.activeCard, [
		'PATCH /cards/individual-cards/{cardId}/frozen',
		{ freeze: false },
	]),
	'card: unblock': cardChange('', ['unblock', { unblocked: true }], IDS.blockedCard, [
		'PATCH /api/cards/{cardId}/unblock',
	]),
	'card: configure3ds': {
		is: 'set 2',
		parameters: 'cardId type=sms +dryRun=true',
		given: { cardId: IDS.activeCard, type: 'webhook' },
		request: ['POST /cards/virtual-cards/{cardId}/3ds-configuration', { type: 'webhook' }],
		reply: { type: 'webhook' },
		item: {
			outcome: 'done',
			summary: `Sent: 3DS codes by webhook for card ${IDS.activeCard}.`,
			...{ card_id: IDS.activeCard, type: 'webhook', ...SENT },
		},
		errors: [`404: ${NO_CARD}`],
		refused: {
			...{ ...CARD_ID, ...DRY_RUN },
			type: ['email', 'Deliver Codes By is "email" | Use sms and webhook.'],
		},
	},
	'cardTransaction: search': {
		is: 'read',
		parameters: 'cardId operations=[] +queryParameters={}',
		given: { cardId: IDS.enterpriseCard, operations: ['PURCHASE', 'WALLET_DEPOSIT'] },
		request: [
			'GET /cards/transactions/{cardId}/search?operations=PURCHASE%2CWALLET_DEPOSIT',
			undefined,
			{ 'X-API-Version': '2' },
		],
		// §4.11 does not show the name of the list.
		reply: { total_elements: 1, movements: [MOVEMENT] },
		item: { total_elements: 1, movements: [MOVEMENT] },
		errors: [NOT_VERSION_2, `404: ${NO_CARD}`],
		refused: {
			...{ ...CARD_ID, queryParameters: ROWS },
			// §9.6
			...refusals(`
				operations | TRANSACTION_CLEARED | Transaction Types is "TRANSACTION_CLEARED" | Use CARDNET_DIRECT_DEPOSIT, OVERRIDE_VIRTUAL_BALANCE, PURCHASE, WALLET_DEPOSIT, WALLET_WITHDRAWAL, WARRANTY_DEPOSIT and WARRANTY_WITHDRAWAL.
			`),
		},
	},
	'cardTransaction: get': {
		is: 'read',
		parameters: 'path cardId transactionId +queryParameters={}',
		given: {
			path: '/cards/transactions/{cardId}/operations/{transactionId}',
			...{ cardId: IDS.enterpriseCard, transactionId: IDS.purchase },
		},
		// §4.12 does not show the path.
		request: [
			'GET /cards/transactions/{cardId}/operations/{transactionId}',
			undefined,
			{ 'X-API-Version': '2' },
		],
		reply: { ...MOVEMENT, lifecycle: { state: 'S', outcome: 'O' } },
		item: { ...MOVEMENT, lifecycle: { state: 'S', outcome: 'O' } },
		errors: [
			NOT_VERSION_2,
			`404: Transaction not found | Check Endpoint Path, Card ID and Transaction ID, ${RIGHT}`,
		],
		refused: {
			...{ path: no.path('Endpoint Path', '/a/..'), ...CARD_ID },
			transactionId: no.id('Transaction ID'),
			queryParameters: ROWS,
		},
	},
	'cardTransaction: downloadStatement': {
		is: 'read 1',
		parameters: 'cardId fromDate toDate binaryPropertyName=data +fileName',
		given: { cardId: IDS.activeCard, fromDate: '2026-01-01', toDate: '2026-01-31' },
		request: ['GET /cards/transactions/{cardId}/pdf?from_date=2026-01-01&to_date=2026-01-31'],
		reply: Buffer.from('%PDF-1.4'),
		item: {
			...{ card_id: IDS.activeCard, from_date: '2026-01-01', to_date: '2026-01-31' },
			trace_id: 'trace-1',
		},
		errors: [`412: ${NO_CARD}`, `404: ${NO_CARD}`],
		refused: {
			...{ ...CARD_ID, fromDate: noDay('From Date'), toDate: noDay('To Date') },
			binaryPropertyName: no.text('Put Output File in Field'),
			fileName: no.text('File Name'),
		},
	},
};
