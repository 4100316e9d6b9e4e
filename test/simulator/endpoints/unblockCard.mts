import { json } from '../answer.mts';
import { unblock } from '../cardRules.mts';
import type { Endpoint } from '../endpoint.mts';
import { cardStatus } from '../records.mts';

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
		// Body and answer are not shown: any body is accepted, and this answer is the simulator's own.
		return json(200, { id: card.id, status: cardStatus(card) });
	},
};
