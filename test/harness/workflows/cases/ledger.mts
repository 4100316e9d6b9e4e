import { IDS, sampleEvent } from '../../../simulator/index.mts';
import { NOT_BY_PAY, PAID, paymentRow } from '../rows.mts';
import type { Case } from './case.mts';

/** Event of the transfer whose payment is in the table. */
const transferred = () =>
	sampleEvent('treasury.transfer', {
		data: {
			wallet_id: IDS.wallet,
			to_wallet_address: `0x${'1'.repeat(40)}`,
			amount: '1.5',
			token: null,
		},
	});

const YESTERDAY = new Date(Date.now() - 86_400_000).toISOString();

export const LEDGER: Case[] = [
	{
		file: 'treasury-confirmations.json',
		situations: {
			'a payment without hash': {
				tables: { [PAID]: [paymentRow()] },
				event: transferred(),
				rows: { [PAID]: [{ confirmation: 'success' }] },
			},
			'no such payment': {
				tables: { [PAID]: [paymentRow({ amount: 9 })] },
				event: transferred(),
				rows: { [PAID]: [{ confirmation: null }, { outcome: NOT_BY_PAY, amount: 1.5 }] },
				nodes: ['Not by Pay'],
			},
			morning: {
				tables: {
					[PAID]: [
						paymentRow(),
						paymentRow({ outcome: NOT_BY_PAY, summary: 'Treasury transfer succeeded: 90000' }),
					],
				},
				told: [
					/^\*Payments to look at: 2\*\na foreign transfer, not by Pay +Treasury transfer succeeded: 90000\ndone +Sent: INV-7/,
				],
				rows: { [PAID]: [{ confirmation: null }, { confirmation: 'told' }] },
				nodes: ['To look at', 'Tell', 'Told'],
			},
		},
	},
	{
		file: 'payments-of-the-month.json',
		situations: {
			usual: {
				tables: { [PAID]: [paymentRow({ day: YESTERDAY })] },
				done: ['finance@example.com'],
			},
		},
	},
];
