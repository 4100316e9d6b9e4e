import { choices, isSameText } from '../../../shared/fields/choice';
import { notice } from '../../../shared/fields/field';
import { InvalidFieldError } from '../../../shared/fields/invalidField';
import { cardId } from '../../../shared/fields/text';
import { fillPath, notFound, objectOf } from '../../request/request';
import { approved, refuseUnapproved } from '../approval';
import { guard } from '../guards';
import { operation, patch } from '../operation';
import { repliedInstead } from '../reply';
import { undocumented } from '../undocumented';
import { CARD_STATUSES, get } from './get';
import { ofCard } from './ofCard';

export const unblock = operation({
	name: 'Unblock',
	action: 'Unblock card',
	description: 'Unblock a card that a velocity rule blocked, and reset its velocity counter',
	section: '4.10',
	endpoint: patch('/api/cards/{cardId}/unblock'),
	effect: 'keyed write',
	// Any successful reply means unblocked, because the body is not documented.
	answer: 'anything',
	timeoutMs: 20_000,
	fields: {
		unblockNotice: notice(
			'After a Slack question, add the option Approved: Decline continues too.',
		),
		cardId: cardId('ID of a blocked card: data.card_id in the event'),
	},
	options: {
		approved,
		unlessStatus: guard(
			choices(
				'Unless Status',
				CARD_STATUSES,
				'The card is read first, and left alone if it has one of these statuses. A card that cannot be read, as every enterprise card, is unblocked.',
			),
		),
	},
	check: ({ approved: answer, unlessStatus }) => {
		if (answer !== undefined) refuseUnapproved(answer);
		if (unlessStatus?.length !== 0) return;
		throw new InvalidFieldError(
			'Unless Status',
			'is empty',
			'Choose a status: without one, every card would be unblocked.',
		);
	},
	precheck: {
		request: ({ cardId: id, unlessStatus }) =>
			unlessStatus && { method: 'GET', path: fillPath(get.endpoint.path, { cardId: id }) },
		level: 1,
		answer: 'object',
		mayFail: true,
		check: (answer, { cardId: id, unlessStatus = [] }) => {
			const { status } = objectOf(answer);
			if (!unlessStatus.some(isSameText(status))) return undefined;
			return { card_id: id, unblocked: false, card_status: status };
		},
	},
	became: (item) =>
		item.outcome === 'nothing_to_send' && typeof item.card_status === 'string'
			? `The card is ${item.card_status}, so it was left alone`
			: repliedInstead(item),
	errors: [notFound('Card', 'Card ID')],
	subject: ({ cardId: card }) => ({ ...(card !== undefined && { card_id: card }) }),
	names: ({ card_id: card }) => [`unblock${ofCard(card)}`],
	items: ({ json }, { cardId }) => [{ card_id: cardId, unblocked: true, ...undocumented(json) }],
	output: { card_id: 'string', unblocked: 'boolean', card_status: 'string' },
});
