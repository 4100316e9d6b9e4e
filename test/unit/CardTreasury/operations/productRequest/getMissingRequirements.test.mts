import { Settings } from 'luxon';

import { answerOf, itemsOf, workOf } from '../reading.mts';
import { PENDING } from '../sampleAnswers.mts';

describe('missing requirements per client', () => {
	const NAME = 'productRequest: getMissingRequirements';
	const perClient = { parameters: { clientId: 'c', itemPer: 'client' } };
	beforeAll(() => {
		Settings.now = () => Date.parse('2026-05-20T12:00:00Z');
		Settings.defaultZone = 'America/New_York';
	});
	afterAll(() => {
		Settings.now = () => Date.now();
		Settings.defaultZone = 'system';
	});

	it('the requirements are one item with a summary for a message', async () => {
		const document = PENDING.missing_requirements.documents[0]!;
		const types = [{ id: 'passport', name: 'Passport' }, { id: 'visa' }];
		const json = [
			{
				...PENDING,
				updated_at: '2026-05-17T12:00:01Z',
				missing_requirements: {
					documents: [{ ...document, valid_documents: types }],
					data: [
						{
							id: 'address',
							name: 'Address',
							required: false,
							fields: [{ key: 'street' }, { key: 'city' }],
						},
						{ id: 'tax', required: true },
					],
				},
			},
			{
				...PENDING,
				id: 'p4',
				product: 'other',
				created_at: '2026-05-20T10:00:00Z',
				missing_requirements: { data: [] },
			},
			{ ...PENDING, id: 'p5', status: 'enabled', updated_at: '2020-01-01T00:00:00Z' },
		];
		const [item, ...others] = await itemsOf(NAME, perClient, { json });
		expect(others).toEqual([]);
		expect(item).toMatchObject({
			client_id: 'c',
			count: 3,
			required_count: 2,
			requirements: await itemsOf(
				NAME,
				{ parameters: { clientId: 'c', itemPer: 'requirement' } },
				{ json },
			),
			waiting_days: 2,
			summary: [
				'• Identity (Ramps: Pix): Passport or visa',
				'• Address (Ramps: Pix, optional): street, city',
				'• tax (Ramps: Pix)',
			].join('\n'),
		});
	});

	it('a request that does not say what is missing is not one without requirements', async () => {
		const json = [
			{
				id: 'p1',
				product: 'ramps_pix',
				status: 'pending_documentation',
				updated_at: '2026-05-18T12:00:00Z',
			},
			{ ...PENDING, id: 'p2', product: 'other<!channel>\n' },
		];
		const [item] = await itemsOf(NAME, perClient, { json });
		expect(item).toMatchObject({ count: null, required_count: null, waiting_days: 2 });
		expect(item?.summary).toMatch(
			/^• Identity \(other‹!channel›\): passport\n• Address \(other‹!channel›, optional\)\n• Ramps: Pix: the service did not say what is missing$/,
		);
	});

	it.each<[object, number | null]>([
		[{ status: 'pending_documentation', missing_requirements: null }, null],
		[{ status: 'pending_documentation', missing_requirements: {} }, null],
		[{ status: 'pending_documentation', missing_requirements: { documents: null } }, null],
		[{ status: 'pending_documentation', missing_requirements: 'passport' }, null],
		[{ status: 'PENDING_DOCUMENTATION' }, null],
		[{}, null],
		[{ status: 'requested' }, 0],
		[{ status: 'in_kyc', missing_requirements: {} }, 0],
		[{ status: 'pending_documentation', missing_requirements: { documents: [] } }, 0],
		[{ status: 'new', missing_requirements: { documents: ['Passport'], data: [] } }, 1],
	])('of the request %j, the count is %j', async (request, count) => {
		expect(await itemsOf(NAME, perClient, { json: [request] })).toMatchObject([{ count }]);
	});

	it('a summary without a product does not name one', async () => {
		const pending = { id: 'p1', status: 'pending_documentation' };
		const summaryOf = async (request: object) => {
			const [item] = await itemsOf(NAME, perClient, { json: [request] });
			return item?.summary;
		};
		expect(await summaryOf(pending)).toBe(
			'• Product request p1: the service did not say what is missing',
		);
		const missing = { documents: ['Passport'], data: [{ id: 'tax', required: false }] };
		expect(await summaryOf({ ...pending, missing_requirements: missing })).toBe(
			'• Passport\n• tax (optional)',
		);
	});

	it('a request that does not say what is missing gives a hint, also without an item', async () => {
		const parameters = { clientId: 'c', itemPer: 'requirement' };
		const { items, unmatched } = await workOf(NAME, { parameters });
		const answer = answerOf({ json: [{ id: 'p1', status: 'pending_documentation' }] });
		expect(items(answer)).toEqual([]);
		expect(unmatched(answer)).toBe(
			'The service did not say all that is missing for client c. Look at the product requests with Get Many, or ask the provider.',
		);
	});

	it('a product filter that matches nothing names what there is', async () => {
		const parameters = { ...perClient.parameters, filters: { products: ['ramps_cards'] } };
		const { items, unmatched } = await workOf(NAME, { parameters });
		const answer = answerOf({ json: [PENDING] });
		expect(items(answer)).toMatchObject([
			{ count: 0, summary: 'Client c: no product request exists for Ramps: Cards.' },
		]);
		expect(unmatched(answer)).toBe(
			'No product requests match the filters. There are: "Ramps: Pix: Pending Documentation".',
		);
		const all = await workOf(NAME, perClient);
		expect([all.unmatched(answer), all.unmatched(answerOf({ json: [] }))]).toEqual([
			undefined,
			undefined,
		]);
	});

	it.each([undefined, 'true'])(
		'a requirement with required %j does not count as required',
		async (required) => {
			const data = [
				{ id: 'a', required },
				{ id: 'b', required: true },
			];
			const json = [{ ...PENDING, missing_requirements: { data } }];
			expect(await itemsOf(NAME, perClient, { json })).toMatchObject([
				{ count: 2, required_count: 1 },
			]);
		},
	);

	it.each([
		['2026-05-17T12:00:00Z', 3],
		['2026-05-17T12:00:00', 3],
		['2026-05-20T12:00:00Z', 0],
		['2026-05-21T12:00:00Z', 0],
		['soon', null],
	])('a request that changed on %s waits for %s days', async (changed, days) => {
		const json = [{ ...PENDING, created_at: '2026-01-01T00:00:00Z', updated_at: changed }];
		expect(await itemsOf(NAME, perClient, { json })).toMatchObject([{ waiting_days: days }]);
	});

	it.each([
		['Client c: no product request exists.', []],
		['Client c: nothing is missing.', [{ ...PENDING, status: 'enabled' }]],
	])('a client without requirements is one item that says %j', async (summary, json) => {
		expect(await itemsOf(NAME, perClient, { json })).toEqual([
			{
				client_id: 'c',
				count: 0,
				required_count: 0,
				requirements: [],
				waiting_days: null,
				summary,
			},
		]);
	});

	it('items share an output if they ask for the same products of one client', async () => {
		const sharedBy = async (parameters: object) =>
			(await workOf(NAME, { parameters: { ...perClient.parameters, ...parameters } })).merge;
		const shared = await sharedBy({});
		expect(shared).toEqual(expect.any(String));
		expect(await sharedBy({ filters: {} })).toBe(shared);
		expect(await sharedBy({ clientId: 'd' })).not.toBe(shared);
		expect(await sharedBy({ filters: { products: ['ramps_pix'] } })).not.toBe(shared);
		expect(await sharedBy({ itemPer: 'requirement' })).toBeUndefined();
	});
});

it.each([
	[{}, { metadata: [], require_back_image: false }],
	[
		{ metadata: null, require_back_image: null },
		{ metadata: [], require_back_image: false },
	],
	[
		{ metadata: 'none', require_back_image: 'yes' },
		{ metadata: [], require_back_image: false },
	],
	[
		{ metadata: [{ id: 'number' }, null], require_back_image: true, required: null, more: 1 },
		{ metadata: [{ id: 'number' }], require_back_image: true, required: null, more: 1 },
	],
])('a form can be made of an accepted type that is %j', async (given, accepted) => {
	const documents = [{ id: 'identity', valid_documents: [{ id: 'passport', ...given }] }];
	const [item] = await itemsOf(
		'productRequest: getMissingRequirements',
		{ parameters: { clientId: 'c', itemPer: 'requirement' } },
		{ json: [{ ...PENDING, missing_requirements: { documents } }] },
	);
	expect(item!.accepted).toStrictEqual([{ id: 'passport', ...accepted }]);
});
