import { invalid, json, notFound, Rejected } from '../answer.mts';
import { checkOperations, enterpriseCard } from '../cardRules.mts';
import { endpoint } from '../endpoint.mts';
import { pdf } from '../pdf.mts';

const DEFAULT_PAGE_SIZE = 50;

export const downloadStatement = endpoint('4.9', ({ params, query, state }) => {
	const card = state.records.cards.find(({ id }) => id === params.cardId);
	if (!card) throw new Rejected(412, 'VAL', `Card not found: ${params.cardId}`);
	const from = requiredDay(query, 'from_date');
	const to = requiredDay(query, 'to_date');
	if (from > to) throw invalid('from_date must not be after to_date');
	const operations = state.records.cardOperations.filter(
		({ card_id, created_at }) =>
			card_id === card.id && created_at.slice(0, 10) >= from && created_at.slice(0, 10) <= to,
	);
	const body = pdf([
		`Card statement ${from} to ${to}`,
		`Card **** ${card.last4} (${card.card_holder_name})`,
		...operations.map(
			({ created_at, operation, bill_amount }) => `${created_at}  ${operation}  ${bill_amount}`,
		),
	]);
	return { status: 200, headers: { 'Content-Type': 'application/pdf' }, body };
});

/**
 * Searches in version 2 regardless of `X-API-Version`, which is ignored since 1 October 2026 (§9.3).
 * The document shows only `total_elements` and each movement's `operation` and `bill_amount`. The list name `movements`,
 * the other fields and the parameters `page` (from 0) and `size` are inventions of the simulator. The access level is
 * not shown here and below, so that of the other reads is assumed.
 */
export const searchCardTransactions = endpoint(
	'4.11',
	({ params, query, state }) => {
		const card = enterpriseCard(state, params.cardId!);
		const operations = checkOperations(query);
		const page = wholeNumber(query, 'page', 0, 0);
		const size = wholeNumber(query, 'size', DEFAULT_PAGE_SIZE, 1);
		const found = state.records.cardOperations.filter(
			({ card_id, operation }) =>
				card_id === card.id && (operations.length === 0 || operations.includes(operation)),
		);
		return json(200, {
			// Counts the operations of the whole search, not of the page (§9.7).
			total_elements: found.length,
			page,
			size,
			// Status, decline reason and fees are part of the detail only (§9.7).
			movements: found
				.slice(page * size, (page + 1) * size)
				.map(({ lifecycle: _lifecycle, fees: _fees, card_id: _card, ...movement }) => movement),
		});
	},
	{ level: 1 },
);

/**
 * The document does not show the path of this endpoint, nor any field other than `lifecycle`; these are inventions of
 * the simulator.
 */
export const getCardTransaction = endpoint(
	'4.12',
	({ params, query, state }) => {
		const card = enterpriseCard(state, params.cardId!);
		checkOperations(query);
		const found = state.records.cardOperations.find(
			({ id, card_id }) => id === params.transactionId && card_id === card.id,
		);
		if (!found) throw notFound('Card transaction', params.transactionId!);
		return json(200, found);
	},
	{ request: 'GET /cards/transactions/{cardId}/operations/{transactionId}', level: 1 },
);

/** The document does not say if the days are required; here they are, so that a client that omits one is noticed. */
function requiredDay(query: URLSearchParams, name: string): string {
	const day = query.get(name);
	if (day === null) throw invalid(`${name} is required`);
	return day;
}

function wholeNumber(query: URLSearchParams, name: string, fallback: number, min: number): number {
	const text = query.get(name);
	if (text === null) return fallback;
	if (!/^\d{1,6}$/.test(text) || Number(text) < min)
		throw invalid(`${name} must be a whole number from ${min}`);
	return Number(text);
}
