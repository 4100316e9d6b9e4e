import lodash from 'lodash';

import { notFound, Rejected } from './answer.mts';
import { OPERATION_FAMILIES } from './description.mts';
import { cardStatus, type Card } from './seedCards.mts';
import type { SimulatorState } from './state.mts';

/** @throws Rejected 404 for an unknown card and for an enterprise card */
export function individualCard(state: SimulatorState, id: string): Card {
	const card = state.card(id);
	if (card.kind !== 'individual') throw notFound('Card', id);
	return card;
}

/** @throws Rejected 404 for an unknown card, 412 for an individual one (§9.4). */
export function enterpriseCard(state: SimulatorState, id: string): Card {
	const card = state.card(id);
	if (card.kind !== 'enterprise')
		throw new Rejected(412, 'VAL', 'Version 2 is available for enterprise cards only');
	return card;
}

/**
 * Returns the families requested in `operations`; empty means all. The document does not show how to send several, so
 * both forms are accepted.
 * @throws Rejected 412 that lists the available operations (§7.3)
 */
export function checkOperations(query: URLSearchParams): string[] {
	const wanted = query
		.getAll('operations')
		.flatMap((value) => value.split(','))
		.filter(Boolean);
	const unknown = lodash.difference(wanted, OPERATION_FAMILIES);
	if (unknown.length > 0)
		throw new Rejected(
			412,
			'VAL',
			`Operations not available in version 2: ${unknown.join(', ')}. Available operations: ${OPERATION_FAMILIES.join(', ')}`,
		);
	return wanted;
}

export interface AuthorizationRecord {
	authorizationId: string;
	approved: boolean;
	/** Set on the authorization that blocked the card (§3). */
	blocked?: { blockedAt: string };
}

/**
 * Records an authorization on a card: approved while the card is ACTIVE, otherwise declined (§3).
 * The first authorization over the velocity limit is approved and blocks the card. Later ones are declined and do not
 * block it again.
 * @param at epoch milliseconds
 */
export function recordAuthorization(
	card: Card,
	authorizationId: string,
	at: number,
): AuthorizationRecord {
	if (cardStatus(card) !== 'ACTIVE') return { authorizationId, approved: false };
	const { maxAuthorizations, timeWindowSeconds } = card.velocityRule;
	card.approvedAt = [
		...card.approvedAt.filter((earlier) => at - earlier < timeWindowSeconds * 1_000),
		at,
	];
	if (card.approvedAt.length <= maxAuthorizations) return { authorizationId, approved: true };
	card.blocked = true;
	return { authorizationId, approved: true, blocked: { blockedAt: new Date(at).toISOString() } };
}
