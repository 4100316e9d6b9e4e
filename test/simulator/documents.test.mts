import { call } from './client.mts';
import { REJECTION_MARKER } from './documentReview.mts';
import { IDS } from './index.mts';
import { simulator, useSimulator } from './useSimulator.mts';

useSimulator({ requestsPerSecond: 0 });

const filler = Buffer.alloc(200, 7);
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), filler]);
const JPEG = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), filler]);
const dataUrl = (bytes: Buffer, type = 'image/png') =>
	`data:${type};base64,${bytes.toString('base64')}`;

const passport = (differences: object = {}) => ({
	document: {
		document_type: 'passport',
		image_front: dataUrl(PNG),
		metadata: { number: 'X1234567' },
		...differences,
	},
});

const submit = (
	body: unknown,
	request: string = IDS.pendingProductRequest,
	client: string = IDS.client,
) =>
	call(
		simulator,
		'POST',
		`/management/clients/individuals/${client}/products/${request}/documentation`,
		{ body },
	);

const missing = async () => {
	const { json } = await call(
		simulator,
		'GET',
		`/management/clients/individuals/${IDS.client}/products`,
	);
	return json
		.find(({ id }: { id: string }) => id === IDS.pendingProductRequest)
		.missing_requirements.documents.map(({ id }: { id: string }) => id);
};

it('removes the fulfilled requirement and executes once (4.2)', async () => {
	const before = await missing();
	const answer = await submit(passport());
	expect(answer.json.rejected_items).toEqual([]);
	expect(
		answer.json.product.missing_requirements.documents.map(({ id }: { id: string }) => id),
	).toEqual(before.filter((id: string) => id !== 'identity'));
	expect(await missing()).toEqual(before.filter((id: string) => id !== 'identity'));
	expect(simulator.ledger.map(({ operation }) => operation)).toEqual([
		'productRequest.submitDocument',
	]);
});

it('stores no image in the ledger, the requests or the state', async () => {
	await submit(passport());
	const everything = JSON.stringify([simulator.ledger, simulator.requests, simulator.state]);
	expect(everything).not.toContain(PNG.toString('base64').slice(0, 24));
	expect(everything).toContain('<image/png, 208 bytes>');
	await submit(`{"document":{"image_front":"${dataUrl(PNG)}"`);
	expect(JSON.stringify(simulator.requests)).not.toContain('base64,');
	expect(simulator.state.submittedDocuments).toMatchObject([
		{ images: [{ side: 'front', type: 'image/png', size: 208 }] },
	]);
});

it.each([
	['too small', passport({ image_front: dataUrl(PNG.subarray(0, 20)) }), 'document', 'passport'],
	['no image at all', passport({ image_front: dataUrl(filler) }), 'document', 'passport'],
	[
		'of another type than declared',
		passport({ image_front: dataUrl(JPEG) }),
		'document',
		'passport',
	],
	[
		'marked for rejection',
		passport({ image_front: dataUrl(Buffer.concat([PNG, Buffer.from(REJECTION_MARKER)])) }),
		'document',
		'passport',
	],
	['without the required metadata', passport({ metadata: {} }), 'data', 'number'],
	[
		'without the required back',
		{ document: { ...passport().document, document_type: 'national_id' } },
		'document',
		'national_id',
	],
	[
		'of a type that is not required',
		passport({ document_type: 'library_card' }),
		'document',
		'library_card',
	],
])('rejects an item %s (2.4)', async (_what, body, type, key) => {
	const before = await missing();
	const answer = await submit(body);
	expect([answer.status, answer.json.rejected_items]).toEqual([
		200,
		[{ type, key, reason: expect.any(String) }],
	]);
	expect(await missing()).toEqual(before);
	expect(simulator.ledger).toEqual([]);
});

it.each([
	['no document', {}],
	['no type', passport({ document_type: undefined })],
	['no front image', passport({ image_front: undefined })],
	['base64 without the data-URL prefix', passport({ image_front: PNG.toString('base64') })],
	['a number as back image', passport({ image_back: 5 })],
	['replace as text', passport({ replace: 'true' })],
	['a list as metadata', passport({ metadata: [] })],
])('rejects %s with 400', async (_what, body) => {
	const answer = await submit(body);
	expect([answer.status, answer.json.code]).toEqual([400, 'VAL']);
});

it.each([
	[IDS.client, IDS.rejectedProductRequest],
	[IDS.otherClient, IDS.enabledProductRequest],
	[IDS.otherClient, IDS.inKycProductRequest],
	[IDS.otherClient, IDS.requestedProductRequest],
])('%s %s gets 409 VAL because it is not pending documentation', async (client, request) => {
	const answer = await submit(passport(), request, client);
	expect([answer.status, answer.json.code]).toEqual([409, 'VAL']);
});

it('returns 404 for a request of another client', async () => {
	expect((await submit(passport(), IDS.pendingProductRequest, IDS.otherClient)).status).toBe(404);
});

it('accepts a second document of a type only with replace, and ignores the idempotency key', async () => {
	await submit(passport());
	expect((await submit(passport())).json.rejected_items).toHaveLength(1);
	expect((await submit(passport({ replace: true }))).json.rejected_items).toEqual([]);
	expect(simulator.ledger).toHaveLength(2);
});

it('moves the request to review once nothing is missing', async () => {
	simulator.state.records.productRequests[0]!.missing_requirements!.data = [];
	await submit(passport());
	await submit({
		document: { document_type: 'utility_bill', image_front: dataUrl(JPEG, 'image/jpeg') },
	});
	const last = await submit({ document: { document_type: 'payslip', image_front: dataUrl(PNG) } });
	expect(last.json.product.status).toBe('in_kyc');
	expect((await submit(passport({ replace: true }))).status).toBe(409);
});
