import { randomUUID } from 'node:crypto';
import { IDS } from '../ids.mts';
import { AUTHORIZATION, INFORMATIONAL, REGULAR, type EventDefinition } from './definition.mts';
import {
	TOKEN,
	WALLET,
	cardTransaction,
	deposit,
	now,
	operationId,
	transactionHash,
} from './samples.mts';

const product = 'cards';

/** The card transaction in its extended form (§6.5). `signature` is left out: only DeFi-signed authorizations carry it. */
const authorization: EventDefinition = {
	product,
	event_type: 'authorization',
	...AUTHORIZATION,
	decides: true,
	sample() {
		const transaction = cardTransaction();
		return {
			operation_id: operationId(),
			status: 'pending',
			data: {
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
			},
		};
	},
};

const authorized = transactionEvent('authorized', 'success');
const cleared = transactionEvent('cleared', 'success');
const reversal = transactionEvent('reversal', 'success');
const refund = transactionEvent('refund', 'success');
const cardnetDirectDeposit = transactionEvent('cardnet_direct_deposit', 'success');
const declined = transactionEvent('declined', 'failed', {
	decline_reason: {
		response_code: '51',
		description: 'Insufficient funds',
		code: 'INSUFFICIENT_FUNDS',
		simple_reason: 'The card has not enough balance',
		detailed_reason: 'The available collateral is lower than the amount of the transaction',
	},
});

const cardDeposit: EventDefinition = {
	product,
	event_type: 'deposit',
	...REGULAR,
	sample: () => ({
		operation_id: operationId(),
		status: 'success',
		// Credited after fees, hence the net amount.
		data: { ...deposit(), net_amount: '249.750001', token: TOKEN },
	}),
};

const warrantyWithdraw: EventDefinition = {
	product,
	event_type: 'warranty_withdraw',
	...REGULAR,
	sample: () => ({
		operation_id: operationId(),
		status: 'success',
		data: {
			...WALLET,
			card_id: IDS.activeCard,
			transaction_hash: transactionHash(),
			to_wallet_address: `0x${'c3'.repeat(20)}`,
			amount: '100.00',
			token_address: TOKEN.address,
			created_at: now(),
		},
	}),
};

const cardBlockedByVelocity: EventDefinition = {
	product,
	event_type: 'card_blocked_by_velocity',
	...REGULAR,
	sample: () => ({
		operation_id: IDS.activeCard,
		// The event's status is not shown; the block itself has succeeded.
		status: 'success',
		company_id: IDS.company,
		data: {
			card_id: IDS.activeCard,
			company_id: IDS.company,
			blocked_at: now(),
			triggered_rule: { max_authorizations: 3, time_window_seconds: 60 },
			last_authorization_id: randomUUID(),
		},
	}),
	operationId: (data) => String(data.card_id),
};

const notification3dsAuthorization: EventDefinition = {
	product,
	event_type: 'notification_3ds_authorization',
	...INFORMATIONAL,
	sample: () => ({
		operation_id: operationId(),
		status: 'pending',
		data: {
			code: '482913',
			card_id: IDS.activeCard,
			merchant_name: 'Cloud Hosting Inc',
			merchant_country_code: 'US',
			transaction_amount: '120.00',
			transaction_currency: 'USD',
			transaction_timestamp: now(),
		},
	}),
};

/** Product cards, in the order of the catalog. */
export const CARD_EVENTS: readonly EventDefinition[] = [
	authorization,
	authorized,
	cleared,
	declined,
	reversal,
	refund,
	cardDeposit,
	cardnetDirectDeposit,
	warrantyWithdraw,
	cardBlockedByVelocity,
	notification3dsAuthorization,
];

function transactionEvent(
	event_type: string,
	status: string,
	differences: Record<string, unknown> = {},
): EventDefinition {
	return {
		product,
		event_type,
		...REGULAR,
		sample: () => ({
			operation_id: operationId(),
			status,
			data: { ...cardTransaction(), ...differences },
		}),
	};
}
