import type { z } from 'zod';

import { shortAddress } from '../../shared/address';
import { shortened } from '../../shared/plainLine';
import {
	blockchain,
	decimal,
	event,
	failures,
	happened,
	instant,
	object,
	present,
	SAMPLE,
	sampleDeposit,
	STATUS_IN_WORDS,
	type ValueOf,
} from './definition';

const wallet = {
	wallet_id: present(),
	wallet_address: present(),
	blockchain: blockchain(),
	transaction_hash: present(),
	amount: decimal(),
};

const deposit = object({
	...wallet,
	from_wallet_address: present(),
	token: object({ address: present() }),
});

/** The fields of this `token` are not documented (§6.5). */
const outgoing = {
	...wallet,
	to_wallet_address: present(),
	token: present(),
	created_at: instant(),
};

const transfer = object(outgoing);

/** Payload of `ramp_on`, equal in both products (§6.5). */
const rampOn = object({
	...wallet,
	exchange_rate: present(),
	token: object({ address: present(), symbol: present() }),
	source_amount: decimal(),
	source_currency: present(),
	source_from: present(),
	created_at: instant(),
});

/** Successful transfer, so without `reason` (§6.5). */
const sampleTransfer = (now: string): z.infer<typeof transfer> => ({
	...SAMPLE.wallet,
	to_wallet_address: SAMPLE.outside,
	amount: '1250.50',
	// The fields of this `token` are assumed to be those of a deposit, because §6.5 does not show them.
	token: SAMPLE.token,
	created_at: now,
});

const sampleRampOn = (now: string): z.infer<typeof rampOn> => ({
	...SAMPLE.wallet,
	amount: '275.43',
	exchange_rate: '5.4460',
	token: { ...SAMPLE.token, symbol: 'USDC' },
	source_amount: '1500.00',
	source_currency: 'BRL',
	source_from: 'Ana Souza',
	created_at: now,
});

const sent =
	(what: string) =>
	(of: ValueOf, status: string): [string, string] => {
		// The fields of this `token` are not documented, so that it may be missing.
		const token = of('token.symbol', '') || shortAddress(of('token.address', ''));
		const amount = `${of('amount')} ${token ? `of token ${token}` : '(no token named)'}`;
		const hash = shortened(of('transaction_hash', ''), 11);
		return [
			STATUS_IN_WORDS.get(status) ?? 'Changed',
			`${what} of ${amount} from wallet ${of('wallet_id')} to ${of('to_wallet_address')}${hash && `, transaction ${hash}`}`,
		];
	};

const converted = (of: ValueOf, status: string): [string, string] => [
	happened('Converted', status),
	`${of('source_amount')} ${of('source_currency')} to ${of('amount')} ${of('token.symbol')} in wallet ${of('wallet_id')}`,
];

/** Events of the products virtual_wallets and treasury (§6.5), in the order of the catalog. */
export const WALLET_EVENTS = [
	event({
		product: 'virtual_wallets',
		event_type: 'deposit',
		label: 'Virtual Wallets: Deposit',
		output: 'VW Deposit',
		action: 'On deposit to virtual wallet',
		when: 'An on-chain deposit was detected',
		data: deposit,
		tell: (of, status) => [
			happened('Deposited', status),
			`${of('amount')} of token ${of('token.address')} in wallet ${of('wallet_id')}`,
		],
		sample: {
			status: 'success',
			data: sampleDeposit,
		},
	}),
	event({
		product: 'virtual_wallets',
		event_type: 'withdraw',
		label: 'Virtual Wallets: Withdraw',
		output: 'Withdraw',
		action: 'On withdrawal from virtual wallet',
		when: 'A withdrawal succeeded or failed: see its status',
		data: transfer,
		// The type of `reason` is not documented.
		deviations: ({ status, data: { reason } }) =>
			status === 'failed' && (reason === undefined || reason === null || reason === '')
				? ['data.reason: is missing, although the withdrawal failed']
				: [],
		tell: sent('withdrawal'),
		part: failures(
			{
				label: 'Virtual Wallets: Withdraw Failed',
				output: 'Withdr. Failed',
				action: 'On withdrawal from virtual wallet failed',
				when: 'A withdrawal failed or was canceled',
			},
			// The content of `reason` is not documented (§6.5).
			{ reason: 'sample-reason' },
		),
		sample: { status: 'success', data: sampleTransfer },
	}),
	event({
		product: 'virtual_wallets',
		event_type: 'ramp_on',
		label: 'Virtual Wallets: Ramp On',
		output: 'VW Ramp On',
		action: 'On ramp to virtual wallet',
		when: 'A fiat deposit was converted to crypto and credited',
		data: rampOn,
		tell: converted,
		sample: { status: 'success', data: sampleRampOn },
	}),
	event({
		product: 'treasury',
		event_type: 'transfer',
		label: 'Treasury: Transfer',
		output: 'Transfer',
		action: 'On treasury transfer',
		when: 'A treasury transfer succeeded or failed: see its status',
		data: transfer,
		tell: sent('transfer'),
		part: failures({
			label: 'Treasury: Transfer Failed',
			output: 'Transf. Failed',
			action: 'On treasury transfer failed',
			when: 'A treasury transfer failed or was canceled',
		}),
		sample: { status: 'success', data: sampleTransfer },
	}),
	event({
		product: 'treasury',
		event_type: 'ramp_on',
		label: 'Treasury: Ramp On',
		output: 'Ramp On',
		action: 'On ramp to treasury',
		when: 'A fiat deposit was converted to crypto and credited to the treasury',
		data: rampOn,
		tell: converted,
		sample: { status: 'success', data: sampleRampOn },
	}),
];
