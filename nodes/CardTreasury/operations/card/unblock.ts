import { notice } from '../../../shared/fields/field';
import { cardId } from '../../../shared/fields/text';
import { notFound } from '../../request/request';
import { operation, patch } from '../operation';
import { ofCard } from './ofCard';
import { undocumented, undocumentedHints } from './undocumented';

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
			'After a Slack question, put an If on <code>approved</code> first: Decline continues too.',
		),
		cardId: cardId('ID of a blocked card: data.card_id in the event'),
	},
	errors: [notFound('Card', 'Card ID')],
	subject: ({ cardId: card }) => ({ ...(card !== undefined && { card_id: card }) }),
	names: ({ card_id: card }) => [`unblock${ofCard(card)}`],
	items: ({ json }, { cardId }) => [{ card_id: cardId, unblocked: true, ...undocumented(json) }],
	hints: undocumentedHints,
	output: { card_id: 'string', unblocked: 'boolean' },
});
