import type { z } from 'zod';

import { UNDECIDED } from '../../shared/authorizationAnswer';
import {
	blockchain,
	decimal,
	digits,
	event,
	failures,
	happened,
	instant,
	integer,
	object,
	onlyStatus,
	present,
	SAMPLE,
	sampleDeposit,
	STATUS_IN_WORDS,
	text,
	uuid,
	type EventDefinition,
	type ValueOf,
} from './definition';

/** Fields that all card transactions share (§6.5). */
const payload = {
	card_id: text(),
	bill_amount: decimal(),
	bill_currency_code: text(),
	fees: object({ atm_fees: decimal(), fx_fees: decimal() }),
	transaction_amount: decimal(),
	transaction_currency_code: text(),
	channel: text(),
	created_at: instant(),
};

/** Merchant fields that all card transactions share. The document gives no types for them (§6.5). */
const merchant = { name: present(), mcc_code: present() };

const declineReason = object({
	response_code: present(),
	description: present(),
	code: present(),
	simple_reason: present(),
	detailed_reason: present(),
});

const transaction = object({
	...payload,
	merchant_data: object(merchant),
	decline_reason: declineReason.nullable(),
});

/** Declined purchase. Only such a transaction has a `decline_reason` (§6.5). */
const declined = object({
	...payload,
	merchant_data: object(merchant),
	decline_reason: declineReason,
});

const authorization = object({
	...payload,
	bill_currency_number: digits(),
	exchange_rate: decimal(),
	transaction_currency_number: text(),
	merchant_data: object({
		...merchant,
		id: present(),
		city: present(),
		post_code: present(),
		state: present(),
		country: present(),
		mcc_category: present(),
	}),
	decline_reason: declineReason.nullable(),
	metadata: object({ account: present() }),
	signature: text().optional(),
});

const deposit = object({
	wallet_id: present(),
	wallet_address: present(),
	blockchain: blockchain(),
	transaction_hash: present(),
	from_wallet_address: present(),
	amount: decimal(),
	net_amount: decimal(),
	token: object({ address: present() }),
});

const warrantyWithdraw = object({
	wallet_id: present(),
	wallet_address: present(),
	blockchain: blockchain(),
	card_id: present(),
	transaction_hash: present(),
	to_wallet_address: present(),
	amount: decimal(),
	token_address: present(),
	created_at: instant(),
});

const blockedByVelocity = object({
	card_id: uuid(),
	company_id: uuid(),
	blocked_at: instant(),
	triggered_rule: object({ max_authorizations: integer(), time_window_seconds: integer() }),
	last_authorization_id: text().nullable(),
});

const notification3ds = object({
	code: present(),
	card_id: present(),
	merchant_name: present(),
	merchant_country_code: present(),
	transaction_amount: decimal(),
	transaction_currency: present(),
	transaction_timestamp: instant(),
});

const sampleTransaction = (now: string): z.infer<typeof transaction> => ({
	card_id: SAMPLE.card,
	bill_amount: '52.35',
	bill_currency_code: 'USD',
	fees: { atm_fees: '0.00', fx_fees: '0.35' },
	transaction_amount: '48.10',
	transaction_currency_code: 'EUR',
	channel: 'POS',
	created_at: now,
	merchant_data: { name: 'Coffee & Books', mcc_code: '5942' },
	decline_reason: null,
});

/** Event of the product cards. */
const card = <Schema extends z.ZodTypeAny>(
	row: Omit<EventDefinition<Schema>, 'product'>,
): EventDefinition => event({ product: 'cards', ...row });

const purchase = (of: ValueOf) =>
	`${of('bill_amount')} ${of('bill_currency_code')} at ${of('merchant_data.name')} with card ${of('card_id')}`;

/** Event of a successful transaction. */
const transacted = (
	news: string,
	row: Omit<EventDefinition, 'product' | 'data' | 'sample' | 'tell'>,
): EventDefinition =>
	card({
		...row,
		data: transaction,
		tell: (of, status) => [happened(news, status), purchase(of)],
		sample: { status: 'success', data: sampleTransaction },
	});

/** Product cards (§6.5), in the order of the catalog. */
export const CARD_EVENTS = [
	card({
		event_type: 'authorization',
		label: 'Cards: Authorization',
		output: 'Authorization',
		action: 'On card authorization awaiting decision',
		when: 'A card transaction needs your approval, within 1.2 seconds',
		data: authorization,
		deviations: onlyStatus('pending'),
		tell: (of) => [UNDECIDED, purchase(of)],
		sample: {
			status: 'pending',
			data: (now) => ({
				...sampleTransaction(now),
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
			}),
		},
	}),
	transacted('Authorized', {
		event_type: 'authorized',
		label: 'Cards: Authorized',
		output: 'Authorized',
		action: 'On card transaction authorized',
		when: 'A transaction was approved and is being processed',
	}),
	transacted('Cleared', {
		event_type: 'cleared',
		label: 'Cards: Cleared',
		output: 'Cleared',
		action: 'On card transaction cleared',
		when: 'A previously authorized transaction settles',
	}),
	card({
		event_type: 'declined',
		label: 'Cards: Declined',
		output: 'Declined',
		action: 'On card transaction declined',
		when: 'A transaction was declined by the network or by the service',
		data: declined,
		tell: (of) => ['Declined', `${purchase(of)}: ${of('decline_reason.description')}`],
		sample: {
			status: 'failed',
			data: (now) => ({
				...sampleTransaction(now),
				decline_reason: {
					response_code: '51',
					description: 'Insufficient funds',
					code: 'INSUFFICIENT_FUNDS',
					simple_reason: 'The balance is too low',
					detailed_reason: 'The balance is lower than the amount of the transaction',
				},
			}),
		},
	}),
	transacted('Reversed', {
		event_type: 'reversal',
		label: 'Cards: Reversal',
		output: 'Reversal',
		action: 'On card transaction reversed',
		when: 'A prior authorization is reversed or released by the network',
	}),
	transacted('Refunded', {
		event_type: 'refund',
		label: 'Cards: Refund',
		output: 'Refund',
		action: 'On card refund',
		when: 'A merchant refund is received',
	}),
	card({
		event_type: 'deposit',
		label: 'Cards: Deposit',
		output: 'Card Deposit',
		action: 'On deposit to card wallet',
		when: 'A deposit is credited to the card-linked wallet, after fees',
		data: deposit,
		tell: (of, status) => [
			happened('Deposited', status),
			`${of('net_amount')} of token ${of('token.address')} in the wallet of a card, ${of('wallet_id')}`,
		],
		sample: {
			status: 'success',
			data: () => ({ ...sampleDeposit(), net_amount: '249.750001' }),
		},
	}),
	transacted('Credited', {
		event_type: 'cardnet_direct_deposit',
		label: 'Cards: Cardnet Direct Deposit',
		output: 'Cardnet',
		action: 'On Cardnet direct deposit to card',
		when: 'The card receives money by a push transfer of the card network',
	}),
	card({
		event_type: 'warranty_withdraw',
		label: 'Cards: Warranty Withdraw',
		output: 'Warranty',
		action: 'On withdrawal from warranty wallet',
		when: 'A withdrawal from the warranty or holding wallet succeeded or failed: see its status',
		data: warrantyWithdraw,
		tell: (of, status) => [
			STATUS_IN_WORDS.get(status) ?? 'Changed',
			`withdrawal of ${of('amount')} from warranty wallet ${of('wallet_id')} to ${of('to_wallet_address')}`,
		],
		part: failures({
			label: 'Cards: Warranty Withdraw Failed',
			output: 'Warr. Failed',
			action: 'On withdrawal from warranty wallet failed',
			when: 'A withdrawal from the warranty or holding wallet failed or was canceled',
		}),
		sample: {
			status: 'success',
			data: (now) => ({
				...SAMPLE.wallet,
				card_id: SAMPLE.card,
				to_wallet_address: SAMPLE.outside,
				amount: '100.00',
				token_address: SAMPLE.token.address,
				created_at: now,
			}),
		},
	}),
	card({
		event_type: 'card_blocked_by_velocity',
		label: 'Cards: Card Blocked by Velocity',
		output: 'Blocked',
		action: 'On card blocked by velocity',
		when: 'A velocity rule blocked a card; sent once per block',
		data: blockedByVelocity,
		deviations: ({ operation_id, data }) =>
			operation_id === data.card_id ? [] : ['operation_id: must be the card_id for this event'],
		tell: (of) => [
			'Blocked',
			`card ${of('card_id')}, after more than ${of('triggered_rule.max_authorizations')} authorizations in ${of('triggered_rule.time_window_seconds')} seconds`,
		],
		sample: {
			status: 'success',
			operation_id: SAMPLE.card,
			company_id: SAMPLE.company,
			data: (now) => ({
				card_id: SAMPLE.card,
				company_id: SAMPLE.company,
				blocked_at: now,
				triggered_rule: { max_authorizations: 3, time_window_seconds: 60 },
				last_authorization_id: 'sample-authorization',
			}),
		},
	}),
	card({
		event_type: 'notification_3ds_authorization',
		label: 'Cards: 3DS Code',
		output: '3DS Code',
		action: 'On 3DS code',
		when: 'The code for a 3DS challenge; needs no decision and is sent once',
		data: notification3ds,
		deviations: onlyStatus('pending'),
		// The code is left out, because a summary may be posted where others read it.
		tell: (of) => [
			'Received',
			`a 3DS code for ${of('transaction_amount')} ${of('transaction_currency')} at ${of('merchant_name')} with card ${of('card_id')}`,
		],
		sample: {
			status: 'pending',
			data: (now) => ({
				code: '482913',
				card_id: SAMPLE.card,
				merchant_name: 'Cloud Hosting Inc',
				merchant_country_code: 'US',
				transaction_amount: '120.00',
				transaction_currency: 'USD',
				transaction_timestamp: now,
			}),
		},
	}),
];
