import { itemsOf, operationOf, requestOf } from '../reading.mts';

const CARD = { parameters: { cardId: 'ca/1' } };

describe.each([
	['card: freeze', true],
	['card: unfreeze', false],
])('%s', (name, frozen) => {
	it('sets the switch of the one endpoint (§4.7)', async () => {
		expect(await requestOf(name, CARD)).toMatchObject({
			method: 'PATCH',
			path: '/cards/individual-cards/ca%2F1/frozen',
			body: JSON.stringify({ freeze: frozen }),
		});
	});

	it('returns what it has set, whatever the answer holds', async () => {
		const json = { frozen: !frozen, card_id: 'other' };
		expect(await itemsOf(name, CARD, { json })).toMatchObject([{ card_id: 'ca/1', frozen }]);
	});

	it('carries an idempotency key, and moves no money', () => {
		expect(operationOf(name)).toMatchObject({ effect: 'keyed write', movesMoney: false });
	});
});
