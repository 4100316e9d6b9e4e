import { type Answer, json } from '../answer.mts';
import { unblock } from '../cardRules.mts';
import type { Endpoint } from '../endpoint.mts';
import { type Card, cardStatus } from '../records.mts';
import type { Settings } from '../settings.mts';

export const unblockCard: Endpoint = {
	section: '4.10',
	method: 'PATCH',
	path: '/api/cards/{id}/unblock',
	// The level is not shown; that of the other card writes is assumed.
	level: 2,
	idempotent: true,
	handle(request) {
		const card = request.state.card(request.params.id!);
		unblock(card);
		request.execute({ operation: 'card.unblock' });
		// Body and answer are not shown: any body is accepted, and all answers are the simulator's own.
		return ANSWERS[request.settings.unblockAnswer](card);
	},
};

const ANSWERS: Record<Settings['unblockAnswer'], (card: Card) => Answer> = {
	object: (card) => json(200, describe(card)),
	array: (card) => json(200, [describe(card)]),
	string: () => json(200, 'The card is unblocked'),
	empty: () => ({ status: 200, headers: {}, body: '' }),
};

const describe = (card: Card) => ({ id: card.id, status: cardStatus(card) });
