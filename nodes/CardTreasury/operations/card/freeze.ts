import { cardId } from '../../../shared/fields/text';
import { notFound } from '../../request/request';
import { operation, patch } from '../operation';
import { repliedInstead } from '../reply';
import { undocumented, undocumentedHints } from '../undocumented';
import { ofCard } from './ofCard';

export const freeze = setFrozen(true, {
	name: 'Freeze',
	action: 'Freeze card',
	description: 'Lock an individual card so that it cannot authorize transactions',
	searchHint:
		'block or lock an individual card, for example when it is lost, stolen or used in fraud',
});

/** Creates the operation Freeze or Unfreeze. Both use one endpoint (§4.7). */
export function setFrozen(
	frozen: boolean,
	info: { name: string; action: string; description: string; searchHint: string },
) {
	return operation({
		...info,
		section: '4.7',
		endpoint: patch('/cards/individual-cards/{cardId}/frozen'),
		level: 2,
		effect: 'keyed write',
		// The documented reply is an empty object (§4.7). Any other reply is shown, because the card may not have changed.
		answer: 'anything',
		timeoutMs: 20_000,
		fields: {
			cardId: cardId('ID of an individual card'),
		},
		errors: [notFound('Card', 'Card ID')],
		body: () => ({ freeze: frozen }),
		subject: ({ cardId: card }) => ({ ...(card !== undefined && { card_id: card }) }),
		names: ({ card_id: card }) => [`${frozen ? 'freeze' : 'unfreeze'}${ofCard(card)}`],
		became: repliedInstead,
		items: ({ json }, { cardId }) => [{ card_id: cardId, frozen, ...undocumented(json) }],
		hints: undocumentedHints,
		output: { card_id: 'string', frozen: 'boolean' },
	});
}
