import { json } from '../answer.mts';
import { individualCard } from '../cardRules.mts';
import type { Endpoint } from '../endpoint.mts';
import { cardStatus } from '../records.mts';

export const getIndividualCard: Endpoint = {
	section: '4.6',
	method: 'GET',
	path: '/cards/individual-cards/{cardId}',
	level: 1,
	idempotent: false,
	handle({ params, state }) {
		const card = individualCard(state, params.cardId!);
		return json(200, {
			id: card.id,
			provider_card_id: card.provider_card_id,
			client_id: card.client_id,
			type: card.type,
			status: cardStatus(card),
			last4: card.last4,
			expiration_month: card.expiration_month,
			expiration_year: card.expiration_year,
			card_holder_name: card.card_holder_name,
			approval_method: card.approval_method,
			daily_limit: card.daily_limit,
			weekly_limit: card.weekly_limit,
			monthly_limit: card.monthly_limit,
			forwarded_3ds_type: card.forwarded_3ds_type,
		});
	},
};
