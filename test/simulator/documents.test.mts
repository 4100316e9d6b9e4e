import { call, PNG } from './client.mts';
import { REJECTION_MARKER } from './documentReview.mts';
import { IDS } from './index.mts';
import { simulator, useSimulator } from './useSimulator.mts';

useSimulator({ requestsPerSecond: 0 });

const dataUrl = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;

const passport = (differences: object = {}) => ({
	document: {
		...{ document_type: 'passport', image_front: dataUrl(PNG), metadata: { number: 'X1234567' } },
		...differences,
	},
});

const submit = (
	body: unknown,
	request: string = IDS.pendingProductRequest,
	client: string = IDS.client,
) =>
	call(`POST /management/clients/individuals/${client}/products/${request}/documentation`, {
		body,
	});

const pending = () =>
	simulator.state.records.productRequests.find(({ id }) => id === IDS.pendingProductRequest)!;
const missing = () => pending().missing_requirements!.documents.map(({ id }) => id);

describe('submitted documents (4.2)', () => {
	it('a document fulfills its requirement, executes once, and is stored without its image', async () => {
		expect((await submit(passport())).json).toMatchObject({
			product: { missing_requirements: { documents: [{ id: 'address' }, { id: 'income' }] } },
			rejected_items: [],
		});
		expect(missing()).toEqual(['address', 'income']);
		expect(simulator.ledger).toMatchObject([{ operation: 'productRequest.submitDocument' }]);
		await submit(`{"document":{"image_front":"${dataUrl(PNG)}"`);
		const everything = JSON.stringify([simulator.ledger, simulator.requests, simulator.state]);
		expect(everything).not.toContain(PNG.toString('base64').slice(0, 24));
		expect(everything).toContain('<image/png, 208 bytes>');
	});

	it.each([
		['that is too small', { image_front: dataUrl(PNG.subarray(0, 20)) }, 'passport'],
		['that is no image at all', { image_front: dataUrl(Buffer.alloc(200, 7)) }, 'passport'],
		[
			'marked for rejection',
			{ image_front: dataUrl(Buffer.concat([PNG, Buffer.from(REJECTION_MARKER)])) },
			'passport',
		],
		['without the required metadata', { metadata: {} }, 'number'],
		['without the required back', { document_type: 'national_id' }, 'national_id'],
		['of a type that is not required', { document_type: 'library_card' }, 'library_card'],
	])('a document %s is a rejected item (2.4)', async (_what, differences, key) => {
		const answer = await submit(passport(differences));
		const type = key === 'number' ? 'data' : 'document';
		expect([answer.status, answer.json.rejected_items]).toEqual([
			...[200, [{ type, key, reason: expect.any(String) }]],
		]);
		expect(missing()).toEqual(['identity', 'address', 'income']);
		expect(simulator.ledger).toEqual([]);
	});

	it.each([
		[409, IDS.enabledProductRequest, IDS.otherClient],
		[409, IDS.inKycProductRequest, IDS.otherClient],
		[409, IDS.requestedProductRequest, IDS.otherClient],
		[404, IDS.pendingProductRequest, IDS.otherClient],
	])('%d answers a document for %s of %s', async (status, request, client) => {
		expect((await submit(passport(), request, client)).status).toBe(status);
	});

	it('a second document of a type is accepted only with replace', async () => {
		await submit(passport());
		expect((await submit(passport())).json.rejected_items).toHaveLength(1);
		expect((await submit(passport({ replace: true }))).json.rejected_items).toEqual([]);
		expect(simulator.ledger).toHaveLength(2);
	});

	it('the request is reviewed once nothing is missing', async () => {
		pending().missing_requirements!.data = [];
		for (const document_type of ['passport', 'utility_bill', 'payslip'])
			await submit(passport({ document_type }));
		expect(pending().status).toBe('in_kyc');
		expect((await submit(passport({ replace: true }))).status).toBe(409);
	});
});
