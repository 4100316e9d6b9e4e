import { randomBytes, randomUUID } from 'node:crypto';
import { IDS } from '../ids.mts';

/** Parts that the samples share. Each call gives a fresh one. */

export const now = () => new Date().toISOString();

export const transactionHash = () => `0x${randomBytes(32).toString('hex')}`;

export const TOKEN = { address: '0x70ce000000000000000000000000000000000002' };

export const WALLET = {
	wallet_id: IDS.wallet,
	wallet_address: `0x${'a1'.repeat(20)}`,
	blockchain: 'polygon',
};

const OUTSIDE_ADDRESS = `0x${'c3'.repeat(20)}`;

/** An on-chain deposit, of cards and virtual wallets. */
export function deposit() {
	return {
		...WALLET,
		transaction_hash: transactionHash(),
		from_wallet_address: OUTSIDE_ADDRESS,
		amount: '250.000001',
	};
}

/** Money that leaves a wallet: withdrawals and treasury transfers. */
export function outgoing() {
	return {
		...WALLET,
		transaction_hash: transactionHash(),
		to_wallet_address: OUTSIDE_ADDRESS,
		amount: '1250.50',
		// Its fields are not shown here (§6.5): assumed to be those of a deposit's.
		token: TOKEN,
		created_at: now(),
	};
}

/** `ramp_on`, the same shape for virtual wallets and treasury (§6.5). */
export function rampOn() {
	return {
		...WALLET,
		transaction_hash: transactionHash(),
		amount: '275.43',
		exchange_rate: '5.4460',
		token: { ...TOKEN, symbol: 'USDC' },
		source_amount: '1500.00',
		source_currency: 'BRL',
		source_from: 'Ana Souza',
		created_at: now(),
	};
}

/** The card transaction payload (§6.5) in its short form. */
export function cardTransaction() {
	return {
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
	};
}

export const operationId = () => randomUUID();
