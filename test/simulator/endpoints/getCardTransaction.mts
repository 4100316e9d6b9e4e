import { json, notFound } from '../answer.mts';
import { checkOperations, enterpriseCard } from '../cardRules.mts';
import type { Endpoint } from '../endpoint.mts';

/** The document does not show this endpoint's path; this one is the simulator's own, as are the fields other than `lifecycle`. */
export const getCardTransaction: Endpoint = {
	section: '4.12',
	method: 'GET',
	path: '/cards/transactions/{cardId}/operations/{transactionId}',
	// The level is not shown; that of the other reads is assumed.
	level: 1,
	idempotent: false,
	handle({ params, query, state, settings }) {
		const card = enterpriseCard(state, params.cardId!);
		checkOperations(query, settings.operationsForm);
		const found = state.records.cardOperations.find(
			({ id, card_id }) => id === params.transactionId && card_id === card.id,
		);
		if (!found) throw notFound('Card transaction', params.transactionId!);
		return json(200, found);
	},
};
