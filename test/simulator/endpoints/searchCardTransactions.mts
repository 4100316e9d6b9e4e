import { invalid, json } from '../answer.mts';
import { checkOperations, enterpriseCard } from '../cardRules.mts';
import type { Endpoint } from '../endpoint.mts';

const DEFAULT_PAGE_SIZE = 50;

/**
 * Version 2 whatever `X-API-Version` says: since 1 October 2026 the header is ignored (§9.3).
 * Of the answer only `total_elements` and each movement's `operation` and `bill_amount` are shown. The name of the list
 * (`movements`), its other fields, and the parameters `page` (from 0) and `size` are the simulator's inventions.
 */
export const searchCardTransactions: Endpoint = {
	section: '4.11',
	method: 'GET',
	path: '/cards/transactions/{cardId}/search',
	// The level is not shown; that of the other reads is assumed.
	level: 1,
	idempotent: false,
	handle({ params, query, state, settings }) {
		const card = enterpriseCard(state, params.cardId!);
		const operations = checkOperations(query, settings.operationsForm);
		const page = wholeNumber(query, 'page', 0, 0);
		const size = wholeNumber(query, 'size', DEFAULT_PAGE_SIZE, 1);
		const found = state.records.cardOperations.filter(
			({ card_id, operation }) =>
				card_id === card.id && (operations.length === 0 || operations.includes(operation)),
		);
		return json(200, {
			// Counts operations of the whole search, not of the page (§9.7).
			total_elements: found.length,
			page,
			size,
			// No status, decline reason or fees here: they are read from the detail (§9.7).
			movements: found
				.slice(page * size, (page + 1) * size)
				.map(({ lifecycle: _lifecycle, fees: _fees, card_id: _card, ...movement }) => movement),
		});
	},
};

function wholeNumber(query: URLSearchParams, name: string, fallback: number, min: number): number {
	const text = query.get(name);
	if (text === null) return fallback;
	if (!/^\d{1,6}$/.test(text) || Number(text) < min)
		throw invalid(`${name} must be a whole number from ${min}`);
	return Number(text);
}
