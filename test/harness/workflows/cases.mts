import lodash from 'lodash';

import { WORDS } from '../../../nodes/CardTreasury/run/words.ts';
import { IDS, sampleEvent } from '../../simulator/index.mts';
import {
	ANA,
	clientRow,
	CLIENTS,
	invoiceRow,
	LINK,
	paymentRow,
	PAYMENTS,
	recipientRow,
	walletRow,
} from './rows.mts';
import type { WorkflowHarness } from './workflowHarness.mts';

/** What a workflow is started with, what people answer, and what must come of it. */
export interface Situation {
	/** Rows by table. */
	tables?: Record<string, object[]>;
	/** Changes the service's records. */
	given?(harness: WorkflowHarness): void;
	/** Event, or input of the caller. */
	event?: object;
	/** Label of the button that a person presses. */
	press?: string;
	/** One pattern for each message, in any order, for `said`. */
	told: RegExp[];
	/** Amounts of transfers, other operations, recipients of mails, and subjects of mails to operations, in any order. */
	done?: string[];
	/** Fields of the rows that a table has at the end. */
	rows?: Record<string, object[]>;
	/** Nodes that the usual situation does not reach. */
	nodes?: string[];
}

type Key =
	| 'router'
	| 'card'
	| 'status'
	| 'confirmations'
	| 'sweep'
	| 'approval'
	| 'invoices'
	| 'agent'
	| 'reminders'
	| 'upload';

export interface Case {
	file: string;
	/** Key in the workflows of the demo. */
	key: Key;
	/** The first one is the usual one. */
	situations: Record<string, Situation>;
}

export const TO_ASK = 'Wallets to sweep with approval';
export const RECIPIENTS = 'Recipients for agents';
const UNBLOCK = 'Unblock the card';
const blocked = (card_id: string) =>
	sampleEvent('cards.card_blocked_by_velocity', { data: { card_id } });

/** Event of the transfer whose payment is in the table. */
const transferred = (data: object = {}) =>
	sampleEvent('treasury.transfer', { data: { ...TRANSFER, ...data } });
const TRANSFER = {
	wallet_id: IDS.wallet,
	to_wallet_address: `0x${'1'.repeat(40)}`,
	amount: '1.5',
	token: null,
};

export const CASES: Case[] = [
	{
		file: 'event-router.json',
		key: 'router',
		situations: {
			'an event that nobody takes': {
				tables: { 'Events that nobody takes': [] },
				event: sampleEvent('cards.cleared'),
				told: [],
				rows: { 'Events that nobody takes': [{ type: 'cards.cleared' }] },
				done: ['Events of the type cleared are taken by no workflow'],
			},
		},
	},
	{
		file: 'card-blocked-by-velocity.json',
		key: 'card',
		situations: {
			approved: {
				event: blocked(IDS.blockedCard),
				press: UNBLOCK,
				told: [/^\*Unblocked by (?:ana)?\*\nBefore: .*\n<done>: unblock card ca4d/],
				done: ['card.unblock'],
			},
			declined: {
				event: blocked(IDS.blockedCard),
				press: 'Leave it blocked',
				told: [/^\*Left blocked by (?:ana)?\*\nCard blocked: card ca4d.*\nCard •\d+ of /],
				nodes: ['Tell: left blocked'],
			},
			'deleted meanwhile': {
				given: ({ simulator }) =>
					void (simulator.state.card(IDS.blockedCard).restingStatus = 'DELETED'),
				event: blocked(IDS.blockedCard),
				press: UNBLOCK,
				told: [/^\*Left as it is, although (?:ana)? approved\*\nCard •\d+ of .* is DELETED/],
				nodes: ['Tell: left as it is'],
			},
			unknown: {
				event: blocked('ca4d0000-0000-4000-8000-00000000ffff'),
				press: UNBLOCK,
				told: [
					/^\*Not unblocked, or not known to be, although (?:ana)? approved\*\n.*\n<rejected>: unblock card ca4d.*not found/,
				],
				nodes: ['Tell: not unblocked'],
			},
		},
	},
	{
		file: 'kyc-status-changed.json',
		key: 'status',
		situations: {
			rejected: {
				tables: { 'KYC statuses told': [] },
				event: sampleEvent('company_activity.client_status'),
				told: [/^Client status: .* is rejected: .*\nChanged at .*2026/],
			},
		},
	},
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
				told: [/^\*Left in the wallets by (?:ana)?\*\nSweep due: 2500 .* wal-0002 /],
				nodes: ['Tell: left'],
			},
		},
	},
	{
		file: 'pay-invoices.json',
		key: 'invoices',
		situations: {
			approved: {
				tables: { [PAYMENTS]: [invoiceRow('INV-1', 12.5)] },
				press: 'Pay them',
				told: [
					/^\*Invoices approved by (?:ana)?\*\n<done>: 12\.5 of the native coin .*, reference INV-1/,
				],
				done: ['12.5'],
				rows: { [PAYMENTS]: [{ reference: 'INV-1', outcome: 'done' }] },
			},
			declined: {
				tables: { [PAYMENTS]: [invoiceRow('INV-1', 12.5)] },
				press: 'Do not pay',
				told: [/^\*Left unpaid by (?:ana)?\*\n<dry_run>: 12\.5 .*, reference INV-1/],
				nodes: ['Tell: left unpaid'],
			},
		},
	},
	{
		file: 'pay-for-an-agent.json',
		key: 'agent',
		situations: {
			approved: {
				tables: { [PAYMENTS]: [], [RECIPIENTS]: [recipientRow('ACME')] },
				event: { recipient: 'ACME', amount: '7.50', reference: 'INV-9' },
				press: 'Pay',
				told: [/^(?:done: <done>|already_sent: <already_sent>): 7\.5 .*, reference INV-9/],
				done: ['7.5'],
				rows: { [PAYMENTS]: [{ reference: 'INV-9', amount: 7.5 }] },
			},
		},
	},
	{
		file: 'kyc-reminders.json',
		key: 'reminders',
		situations: {
			missing: {
				tables: { [CLIENTS]: [clientRow(ANA)] },
				told: [/^\*KYC reminders mailed: 1\*/],
				done: [ANA.email],
			},
			unknown: {
				tables: { [CLIENTS]: [clientRow({ ...ANA, client_id: 'cl-unknown' })] },
				told: [/^\*KYC reminders not mailed: 1\*\ncl-unknown <rejected>: .*not found/],
				nodes: ['Tell: not mailed'],
			},
		},
	},
	{
		file: 'kyc-upload.json',
		key: 'upload',
		situations: {
			passport: {
				tables: {
					[CLIENTS]: [clientRow(ANA, { link: LINK, link_until: '2999-01-01T00:00:00.000Z' })],
				},
				told: [/^\*KYC document\*\n<done>: document passport of client cl-0001/],
				done: ['productRequest.submitDocument'],
			},
		},
	},
];

/** Pattern in which `<done>` stands for the words of that outcome. */
export const said = ({ source, flags }: RegExp): RegExp => {
	const words = (text: string, outcome: string) => lodash.get(WORDS, outcome)?.[0] ?? text;
	return RegExp(source.replace(/<(\w+)>/g, words), flags);
};

export const caseOf = (wanted: Case['key']): Case => CASES.find(({ key }) => key === wanted)!;
