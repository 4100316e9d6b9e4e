import { flag } from '../../../shared/fields/choice';
import { cardId } from '../../../shared/fields/text';
import { harmless, summaryLine, textOf } from '../../../shared/plainLine';
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
	hints: (results) => {
		const count = results
			.flat()
			.filter((card) => !CARD_FIELDS.some((name) => Object.hasOwn(card, name))).length;
		if (count === 0) return [];
		const [answers, are] =
			count === 1
				? ['1 answer has', 'is shown as it']
				: [`${count} answers have`, 'are shown as they'];
		return [
			{ message: `${answers} none of the fields of a card, and ${are} came.`, type: 'warning' },
		];
	},
	output: {
		summary: 'string',
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

/** Statuses of a card (§2.7). */
export const CARD_STATUSES = {
	ACTIVE: 'Active',
	DELETED: 'Deleted',
	EXPIRED: 'Expired',
	FROZEN: 'Frozen',
	INACTIVE: 'Inactive',
};

/** Fields of which a simplified card is made. */
const CARD_FIELDS = [
	'id',
	'client_id',
	'type',
	'status',
	'last4',
	'card_holder_name',
	'expiration_month',
	'expiration_year',
	'daily_limit',
	'weekly_limit',
	'monthly_limit',
];

/** Card with the fields that people look for. An answer that has none of them is returned as it came. */
function simplified(card: JsonObject): JsonObject {
	if (!CARD_FIELDS.some((name) => Object.hasOwn(card, name))) return card;
	const { expiration_month: month, expiration_year: year } = card;
	const expiration = month && year ? `${textOf(month).padStart(2, '0')}/${textOf(year)}` : null;
	return {
		summary: summaryOf(card, expiration),
		id: card.id ?? null,
		client_id: card.client_id ?? null,
		type: card.type ?? null,
		status: card.status ?? null,
		last4: card.last4 ?? null,
		card_holder_name: card.card_holder_name ?? null,
		expiration,
		daily_limit: card.daily_limit ?? null,
		weekly_limit: card.weekly_limit ?? null,
		monthly_limit: card.monthly_limit ?? null,
	};
}

/** One line on the card, e.g. `Card •1234 of Ann Lee is ACTIVE, expires 03/2029, limits 100 a day` */
function summaryOf(card: JsonObject, expiration: string | null): string {
	const text = (name: string, length = 40) => {
		const value = card[name];
		return typeof value === 'string' || typeof value === 'number'
			? harmless(String(value), length)
			: '';
	};
	const limits = [
		['daily_limit', 'a day'],
		['weekly_limit', 'a week'],
		['monthly_limit', 'a month'],
	].flatMap(([name = '', per]) => (text(name) === '' ? [] : [`${text(name, 12)} ${per}`]));
	const named = text('last4') === '' ? text('id') : `•${text('last4', 8)}`;
	const parts = [
		[`Card ${named}`.trim(), text('card_holder_name') && `of ${text('card_holder_name')}`],
		[text('status') === '' ? 'has no status' : `is ${text('status', 20)}`],
	];
	return summaryLine(
		[
			parts.flat().filter(Boolean).join(' '),
			expiration && `expires ${expiration}`,
			limits.length > 0 && `limits ${limits.join(', ')}`,
		]
			.filter(Boolean)
			.join(', '),
	);
}
