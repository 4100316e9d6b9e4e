import { due, PAID, paymentRow } from '../rows.mts';
import type { Case } from './case.mts';

const cameOut = (outcome: string) => ({
	...{ what: 'Salaries', outcome, summary: `Reference ${outcome}` },
	...(outcome === 'done' && { payment_reference: 'B' }),
});
const PAID_ONE = /^\*Salaries: paid: 1\*\nReference done/;
const LEFT_ONE = /^\*Salaries: left unpaid, nobody approved them: 1\*\nReference dry_run/;
const SENT_BEFORE = /^\*Salaries: sent before, so not again: 1\*\nReference already_sent/;
const NOT_KNOWN = /^\*Salaries: not paid, or not known to be: 1\*\nReference unknown/;

/** The workflow through which money leaves, and the one that tells what came of it. */
export const PAY: Case[] = [
	{
		file: 'pay.json',
		situations: {
			approved: {
				tables: { [PAID]: [] },
				event: { list: [due('A–1', 12.5), due('A-2', '7.5')] },
				press: 'Pay them',
				told: [
					/^\*Salaries: paid: 2\*\n<done>: 12\.5 .*, reference A-1\.?\n<done>: 7\.5 .*reference A-2/,
				],
				done: ['12.5', '7.5'],
				rows: {
					[PAID]: [
						{ reference: 'A-1', outcome: 'done', amount: 12.5 },
						{ reference: 'A-2', outcome: 'done', amount: 7.5 },
					],
				},
			},
			declined: {
				tables: { [PAID]: [] },
				event: { list: [due('A-1', 12.5)] },
				press: 'Do not pay',
				told: [
					/^\*Salaries: left unpaid, nobody approved them: 1\*\n<dry_run>: 12\.5 .*, reference A-1/,
				],
				rows: { [PAID]: [{ reference: 'A-1', outcome: 'not_sent' }] },
				nodes: ['Left unpaid'],
			},
			small: {
				tables: { [PAID]: [] },
				event: { list: [due('A-1', 12.5, { ask_always: false })] },
				told: [/^\*Salaries: paid: 1\*\n<done>: 12\.5 /],
				done: ['12.5'],
				rows: { [PAID]: [{ reference: 'A-1', outcome: 'done' }] },
				// One payment, because of several the others go on.
				nodes: ['Transfer', 'Ledger'],
			},
			'nothing due': {
				tables: { [PAID]: [] },
				event: { list: [due('A-1', 'abc'), due('A-2', '-1')] },
				told: [/^\*Salaries: not paid, or not known to be: 2\*\n<not_sent>: .*\n<not_sent>: /],
				rows: { [PAID]: [] },
			},
		},
	},
	{
		file: 'tell-payments.json',
		situations: {
			all: {
				// Two calls at the same moment may have made a row each.
				tables: { [PAID]: ['A', 'B', 'B', 'C'].map((reference) => paymentRow({ reference })) },
				event: { list: ['done', 'unknown', 'dry_run', 'already_sent'].map(cameOut) },
				told: [PAID_ONE, LEFT_ONE, SENT_BEFORE, NOT_KNOWN],
				rows: { [PAID]: ['A', 'B', 'C'].map((reference) => ({ reference })) },
			},
			// Of several messages to a channel, the first one fails.
			paid: {
				tables: { [PAID]: [paymentRow({ reference: 'B' })] },
				...{ event: { list: [cameOut('done')] }, told: [PAID_ONE] },
				nodes: ['Tell: paid', 'Its rows', 'Second rows'],
			},
			before: {
				event: { list: [cameOut('already_sent')] },
				told: [SENT_BEFORE],
				nodes: ['Tell: sent before'],
			},
			left: {
				event: { list: [cameOut('dry_run')] },
				told: [LEFT_ONE],
				nodes: ['Tell: left unpaid'],
			},
		},
	},
];
