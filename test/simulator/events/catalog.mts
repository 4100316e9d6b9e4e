import { randomBytes, randomUUID } from 'node:crypto';

import { IDS } from '../ids.mts';

/** Sample of an event. */
interface Sample {
	/** Default: `success`. */
	status?: string;
	/** Creates fresh, realistic data. Amounts are decimal strings, chains are lowercase (§1.3, §6.5). */
	data(): Record<string, unknown>;
	/** Additional data if the event's status is `failed`. */
	failureData?: Record<string, unknown>;
}

const now = () => new Date().toISOString();
const TOKEN = { address: '0x70ce000000000000000000000000000000000002' };
const OUTSIDE_ADDRESS = `0x${'c3'.repeat(20)}`;

const onChain = () => ({
	wallet_id: IDS.wallet,
	wallet_address: `0x${'a1'.repeat(20)}`,
	blockchain: 'polygon',
	transaction_hash: `0x${randomBytes(32).toString('hex')}`,
});

/** On-chain deposit of cards and virtual wallets. */
const deposit = () => ({
	...onChain(),
	from_wallet_address: OUTSIDE_ADDRESS,
	amount: '250.000001',
});

/** Money that leaves a wallet: withdrawals and treasury transfers. */
const outgoing = () => ({
	...onChain(),
	to_wallet_address: OUTSIDE_ADDRESS,
	amount: '1250.50',
	// §6.5 does not show the fields of `token` here; those of a deposit are assumed.
	token: TOKEN,
	created_at: now(),
});

/** Ramp-on of virtual wallets and treasury, which share a format (§6.5). */
const rampOn = () => ({
	...onChain(),
	amount: '275.43',
	exchange_rate: '5.4460',
	token: { ...TOKEN, symbol: 'USDC' },
	source_amount: '1500.00',
	source_currency: 'BRL',
	source_from: 'Ana Souza',
	created_at: now(),
});

/** Short card transaction payload (§6.5). */
const cardTransaction = () => ({
	card_id: IDS.activeCard,
	bill_amount: '52.35',
	bill_currency_code: 'USD',
	fees: { atm_fees: '0.00', fx_fees: '0.35' },
	transaction_amount: '48.10',
	transaction_currency_code: 'EUR',
	channel: 'POS',
	created_at: now(),
	merchant_data: { name: 'Coffee & Books', mcc_code: '5942' },
	decline_reason: null,
});

/** Extended card transaction payload (§6.5), without `signature`, which only DeFi-signed authorizations carry. */
function authorization() {
	const transaction = cardTransaction();
	return {
		...transaction,
		bill_currency_number: '840',
		exchange_rate: '1.0810',
		transaction_currency_number: '978',
		merchant_data: {
			...transaction.merchant_data,
			id: 'merchant-000123',
			city: 'Madrid',
			post_code: '28013',
			state: 'MD',
			country: 'ESP',
			mcc_category: 'Book stores',
		},
		metadata: { account: IDS.account },
	};
}

const declined = () => ({
	...cardTransaction(),
	decline_reason: {
		response_code: '51',
		description: 'Insufficient funds',
		code: 'INSUFFICIENT_FUNDS',
		simple_reason: 'The card has not enough balance',
		detailed_reason: 'The available collateral is lower than the amount of the transaction',
	},
});

const warrantyWithdraw = () => {
	const { transaction_hash, ...wallet } = onChain();
	return {
		...wallet,
		card_id: IDS.activeCard,
		transaction_hash,
		to_wallet_address: OUTSIDE_ADDRESS,
		amount: '100.00',
		token_address: TOKEN.address,
		created_at: now(),
	};
};

const cardBlockedByVelocity = () => ({
	card_id: IDS.activeCard,
	company_id: IDS.company,
	blocked_at: now(),
	triggered_rule: { max_authorizations: 3, time_window_seconds: 60 },
	last_authorization_id: randomUUID(),
});

const notification3ds = () => ({
	code: '482913',
	card_id: IDS.activeCard,
	merchant_name: 'Cloud Hosting Inc',
	merchant_country_code: 'US',
	transaction_amount: '120.00',
	transaction_currency: 'USD',
	transaction_timestamp: now(),
});

/** Client rejected by the ramp provider (§3), so the event's status is `failed`. */
const clientStatus = () => ({
	id: IDS.client,
	company_id: IDS.company,
	type: 'individual',
	email: 'ana.souza@example.com',
	first_name: 'Ana',
	last_name: 'Souza',
	status: 'rejected',
	rejection_code: 'DOCUMENT_UNREADABLE',
	rejection_description: 'The front image of the passport could not be read.',
	created_at: '2026-10-01T08:00:00.000Z',
	updated_at: now(),
});

/** Samples by `<product>.<event_type>`. */
export const SAMPLES: Record<string, Sample> = {
	'cards.authorization': { data: authorization, status: 'pending' },
	'cards.authorized': { data: cardTransaction },
	'cards.cleared': { data: cardTransaction },
	'cards.declined': { data: declined, status: 'failed' },
	'cards.reversal': { data: cardTransaction },
	'cards.refund': { data: cardTransaction },
	// The net amount is the amount after fees.
	'cards.deposit': { data: () => ({ ...deposit(), net_amount: '249.750001', token: TOKEN }) },
	'cards.cardnet_direct_deposit': { data: cardTransaction },
	'cards.warranty_withdraw': { data: warrantyWithdraw },
	// The document does not show the event's status. The block itself succeeded, so `success` is assumed.
	'cards.card_blocked_by_velocity': { data: cardBlockedByVelocity },
	'cards.notification_3ds_authorization': { data: notification3ds, status: 'pending' },
	'virtual_wallets.deposit': { data: () => ({ ...deposit(), token: TOKEN }) },
	// `reason` is set on failures only; the document does not show its type.
	'virtual_wallets.withdraw': {
		data: outgoing,
		failureData: { reason: 'Insufficient balance for the network fee' },
	},
	'virtual_wallets.ramp_on': { data: rampOn },
	'treasury.transfer': { data: outgoing },
	'treasury.ramp_on': { data: rampOn },
	'company_activity.client_status': { data: clientStatus, status: 'failed' },
};
