import { invalid, json } from '../answer.mts';
import { bodyObject } from '../body.mts';
import { individualCard } from '../cardRules.mts';
import type { Endpoint } from '../endpoint.mts';

export const freezeCard: Endpoint = {
	section: '4.7',
	method: 'PATCH',
	path: '/cards/individual-cards/{cardId}/frozen',
	level: 2,
	idempotent: true,
	handle(request) {
		const card = individualCard(request.state, request.params.cardId!);
		const { freeze } = bodyObject(request.body);
		if (typeof freeze !== 'boolean') throw invalid('freeze is required and must be a boolean');
		card.frozen = freeze;
		request.execute({ operation: freeze ? 'card.freeze' : 'card.unfreeze' });
		return json(200, {});
	},
};
