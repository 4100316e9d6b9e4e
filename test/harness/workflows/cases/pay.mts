import { due, PAID } from '../rows.mts';
import type { Case } from './case.mts';

/** The workflow through which money leaves, and the one that tells what came of it. */
export const PAY: Case[] = [
	{
		file: 'pay.json',
		key: 'pay',
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
				told: [/^\*Salaries: not paid, or not known to be: 1\*\n.*12\.5 .*, reference A-1/],
				rows: { [PAID]: [{ reference: 'A-1', outcome: 'not_sent' }] },
				nodes: ['Left unpaid'],
			},
			small: {
				tables: { [PAID]: [] },
				event: { list: [due('A-1', 12.5, { ask_always: false })] },
				told: [/^\*Salaries: paid: 1\*\n<done>: 12\.5 /],
				done: ['12.5'],
				rows: { [PAID]: [{ reference: 'A-1', outcome: 'done' }] },
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
		key: 'tell',
		situations: {
			both: {
				event: {
					list: [
						{ what: 'Salaries', outcome: 'done', summary: 'Sent: A-1' },
						{ what: 'Salaries', outcome: 'unknown', summary: 'May have been sent: A-2' },
					],
				},
				told: [
					/^\*Salaries: paid: 1\*\nSent: A-1/,
					/^\*Salaries: not paid, or not known to be: 1\*\nMay have been sent: A-2/,
				],
			},
		},
	},
];
