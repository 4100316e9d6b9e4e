import { AUTHORIZATION, BLOCKED_BY_VELOCITY, CLIENT_STATUS } from './index';
import type { Authorization, CardTransaction, DeclinedTransaction } from './cardTransaction';
import type { BlockedByVelocity, CardDeposit, Notification3ds, WarrantyWithdraw } from './cards';
import type { ClientRecord } from './companyActivity';
import type { RampOn, TreasuryTransfer, WalletDeposit, WalletWithdraw } from './wallets';

const CARD = '00000000-0000-4000-8000-00000000ca4d';
const COMPANY = '00000000-0000-4000-8000-00000000c0c0';
const TOKEN = { address: '0x70ce000000000000000000000000000000000002' };
const OUTSIDE = `0x${'c3'.repeat(20)}`;

const wallet = {
	wallet_id: 'sample-wallet',
	wallet_address: `0x${'a1'.repeat(20)}`,
	// Lower case in events (§6.5).
	blockchain: 'polygon',
	transaction_hash: `0x${'5a'.repeat(32)}`,
};

const transaction = (created_at: string): CardTransaction => ({
	card_id: CARD,
	bill_amount: '52.35',
	bill_currency_code: 'USD',
	fees: { atm_fees: '0.00', fx_fees: '0.35' },
	transaction_amount: '48.10',
	transaction_currency_code: 'EUR',
	channel: 'POS',
	created_at,
	merchant_data: { name: 'Coffee & Books', mcc_code: '5942' },
	decline_reason: null,
});

const authorization = (created_at: string): Authorization => ({
	...transaction(created_at),
	bill_currency_number: '840',
	exchange_rate: '1.0810',
	transaction_currency_number: '978',
	merchant_data: {
		name: 'Coffee & Books',
		mcc_code: '5942',
		id: 'sample-merchant',
		city: 'Madrid',
		post_code: '28013',
		state: 'MD',
		country: 'ESP',
		mcc_category: 'Book stores',
	},
	metadata: { account: 'sample-account' },
});

const declined = (created_at: string): DeclinedTransaction => ({
	...transaction(created_at),
	decline_reason: {
		response_code: '51',
		description: 'Insufficient funds',
		code: 'INSUFFICIENT_FUNDS',
		simple_reason: 'The balance is too low',
		detailed_reason: 'The balance is lower than the amount of the transaction',
	},
});

const deposit = (): WalletDeposit => ({
	...wallet,
	from_wallet_address: OUTSIDE,
	amount: '250.000001',
	token: TOKEN,
});

const cardDeposit = (): CardDeposit => ({ ...deposit(), net_amount: '249.750001' });

const warrantyWithdraw = (created_at: string): WarrantyWithdraw => ({
	...wallet,
	card_id: CARD,
	to_wallet_address: OUTSIDE,
	amount: '100.00',
	token_address: TOKEN.address,
	created_at,
});

const blocked = (blocked_at: string): BlockedByVelocity => ({
	card_id: CARD,
	company_id: COMPANY,
	blocked_at,
	triggered_rule: { max_authorizations: 3, time_window_seconds: 60 },
	last_authorization_id: 'sample-authorization',
});

const notification3ds = (transaction_timestamp: string): Notification3ds => ({
	code: '482913',
	card_id: CARD,
	merchant_name: 'Cloud Hosting Inc',
	merchant_country_code: 'US',
	transaction_amount: '120.00',
	transaction_currency: 'USD',
	transaction_timestamp,
});

const transfer = (created_at: string): TreasuryTransfer => ({
	...wallet,
	to_wallet_address: OUTSIDE,
	amount: '1250.50',
	// Its fields are not shown here (§6.5): assumed to be those of a deposit's.
	token: TOKEN,
	created_at,
});

/** One that succeeds, without the `reason` of a failure (§6.5). */
const withdraw = (created_at: string): WalletWithdraw => transfer(created_at);

const rampOn = (created_at: string): RampOn => ({
	...wallet,
	amount: '275.43',
	exchange_rate: '5.4460',
	token: { ...TOKEN, symbol: 'USDC' },
	source_amount: '1500.00',
	source_currency: 'BRL',
	source_from: 'Ana Souza',
	created_at,
});

const client = (at: string): ClientRecord => ({
	id: 'sample-client',
	company_id: COMPANY,
	type: 'individual',
	email: 'ana.souza@example.com',
	first_name: 'Ana',
	last_name: 'Souza',
	status: 'rejected',
	rejection_code: 'DOCUMENT_UNREADABLE',
	rejection_description: 'The document cannot be read',
	created_at: at,
	updated_at: at,
});

/** Status and data of each event's sample. Where the document shows no status, the one that fits. */
const SAMPLES: Record<string, [status: string, data: (at: string) => object]> = {
	[AUTHORIZATION]: ['pending', authorization],
	'cards.authorized': ['success', transaction],
	'cards.cleared': ['success', transaction],
	'cards.declined': ['failed', declined],
	'cards.reversal': ['success', transaction],
	'cards.refund': ['success', transaction],
	'cards.deposit': ['success', cardDeposit],
	'cards.cardnet_direct_deposit': ['success', transaction],
	'cards.warranty_withdraw': ['success', warrantyWithdraw],
	[BLOCKED_BY_VELOCITY]: ['success', blocked],
	'cards.notification_3ds_authorization': ['pending', notification3ds],
	'virtual_wallets.deposit': ['success', deposit],
	'virtual_wallets.withdraw': ['success', withdraw],
	'virtual_wallets.ramp_on': ['success', rampOn],
	'treasury.transfer': ['success', transfer],
	'treasury.ramp_on': ['success', rampOn],
	[CLIENT_STATUS]: ['failed', client],
};

/** The names of the events that have a sample. */
export const SAMPLE_EVENTS = Object.keys(SAMPLES);

/**
 * A sample of an event in its documented form (§6.5), recognizable by its operation_id.
 * @param name one of `SAMPLE_EVENTS`
 */
export function sampleOf(name: string, operationId: string, now: Date) {
	const [product = '', event_type = ''] = name.split('.');
	const [status, data] = SAMPLES[name] ?? ['success', () => ({})];
	return {
		product,
		event_type,
		operation_id: operationId,
		status,
		...(name === BLOCKED_BY_VELOCITY && { company_id: COMPANY }),
		data: { ...data(now.toISOString()) },
	};
}
