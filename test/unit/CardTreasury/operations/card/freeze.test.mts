import { itemsOf, operationOf, requestOf } from '../reading.mts';

const CARD = { parameters: { cardId: 'ca/1' } };

describe.each([
	['card: freeze', true],
	['card: unfreeze', false],
])('%s', (name, frozen) => {
	it('the request sets the switch of the one endpoint (§4.7)', async () => {
		expect(await requestOf(name, CARD)).toEqual({
			method: 'PATCH',
			path: '/cards/individual-cards/ca%2F1/frozen',
			body: JSON.stringify({ freeze: frozen }),
		});
	});

	it('the item shows the state that was set, and another reply beside it', async () => {
		const json = { frozen: !frozen, card_id: 'other' };
		expect(await itemsOf(name, CARD, { json })).toEqual([
			{ outcome: 'done', card_id: 'ca/1', frozen, answer: json },
		]);
		expect(await itemsOf(name, CARD, {})).toEqual([{ outcome: 'done', card_id: 'ca/1', frozen }]);
	});

	it.each([
		[{ card_id: 'c' }, 0],
		[{ card_id: 'c', answer: { frozen: false } }, 1],
		[{ card_id: 'c', answer: null }, 1],
	])('the item %j has %d hints on an undocumented reply', (item, count) => {
		expect(operationOf(name).hints([[item]])).toHaveLength(count);
	});
});
