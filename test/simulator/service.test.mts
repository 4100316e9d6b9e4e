import { call, PNG } from './client.mts';
import { IDS } from './index.mts';
import { simulator, useSimulator } from './useSimulator.mts';

useSimulator({ requestsPerSecond: 0 });

const dataUrl = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;
const submit = async (differences: object = {}) => {
	const path = `/management/clients/individuals/${IDS.client}/products/${IDS.pendingProductRequest}`;
	const { status, json } = await call(`POST ${path}/documentation`, {
		body: {
			document: {
				...{ document_type: 'passport', image_front: dataUrl(PNG) },
				...{ metadata: { number: 'X1234567' }, ...differences },
			},
		},
	});
	return [status, json.rejected_items.length];
};
const missing = () =>
	simulator.state
		.productRequestsOf(IDS.client)[0]!
		.missing_requirements!.documents.map(({ id }) => id);

describe('submitted documents (4.2)', () => {
	it('a document fulfills its requirement, and is stored without its image', async () => {
		expect(await submit()).toEqual([200, 0]);
		expect(missing()).toEqual(['address', 'income']);
		const everything = JSON.stringify([simulator.ledger, simulator.requests, simulator.state]);
		expect(everything).not.toContain(PNG.toString('base64').slice(0, 24));
		expect(await submit()).toEqual([200, 1]);
		expect(await submit({ replace: true })).toEqual([200, 0]);
	});

	it.each([
		['is no image', { image_front: dataUrl(Buffer.from('no')) }],
		['lacks metadata', { metadata: {} }],
		['lacks its back', { document_type: 'national_id' }],
		['is not required', { document_type: 'library_card' }],
	])('a document that %s is a rejected item (2.4)', async (_what, differences) => {
		expect(await submit(differences)).toEqual([200, 1]);
		expect(missing()).toEqual(['identity', 'address', 'income']);
		expect(simulator.ledger).toEqual([]);
	});
});
