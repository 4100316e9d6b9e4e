import { itemsOf } from '../reading.mts';

it("an unblocked card's item starts with the known fields, then the service's (§4.10)", async () => {
	const json = { status: 'ACTIVE', unblocked: 'maybe', card_id: 'other' };
	const [item = {}] = await itemsOf('card: unblock', { parameters: { cardId: 'c' } }, { json });
	expect(Object.entries(item)).toEqual([
		['card_id', 'c'],
		['unblocked', true],
		['status', 'ACTIVE'],
	]);
});
