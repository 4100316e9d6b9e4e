import { IDS } from '../../../simulator/index.mts';
import { invoiceRow, PAID, recipientRow, walletRow } from '../rows.mts';
import type { Case } from './case.mts';

export const WALLETS = 'Treasury wallets';
export const RECIPIENTS = 'Recipients for agents';

export const MONEY: Case[] = [
	{
		file: 'treasury-sweep.json',
		situations: {
			due: {
				tables: { [PAID]: [], [WALLETS]: [walletRow('450.5')] },
				told: [
					/^\*Treasury sweep: paid: 1\*\n<done>: 800 of .* from wal-0001 to 0x5aAe…eAed, reference sweep /,
				],
				done: ['800'],
				rows: { [PAID]: [{ wallet_id: IDS.wallet, outcome: 'done', amount: 800 }] },
			},
			large: {
				tables: { [PAID]: [], [WALLETS]: [walletRow('0')] },
				press: 'Pay them',
				told: [/^\*Treasury sweep: paid: 1\*\n<done>: 1250\.5 of /],
				done: ['1250.5'],
			},
			'not due': {
				tables: { [PAID]: [], [WALLETS]: [walletRow('2000')] },
				rows: { [PAID]: [] },
			},
		},
	},
	{
		file: 'pay-invoices.json',
		situations: {
			approved: {
				tables: { [PAID]: [], Invoices: [invoiceRow('INV-1', '12.5')] },
				press: 'Pay them',
				told: [/^\*Invoices: paid: 1\*\n<done>: 12\.5 of the native coin .*, reference INV-1/],
				done: ['12.5'],
				rows: { [PAID]: [{ reference: 'INV-1', outcome: 'done' }] },
			},
		},
	},
	{
		file: 'pay-for-an-agent.json',
		situations: {
			approved: {
				tables: { [PAID]: [], [RECIPIENTS]: [recipientRow('ACME')] },
				event: { recipient: 'ACME', amount: '7.50', reference: 'INV-9' },
				press: 'Pay them',
				told: [/^(?:done: <done>|already_sent: <already_sent>): 7\.5 .*, reference INV-9/],
				done: ['7.5'],
				rows: { [PAID]: [{ reference: 'INV-9', amount: 7.5 }] },
			},
		},
	},
];
