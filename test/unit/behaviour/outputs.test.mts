import type { ServiceAnswer } from '../../../nodes/CardTreasury/request/request.ts';
import { itemsOf, operationOf, type Item } from '../CardTreasury/operations/reading.mts';
import { PENDING } from '../CardTreasury/operations/sampleAnswers.mts';

const CARD: Item = { parameters: { cardId: 'c', simplify: true } };
const CLIENT: Item = { parameters: { clientId: 'c', itemPer: 'client' } };
/** Card with the fields that the API document lists (§2.7). */
const RECORD = {
	id: 'card-1',
	provider_card_id: 'provider-1',
	client_id: 'client-1',
	type: 'VIRTUAL',
	status: 'ACTIVE',
	last4: '1234',
	expiration_month: 3,
	expiration_year: 2029,
	card_holder_name: 'Ann Lee',
	approval_method: 'WEBHOOK',
	daily_limit: 100,
	weekly_limit: 500,
	monthly_limit: 1500,
	forwarded_3ds_type: 'sms',
};
const FOUND = { total_elements: 1, movements: [{ operation: 'PURCHASE', bill_amount: 1 }] };

describe.each<[string, Item, Item, Partial<ServiceAnswer>]>([
	['card: get', CARD, { parameters: { ...CARD.parameters, simplify: false } }, { json: RECORD }],
	[
		'cardTransaction: search',
		{ parameters: { cardId: 'c' } },
		{ parameters: { cardId: 'c', splitMovements: true } },
		{ json: FOUND },
	],
	[
		'productRequest: getMissingRequirements',
		CLIENT,
		{ parameters: { ...CLIENT.parameters, itemPer: 'requirement' } },
		{ json: [PENDING] },
	],
])('output of %s', (name, initial, changed, answer) => {
	const { output, otherOutput } = operationOf(name);
	const fieldsOf = async (item: Item) =>
		[...new Set((await itemsOf(name, item, answer)).flatMap((json) => Object.keys(json)))].sort();

	it('the output has the fields that the editor shows before the first run', async () => {
		const fields = await fieldsOf(initial);
		expect(Object.keys(output).filter((field) => !fields.includes(field))).toEqual([]);
	});

	it('the output has the documented fields for the other setting', async () => {
		expect(await fieldsOf(changed)).toEqual(Object.keys(otherOutput!.shape).sort());
	});
});
