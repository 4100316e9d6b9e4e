import { notFound, Rejected } from './answer.mts';
import { cardStatus, type Card } from './seedCards.mts';
import type { Settings } from './settings.mts';
import type { SimulatorState } from './state.mts';

/** Operation families of version 2 (§9.6). */
const OPERATION_FAMILIES = [
	'PURCHASE',
	'WALLET_DEPOSIT',
	'WALLET_WITHDRAWAL',
	'WARRANTY_DEPOSIT',
	'WARRANTY_WITHDRAWAL',
	'OVERRIDE_VIRTUAL_BALANCE',
	'CARDNET_DIRECT_DEPOSIT',
] as const;

/** @throws Rejected 404 for an unknown card, and for an enterprise card, which is none of the individual ones. */
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
 * The families asked for in `operations`, empty = all. How several are written is not shown: the setting says which form is understood.
 * @throws Rejected 412 that lists the available operations (§7.3).
 */
export function checkOperations(
	query: URLSearchParams,
	form: Settings['operationsForm'],
): string[] {
	const given = query.getAll('operations');
	if (form === 'comma' && given.length > 1) throw unavailable(given.slice(1));
	// Where commas separate nothing, a list is one name that does not exist.
	const names = form === 'repeated' ? given : given.flatMap((value) => value.split(','));
	const wanted = names.map((name) => name.trim()).filter((name) => name !== '');
	const unknown = wanted.filter((name) => !OPERATION_FAMILIES.some((family) => family === name));
	if (unknown.length > 0) throw unavailable(unknown);
	return wanted;
}

const unavailable = (names: string[]) =>
	new Rejected(
		412,
		'VAL',
		`Operations not available in version 2: ${names.join(', ')}. Available operations: ${OPERATION_FAMILIES.join(', ')}`,
	);

/** Lifts a velocity block and resets the counter (§4.10). The status reached is not shown (§3); the card returns to what it was. */
export function unblock(card: Card): void {
	card.blocked = false;
	card.approvedAt = [];
}

export interface AuthorizationRecord {
	authorizationId: string;
	approved: boolean;
	/** Set on the one authorization that blocked the card (§3). */
	blocked?: { blockedAt: string };
}

/**
 * Records an authorization on a card: approved while the card is ACTIVE, declined otherwise (§3).
 * The first one that exceeds the velocity rule is approved and blocks the card; those after it are declined and block nothing.
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
