import lodash from 'lodash';

import { json } from '../answer.mts';
import { individualCard } from '../cardRules.mts';
import { endpoint } from '../endpoint.mts';
import { cardStatus } from '../seedCards.mts';

export const getIndividualCard = endpoint('4.6', ({ params, state }) => {
	const card = individualCard(state, params.cardId!);
	return json(200, { ...lodash.omit(card, NOT_OF_THE_SERVICE), status: cardStatus(card) });
});

/** Internal fields of a card that the service does not return (§2.7). */
const NOT_OF_THE_SERVICE = 'kind restingStatus frozen blocked velocityRule approvedAt'.split(' ');

export const freezeCard = endpoint('4.7', ({ params, state, body, execute }) => {
	const card = individualCard(state, params.cardId!);
	const { freeze } = body as { freeze: boolean };
	card.frozen = freeze;
	execute({ operation: freeze ? 'card.freeze' : 'card.unfreeze' });
	return json(200, {});
});

export const configure3ds = endpoint('4.8', ({ params, state, body, execute }) => {
	// §4.8 does not mention unknown cards; §7.2 names 404 for cards in general.
	const card = state.card(params.cardId!);
	const { type } = body as { type: 'sms' | 'webhook' };
	card.forwarded_3ds_type = type;
	execute({ operation: 'card.configure3ds' });
	return json(200, { type });
});

/** The document does not show the level, so that of the other card writes is assumed. */
export const unblockCard = endpoint(
	'4.10',
	({ params, state, execute }) => {
		const card = state.card(params.id!);
		// Lifts the block and resets the counter. The resulting status is not shown (§3); here it is the earlier one.
		Object.assign(card, { blocked: false, approvedAt: [] });
		execute({ operation: 'card.unblock' });
		// The document shows neither body nor answer: any body is accepted, and the answer is an invention of the simulator.
		return json(200, { id: card.id, status: cardStatus(card) });
	},
	{ level: 2 },
);
