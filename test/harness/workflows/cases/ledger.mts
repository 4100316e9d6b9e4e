import { IDS, sampleEvent } from '../../../simulator/index.mts';
import { paymentRow, PAYMENTS } from '../rows.mts';
import type { Case } from './case.mts';

/** Event of the transfer whose payment is in the table. */
const transferred = (data: object = {}) =>
	sampleEvent('treasury.transfer', { data: { ...TRANSFER, ...data } });
const TRANSFER = {
	wallet_id: IDS.wallet,
	to_wallet_address: `0x${'1'.repeat(40)}`,
	amount: '1.5',
	token: null,
};

/** Workflows about payments that were made. */
export const LEDGER: Case[] = [
	{
		file: 'treasury-confirmations.json',
		key: 'confirmations',
		situations: {
			'a payment without hash': {
				tables: { [PAYMENTS]: [paymentRow()] },
				event: transferred(),
				told: [],
				rows: { [PAYMENTS]: [{ confirmation: 'success' }] },
			},
			'no such payment': {
				tables: { [PAYMENTS]: [paymentRow({ amount: 9 })] },
				event: transferred(),
				told: [
					/^\*A transfer that fits no row of Treasury payments, or several\*\nTreasury transfer succeeded: 1\.5 /,
				],
				nodes: ['Tell: no such payment'],
			},
			morning: {
				tables: { [PAYMENTS]: [paymentRow()] },
				told: [/^\*Payments that are not confirmed: 1\*\n ?Sent: INV-7/],
				nodes: ['Not confirmed', 'Tell: not confirmed'],
			},
		},
	},
];
