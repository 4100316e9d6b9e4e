import type { z } from 'zod';

import { authorization, cardTransaction, declinedTransaction } from './cardTransaction';
import type { EventDefinition } from './definition';
import { decimal, instant, integer, object, text, uuid } from './fields';

const deposit = object({
	wallet_id: text(),
	wallet_address: text(),
	blockchain: text(),
	transaction_hash: text(),
	from_wallet_address: text(),
	amount: decimal(),
	net_amount: decimal(),
	token: object({ address: text() }),
});

const warrantyWithdraw = object({
	wallet_id: text(),
	wallet_address: text(),
	blockchain: text(),
	card_id: text(),
	transaction_hash: text(),
	to_wallet_address: text(),
	amount: decimal(),
	token_address: text(),
	created_at: instant(),
});

const blockedByVelocity = object({
	card_id: uuid(),
	company_id: uuid(),
	blocked_at: instant(),
	triggered_rule: object({ max_authorizations: integer(0), time_window_seconds: integer(0) }),
	last_authorization_id: text().nullable(),
});

const notification3ds = object({
	code: text(),
	card_id: text(),
	merchant_name: text(),
	merchant_country_code: text(),
	transaction_amount: decimal(),
	transaction_currency: text(),
	transaction_timestamp: text(),
});

export type CardDeposit = z.infer<typeof deposit>;
export type WarrantyWithdraw = z.infer<typeof warrantyWithdraw>;
export type BlockedByVelocity = z.infer<typeof blockedByVelocity>;
export type Notification3ds = z.infer<typeof notification3ds>;

const card = <Schema extends z.ZodTypeAny>(
	event_type: string,
	label: string,
	output: string,
	action: string,
	when: string,
	data: Schema,
): EventDefinition<Schema> => ({
	product: 'cards',
	event_type,
	label: `Cards: ${label}`,
	output,
	action,
	when,
	data,
});

/** Product cards (§6.5), in the order of the catalog. */
export const CARD_EVENTS = [
	card(
		'authorization',
		'Authorization',
		'Authorization',
		'On card authorization that needs a decision',
		'A card transaction needs your approval. Your answer decides it, within 1.2 seconds',
		authorization,
	),
	card(
		'authorized',
		'Authorized',
		'Authorized',
		'On card transaction authorized',
		'A transaction was approved and is being processed',
		cardTransaction,
	),
	card(
		'cleared',
		'Cleared',
		'Cleared',
		'On card transaction cleared',
		'A previously authorized transaction settles',
		cardTransaction,
	),
	card(
		'declined',
		'Declined',
		'Declined',
		'On card transaction declined',
		'A transaction was declined by the network or by the service',
		declinedTransaction,
	),
	card(
		'reversal',
		'Reversal',
		'Reversal',
		'On card transaction reversed',
		'A prior authorization is reversed or released by the network',
		cardTransaction,
	),
	card(
		'refund',
		'Refund',
		'Refund',
		'On card refund',
		'A merchant refund is received',
		cardTransaction,
	),
	card(
		'deposit',
		'Deposit',
		'Card Deposit',
		'On deposit to a card wallet',
		'A deposit is credited to the card-linked wallet, after fees',
		deposit,
	),
	card(
		'cardnet_direct_deposit',
		'Cardnet Direct Deposit',
		'Cardnet',
		'On Cardnet direct deposit to a card',
		'A push funds transfer over the card network credits the card',
		cardTransaction,
	),
	card(
		'warranty_withdraw',
		'Warranty Withdraw',
		'Warranty',
		'On withdrawal from a warranty wallet',
		'A withdrawal from the warranty or holding wallet succeeded or failed: see its status',
		warrantyWithdraw,
	),
	card(
		'card_blocked_by_velocity',
		'Card Blocked by Velocity',
		'Blocked',
		'On card blocked by velocity',
		'A velocity rule blocked a card. Sent once per block',
		blockedByVelocity,
	),
	card(
		'notification_3ds_authorization',
		'3DS Code',
		'3DS Code',
		'On 3DS code',
		'The code for a 3DS challenge. Needs no decision and is sent once',
		notification3ds,
	),
] as const satisfies readonly EventDefinition[];
