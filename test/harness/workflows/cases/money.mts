import { IDS } from '../../../simulator/index.mts';
import { invoiceRow, PAID, PAYMENTS, recipientRow, walletRow } from '../rows.mts';
import type { Case } from './case.mts';

export const TO_ASK = 'Wallets to sweep with approval';
export const RECIPIENTS = 'Recipients for agents';

/** Workflows that prepare and make payments. */
export const MONEY: Case[] = [
	{
		file: 'treasury-sweep.json',
		key: 'sweep',
		situations: {
			due: {
				tables: { [PAYMENTS]: [], 'Treasury wallets': [walletRow(IDS.wallet, '1000.10')] },
				told: [
					/^\*Swept: 1\*\n<done>: 999\.8 of the native coin from wal-0001 to 0x5aAe…eAed, reference sweep /,
				],
				done: ['999.8'],
				rows: { [PAYMENTS]: [{ wallet_id: IDS.wallet, outcome: 'done', amount: 999.8 }] },
			},
			'not due': {
				tables: { [PAYMENTS]: [], 'Treasury wallets': [walletRow(IDS.wallet, '0.10')] },
				told: [
					/^\*Not swept, or not known to be: 1\*\nNo sweep .* wal-0001 \(balance 0\.1, floor 0\.3\)/,
				],
				nodes: ['Tell: not swept'],
			},
		},
	},
	{
		file: 'treasury-sweep-with-approval.json',
		key: 'approval',
		situations: {
			approved: {
				tables: { [PAYMENTS]: [], [TO_ASK]: [walletRow(IDS.secondWallet, '2500.30')] },
				press: 'Send',
				told: [/^\*Sweep with approval: 1\*\n<done>: 2500 of the native coin from wal-0002 /],
				done: ['2500'],
				rows: { [PAYMENTS]: [{ wallet_id: IDS.secondWallet, outcome: 'done', amount: 2500 }] },
			},
			declined: {
				tables: { [PAYMENTS]: [], [TO_ASK]: [walletRow(IDS.secondWallet, '2500.30')] },
				press: 'Do not send',
				told: [/^\*Left in the wallets by ana\*\nSweep due: 2500 .* wal-0002 /],
				nodes: ['Tell: left'],
			},
		},
	},
	{
		file: 'pay-invoices.json',
		key: 'invoices',
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
		key: 'agent',
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
