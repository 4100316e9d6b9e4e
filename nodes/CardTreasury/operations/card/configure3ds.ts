import { choice } from '../../../shared/fields/choice';
import { cardId } from '../../../shared/fields/text';
import { textOf } from '../../../shared/plainLine';
import type { JsonObject } from '../../request/input';
import { notFound, objectOf } from '../../request/request';
import { operation, post } from '../operation';
import { repliedInstead } from '../reply';
import { undocumented } from '../undocumented';
import { ofCard } from './ofCard';

const NOT_CONFIRMED = 'The service did not confirm it';

const isConfirmed = (item?: JsonObject, asked?: JsonObject) => item?.type === asked?.type;

export const configure3ds = operation({
	name: 'Configure 3DS',
	action: 'Configure 3DS for card',
	description: 'Choose how 3DS challenge codes are delivered',
	section: '4.8',
	endpoint: post('/cards/virtual-cards/{cardId}/3ds-configuration'),
	level: 2,
	effect: 'keyed write',
	answer: 'object or nothing',
	timeoutMs: 20_000,
	fields: {
		cardId: cardId('ID of a virtual card'),
		type: choice('Deliver Codes By', {
			sms: { name: 'SMS', description: 'To the card holder by text message' },
			webhook: {
				name: 'Webhook',
				description: 'To your trigger, as notification_3ds_authorization',
			},
		}),
	},
	errors: [notFound('Card', 'Card ID')],
	body: ({ type }) => ({ type }),
	subject: ({ cardId: card, type }) => ({
		...(card !== undefined && { card_id: card }),
		...(type !== undefined && { type }),
	}),
	names: ({ card_id: card, type }) => [`3DS codes${type ? ` by ${type}` : ''}${ofCard(card)}`],
	// The reply repeats the configured type (§4.8).
	items: (answer, { cardId }) => {
		const { type, ...rest } = objectOf(answer);
		return [
			{ card_id: cardId, type: typeof type === 'string' ? type : null, ...undocumented(rest) },
		];
	},
	became: (item, asked) => {
		if (item.outcome !== 'done' || isConfirmed(item, asked)) return repliedInstead(item);
		const confirmed = typeof item.type === 'string' && `The service confirmed ${item.type}`;
		const instead = `instead of ${textOf(asked.type)}`;
		return confirmed ? `${confirmed} ${instead}` : (repliedInstead(item) ?? NOT_CONFIRMED);
	},
	hints: (results, asked) => {
		const count = results.filter(([item], index) => !isConfirmed(item, asked[index])).length;
		if (count === 0) return [];
		const [cards, it] = count === 1 ? ['1 card', 'it'] : [`${count} cards`, 'each'];
		return [
			{
				message: `The service did not confirm the delivery of 3DS codes that was chosen for ${cards}: look at type, and check ${it} with Get.`,
				type: 'warning',
			},
		];
	},
	output: { card_id: 'string', type: 'string' },
});
