import { itemsOf } from '../reading.mts';

it('an unblocked card comes first in the item, then the reply of the service under answer (§4.10)', async () => {
	const json = { status: 'ACTIVE', unblocked: 'maybe', card_id: 'other' };
	const [item = {}] = await itemsOf('card: unblock', { parameters: { cardId: 'c' } }, { json });
	expect(Object.entries(item)).toEqual([
		['card_id', 'c'],
		['unblocked', true],
		['answer', json],
	]);
});
