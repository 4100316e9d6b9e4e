/**
 * Lists from the interface document, copied by hand. This file imports nothing of the simulator, so that the tests
 * compare the simulator with the document and not with itself.
 */

const CLIENT = '/management/clients/individuals/{clientId}';

/** §4.1 to §4.12 as `method path`, with the access level; null if not shown. The path of §4.12 is not shown. */
export const DOCUMENTED_ENDPOINTS: Record<
	string,
	{ request: string | null; level: 1 | 2 | 3 | null }
> = {
	'4.1': { request: 'GET /mpc/tokens/list', level: 1 },
	'4.2': { request: `POST ${CLIENT}/products/{productRequestId}/documentation`, level: 3 },
	'4.3': { request: `GET ${CLIENT}/products`, level: 1 },
	'4.4': { request: 'PATCH /virtual-wallets/ramps/transfer/{id}', level: 1 },
	'4.5': { request: 'POST /mpc/accounts/{accountId}/wallets/{walletId}/transfer', level: 2 },
	'4.6': { request: 'GET /cards/individual-cards/{cardId}', level: 1 },
	'4.7': { request: 'PATCH /cards/individual-cards/{cardId}/frozen', level: 2 },
	'4.8': { request: 'POST /cards/virtual-cards/{cardId}/3ds-configuration', level: 2 },
	'4.9': { request: 'GET /cards/transactions/{cardId}/pdf', level: 1 },
	'4.10': { request: 'PATCH /api/cards/{id}/unblock', level: null },
	'4.11': { request: 'GET /cards/transactions/{cardId}/search', level: null },
	'4.12': { request: null, level: null },
};

/** Paths that are no longer available (§4.13). */
export const DEPRECATED_PATHS = [
	'/management/clients/{clientId}/pending-documents',
	'/management/clients/{clientId}/associated-persons',
];

const words = (text: string) => text.split(' ');

const CARD_TRANSACTION = words(
	'card_id bill_amount bill_currency_code fees.atm_fees fees.fx_fees transaction_amount transaction_currency_code channel created_at merchant_data.name merchant_data.mcc_code decline_reason',
);
const ON_CHAIN = words('wallet_id wallet_address blockchain transaction_hash');
/** §6.5 lists `token` here without its fields. */
const OUTGOING = [...ON_CHAIN, ...words('to_wallet_address amount token created_at')];
const RAMP_ON = [
	...ON_CHAIN,
	...words(
		'amount exchange_rate token.address token.symbol source_amount source_currency source_from created_at',
	),
];
const AUTHORIZATION = words(
	'bill_currency_number exchange_rate transaction_currency_number merchant_data.id merchant_data.city merchant_data.post_code merchant_data.state merchant_data.country merchant_data.mcc_category metadata.account',
);
const DECLINE_REASON = words('response_code description code simple_reason detailed_reason');

/** Row of §6.5 and §6.4. */
interface DocumentedEvent {
	/** Paths of the data fields. */
	fields: string[];
	status?: string;
	/** §6.4; default 10. */
	attempts?: number;
	/** §6.4; default 30,000. */
	timeoutMs?: number;
}

export const DOCUMENTED_EVENTS: Record<string, DocumentedEvent> = {
	'cards.authorization': {
		fields: [...CARD_TRANSACTION, ...AUTHORIZATION],
		status: 'pending',
		attempts: 1,
		timeoutMs: 1_200,
	},
	'cards.authorized': { fields: CARD_TRANSACTION },
	'cards.cleared': { fields: CARD_TRANSACTION },
	'cards.declined': {
		fields: [
			...CARD_TRANSACTION.filter((field) => field !== 'decline_reason'),
			...DECLINE_REASON.map((field) => `decline_reason.${field}`),
		],
	},
	'cards.reversal': { fields: CARD_TRANSACTION },
	'cards.refund': { fields: CARD_TRANSACTION },
	'cards.deposit': {
		fields: [...ON_CHAIN, ...words('from_wallet_address amount net_amount token.address')],
	},
	'cards.cardnet_direct_deposit': { fields: CARD_TRANSACTION },
	'cards.warranty_withdraw': {
		fields: [...ON_CHAIN, ...words('card_id to_wallet_address amount token_address created_at')],
	},
	'cards.card_blocked_by_velocity': {
		fields: words(
			'card_id company_id blocked_at triggered_rule.max_authorizations triggered_rule.time_window_seconds last_authorization_id',
		),
	},
	'cards.notification_3ds_authorization': {
		fields: words(
			'code card_id merchant_name merchant_country_code transaction_amount transaction_currency transaction_timestamp',
		),
		status: 'pending',
		attempts: 1,
	},
	'virtual_wallets.deposit': {
		fields: [...ON_CHAIN, ...words('from_wallet_address amount token.address')],
	},
	'virtual_wallets.withdraw': { fields: OUTGOING },
	'virtual_wallets.ramp_on': { fields: RAMP_ON },
	'treasury.transfer': { fields: OUTGOING },
	'treasury.ramp_on': { fields: RAMP_ON },
	'company_activity.client_status': {
		fields: words(
			'id company_id type email first_name last_name status rejection_code rejection_description created_at updated_at',
		),
		status: 'failed',
	},
};
