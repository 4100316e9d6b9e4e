import { flag } from '../../../shared/fields/choice';
import { cardId } from '../../../shared/fields/text';
import type { JsonObject } from '../../request/input';
import { notFound, objectOf } from '../../request/request';
import { operation, get as read } from '../operation';

export const get = operation({
	name: 'Get',
	action: 'Get card',
	description: 'Get an individual card with its status and limits',
	section: '4.6',
	searchHint: 'look up a card: its status, last 4 digits, limits and expiration',
	endpoint: read('/cards/individual-cards/{cardId}'),
	level: 1,
	effect: 'read',
	answer: 'object',
	timeoutMs: 15_000,
	fields: {
		cardId: cardId('ID of an individual card'),
		simplify: flag(
			'Simplify',
			'Whether to return a simplified version of the response instead of the raw data',
			true,
		),
	},
	errors: [notFound('Card', 'Card ID')],
	items: (answer, { simplify }) => [simplify ? simplified(objectOf(answer)) : objectOf(answer)],
	output: {
		id: 'string',
		client_id: 'string',
		type: 'string',
		status: 'string',
		last4: 'string',
		card_holder_name: 'string',
		expiration: 'string',
		daily_limit: 'number',
		weekly_limit: 'number',
		monthly_limit: 'number',
	},
	otherOutput: {
		when: 'with Simplify off',
		// All documented fields of a card (§2.7).
		shape: {
			id: 'string',
			provider_card_id: 'string',
			client_id: 'string',
			type: 'string',
			status: 'string',
			last4: 'string',
			expiration_month: 'number',
			expiration_year: 'number',
			card_holder_name: 'string',
			approval_method: 'string',
			daily_limit: 'number',
			weekly_limit: 'number',
			monthly_limit: 'number',
			forwarded_3ds_type: 'string',
		},
	},
});

function simplified(card: JsonObject): JsonObject {
	const { expiration_month: month, expiration_year: year } = card;
	return {
		id: card.id ?? null,
		client_id: card.client_id ?? null,
		type: card.type ?? null,
		status: card.status ?? null,
		last4: card.last4 ?? null,
		card_holder_name: card.card_holder_name ?? null,
		expiration: month && year ? `${String(month).padStart(2, '0')}/${String(year)}` : null,
		daily_limit: card.daily_limit ?? null,
		weekly_limit: card.weekly_limit ?? null,
		monthly_limit: card.monthly_limit ?? null,
	};
}
