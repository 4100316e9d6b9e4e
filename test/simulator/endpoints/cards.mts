import lodash from 'lodash';

import { invalid, json } from '../answer.mts';
import { bodyObject } from '../body.mts';
import { individualCard } from '../cardRules.mts';
import { endpoint, keyed } from '../endpoint.mts';
import { cardStatus } from '../seedCards.mts';

export const getIndividualCard = endpoint(
	'4.6',
	'GET /cards/individual-cards/{cardId}',
	1,
	({ params, state }) => {
		const card = individualCard(state, params.cardId!);
		return json(200, { ...lodash.omit(card, NOT_OF_THE_SERVICE), status: cardStatus(card) });
	},
);

/** Internal fields of a card that the service does not return (§2.7). */
const NOT_OF_THE_SERVICE = 'kind restingStatus frozen blocked velocityRule approvedAt'.split(' ');

export const freezeCard = keyed(
	'4.7',
	'PATCH /cards/individual-cards/{cardId}/frozen',
	2,
	({ params, state, body, execute }) => {
		const card = individualCard(state, params.cardId!);
		const { freeze } = bodyObject(body);
		if (typeof freeze !== 'boolean') throw invalid('freeze is required and must be a boolean');
		card.frozen = freeze;
		execute({ operation: freeze ? 'card.freeze' : 'card.unfreeze' });
		return json(200, {});
	},
);

export const configure3ds = keyed(
	'4.8',
	'POST /cards/virtual-cards/{cardId}/3ds-configuration',
	2,
	({ params, state, body, execute }) => {
		// §4.8 does not mention unknown cards; §7.2 names 404 for cards in general.
		const card = state.card(params.cardId!);
		const { type } = bodyObject(body);
		if (type !== 'sms' && type !== 'webhook')
			throw invalid('type is required and must be sms or webhook');
		card.forwarded_3ds_type = type;
		execute({ operation: 'card.configure3ds' });
		return json(200, { type });
	},
);

/** The document does not show the level, so that of the other card writes is assumed. */
export const unblockCard = keyed(
	'4.10',
	'PATCH /api/cards/{id}/unblock',
	2,
	({ params, state, execute }) => {
		const card = state.card(params.id!);
		// Lifts the block and resets the counter. The resulting status is not shown (§3); here it is the earlier one.
		Object.assign(card, { blocked: false, approvedAt: [] });
		execute({ operation: 'card.unblock' });
		// The document shows neither body nor answer: any body is accepted, and the answer is an invention of the simulator.
		return json(200, { id: card.id, status: cardStatus(card) });
	},
);
