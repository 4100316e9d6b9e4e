import { invalid, json } from '../answer.mts';
import { bodyObject } from '../body.mts';
import type { Endpoint } from '../endpoint.mts';

export const configure3ds: Endpoint = {
	section: '4.8',
	method: 'POST',
	path: '/cards/virtual-cards/{cardId}/3ds-configuration',
	level: 2,
	idempotent: true,
	handle(request) {
		// Unknown cards are not mentioned in §4.8; §7.2 names 404 for cards in general.
		const card = request.state.card(request.params.cardId!);
		const { type } = bodyObject(request.body);
		if (type !== 'sms' && type !== 'webhook')
			throw invalid('type is required and must be sms or webhook');
		card.forwarded_3ds_type = type;
		request.execute({ operation: 'card.configure3ds' });
		return json(200, { type });
	},
};
