import type { z } from 'zod';

import { anything, decimal, instant, object, text } from './fields';

/** The card transaction payload (§6.5); `authorization` carries the extended form below. */
const transaction = {
	card_id: text(),
	bill_amount: decimal(),
	bill_currency_code: text(),
	fees: object({ atm_fees: decimal(), fx_fees: decimal() }),
	transaction_amount: decimal(),
	transaction_currency_code: text(),
	channel: text(),
	created_at: instant(),
	signature: text().optional(),
};

const merchant = { name: text(), mcc_code: text() };

const declineReason = object({
	response_code: text(),
	description: text(),
	code: text(),
	simple_reason: text(),
	detailed_reason: text(),
});

export const cardTransaction = object({
	...transaction,
	merchant_data: object(merchant),
	decline_reason: declineReason.nullish(),
});

/** "Populated on `declined`" (§6.5). */
export const declinedTransaction = object({
	...transaction,
	merchant_data: object(merchant),
	decline_reason: declineReason,
});

export const authorization = object({
	...transaction,
	bill_currency_number: text(),
	exchange_rate: decimal(),
	transaction_currency_number: text(),
	merchant_data: object({
		...merchant,
		id: text(),
		city: text(),
		post_code: text(),
		state: text(),
		country: text(),
		mcc_category: text(),
	}),
	decline_reason: declineReason.nullish(),
	metadata: object({ account: anything() }),
});

export type CardTransaction = z.infer<typeof cardTransaction>;
export type DeclinedTransaction = z.infer<typeof declinedTransaction>;
export type Authorization = z.infer<typeof authorization>;
