import { Rejected, invalid } from '../answer.mts';
import type { Endpoint } from '../endpoint.mts';
import { pdf } from '../pdf.mts';

export const downloadStatement: Endpoint = {
	section: '4.9',
	method: 'GET',
	path: '/cards/transactions/{cardId}/pdf',
	level: 1,
	idempotent: false,
	handle({ params, query, state }) {
		const card = state.findCard(params.cardId!);
		if (!card) throw new Rejected(412, 'VAL', `Card not found: ${params.cardId}`);
		const from = calendarDay(query, 'from_date');
		const to = calendarDay(query, 'to_date');
		if (from > to) throw invalid('from_date must not be after to_date');
		const operations = state.records.cardOperations.filter(
			({ card_id, created_at }) =>
				card_id === card.id && created_at.slice(0, 10) >= from && created_at.slice(0, 10) <= to,
		);
		return {
			status: 200,
			headers: { 'Content-Type': 'application/pdf' },
			body: pdf([
				`Card statement ${from} to ${to}`,
				`Card **** ${card.last4} (${card.card_holder_name})`,
				...operations.map(
					({ created_at, operation, bill_amount }) => `${created_at}  ${operation}  ${bill_amount}`,
				),
			]),
		};
	},
};

/** A day that exists, as YYYY-MM-DD. Whether the parameters are required is not shown; they are here, so that a client that forgets one is noticed. */
function calendarDay(query: URLSearchParams, name: string): string {
	const text = query.get(name) ?? '';
	const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
	if (!date || Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text) {
		throw invalid(`${name} must be a day as YYYY-MM-DD`);
	}
	return text;
}
