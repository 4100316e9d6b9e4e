import { IDS, sampleEvent } from '../../../simulator/index.mts';
import type { Case } from './case.mts';

const UNBLOCK = 'Unblock the card';
const blocked = (card_id: string) =>
	sampleEvent('cards.card_blocked_by_velocity', { data: { card_id } });

const DECISIONS = 'Card decisions';
const PURCHASES = 'Card purchases';
const purchase = (mcc_code = '5942') =>
	sampleEvent('cards.authorization', { data: { merchant_data: { mcc_code } } });
/** Tables of *Decide purchases* with these decisions, and an empty log. */
export const decisions = (...rows: Array<[card_or_merchant: string, decision: string]>) => ({
	[DECISIONS]: rows.map(([card_or_merchant, decision]) => ({ card_or_merchant, decision })),
	[PURCHASES]: [],
});
const logged = (response_code: string | null, if_unanswered: string | null = '05') => ({
	[PURCHASES]: [{ response_code, if_unanswered }],
});
export const REST: [string, string] = ['everything else', 'approve'];

export const CARDS: Case[] = [
	{
		file: 'decide-purchases.json',
		situations: {
			'approved by the rest': { tables: decisions(REST), event: purchase(), rows: logged('00') },
			'declined by the row of its merchant': {
				tables: decisions(['Coffee & Books', 'Decline'], REST),
				event: purchase(),
				rows: logged('05'),
			},
			'declined by a rule': {
				tables: decisions(REST),
				event: purchase('9406'),
				rows: logged('05', null),
				nodes: ['Its decision', 'Log'],
			},
			'without a row': { tables: decisions(), event: purchase(), rows: { [PURCHASES]: [] } },
		},
	},
	{
		file: 'card-blocked-by-velocity.json',
		situations: {
			approved: {
				event: blocked(IDS.blockedCard),
				press: UNBLOCK,
				told: [/^\*Unblocked by ana\*\nWhen asked: .*\n<done>: unblock card ca4d/],
				done: ['card.unblock'],
			},
			declined: {
				event: blocked(IDS.blockedCard),
				press: 'Leave it blocked',
				told: [/^\*Left blocked by ana\*\nCard blocked: card ca4d.*\nWhen asked: Card •\d+ of /],
				nodes: ['Tell: left blocked'],
			},
			'deleted meanwhile': {
				given: ({ simulator }) =>
					void (simulator.state.card(IDS.blockedCard).restingStatus = 'DELETED'),
				event: blocked(IDS.blockedCard),
				press: UNBLOCK,
				told: [/^\*Left as it is, although ana approved\*\nCard •\d+ of .* is DELETED/],
				nodes: ['Tell: left as it is'],
			},
			unknown: {
				event: blocked('ca4d0000-0000-4000-8000-00000000ffff'),
				press: UNBLOCK,
				told: [
					/^\*Not unblocked, or not known to be, although ana approved\*\n.*\n<rejected>: unblock card ca4d.*not found/,
				],
				nodes: ['Tell: not unblocked'],
			},
		},
	},
];
