import type { z } from 'zod';

import type { EventDefinition } from './definition';
import { anything, decimal, instant, object, text } from './fields';

const wallet = {
	wallet_id: text(),
	wallet_address: text(),
	blockchain: text(),
	transaction_hash: text(),
	amount: decimal(),
};

const deposit = object({
	...wallet,
	from_wallet_address: text(),
	token: object({ address: text() }),
});

/** The fields of `token` are not shown here. */
const outgoing = { ...wallet, to_wallet_address: text(), token: anything(), created_at: instant() };

const transfer = object(outgoing);

/** `reason` is populated on failures; its type is not shown. */
const withdraw = object({ ...outgoing, reason: anything() });

/** The same shape for both products (§6.5). */
const rampOn = object({
	...wallet,
	exchange_rate: decimal(),
	token: object({ address: text(), symbol: text() }),
	source_amount: decimal(),
	source_currency: text(),
	source_from: anything(),
	created_at: instant(),
});

export type WalletDeposit = z.infer<typeof deposit>;
export type TreasuryTransfer = z.infer<typeof transfer>;
export type WalletWithdraw = z.infer<typeof withdraw>;
export type RampOn = z.infer<typeof rampOn>;

/** Products virtual_wallets and treasury (§6.5), in the order of the catalog. */
export const WALLET_EVENTS = [
	{
		product: 'virtual_wallets',
		event_type: 'deposit',
		label: 'Virtual Wallets: Deposit',
		output: 'VW Deposit',
		action: 'On deposit to a virtual wallet',
		when: 'An on-chain deposit was detected',
		data: deposit,
	},
	{
		product: 'virtual_wallets',
		event_type: 'withdraw',
		label: 'Virtual Wallets: Withdraw',
		output: 'Withdraw',
		action: 'On withdrawal from a virtual wallet',
		when: 'A withdrawal succeeded or failed: see its status',
		data: withdraw,
	},
	{
		product: 'virtual_wallets',
		event_type: 'ramp_on',
		label: 'Virtual Wallets: Ramp On',
		output: 'VW Ramp On',
		action: 'On ramp to a virtual wallet',
		when: 'A fiat deposit was converted to crypto and credited',
		data: rampOn,
	},
	{
		product: 'treasury',
		event_type: 'transfer',
		label: 'Treasury: Transfer',
		output: 'Transfer',
		action: 'On treasury transfer',
		when: 'A treasury transfer succeeded or failed: see its status',
		data: transfer,
	},
	{
		product: 'treasury',
		event_type: 'ramp_on',
		label: 'Treasury: Ramp On',
		output: 'Ramp On',
		action: 'On ramp to the treasury',
		when: 'A fiat deposit was converted to crypto and credited to the treasury',
		data: rampOn,
	},
] as const satisfies readonly EventDefinition[];
