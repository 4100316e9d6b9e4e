import { call, PNG, transfer } from './client.mts';
import { REJECTION_MARKER } from './documentReview.mts';
import { IDS, MAGIC_RECIPIENTS } from './index.mts';
import { simulator, useSimulator } from './useSimulator.mts';

useSimulator({ requestsPerSecond: 0 });

const cards = '/cards/individual-cards';
const send = (request: string, body?: unknown) => call(request, { body });

it.each(['PENDING', 'FAILED', 'MANUAL_CHECK', 'WARNING'] as const)(
	'a transfer that ends as %s follows from its recipient, and executes once (4.5)',
	async (name) => {
		const warned = { to: MAGIC_RECIPIENTS[name], amount: 1 };
		for (let n = 0; n < 2; n++) {
			const { status, json } = await transfer(warned, { idempotencyKey: 'k' });
			expect([status, json.status ?? json.code]).toEqual([name === 'WARNING' ? 302 : 200, name]);
		}
		expect(simulator.ledger).toHaveLength(1);
	},
);

it('a card is frozen and unfrozen; only unblocking lifts a block (4.7, 4.10)', async () => {
	const seen = [];
	for (const [id, change, body] of [
		[IDS.activeCard, 'frozen', { freeze: true }],
		[IDS.activeCard, 'frozen', { freeze: false }],
		[IDS.blockedCard, 'frozen', { freeze: false }],
		[IDS.blockedCard, 'unblock', undefined],
	] as const) {
		await send(`PATCH ${body ? cards : '/api/cards'}/${id}/${change}`, body);
		seen.push((await send(`GET ${cards}/${id}`)).json.status);
	}
	expect(seen).toEqual(['FROZEN', 'ACTIVE', 'BLOCKED', 'ACTIVE']);
});

const dataUrl = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;
const submit = (differences: object = {}) =>
	send(
		`POST /management/clients/individuals/${IDS.client}/products/${IDS.pendingProductRequest}/documentation`,
		{
			document: {
				...{ document_type: 'passport', image_front: dataUrl(PNG) },
				...{ metadata: { number: 'X1234567' }, ...differences },
			},
		},
	);
const pending = () =>
	simulator.state.records.productRequests.find(({ id }) => id === IDS.pendingProductRequest)!;
const missing = () => pending().missing_requirements!.documents.map(({ id }) => id);

describe('submitted documents (4.2)', () => {
	it('a document fulfills its requirement, and is stored without its image', async () => {
		expect((await submit()).json.rejected_items).toEqual([]);
		expect(missing()).toEqual(['address', 'income']);
		const everything = JSON.stringify([simulator.ledger, simulator.requests, simulator.state]);
		expect(everything).not.toContain(PNG.toString('base64').slice(0, 24));
		expect((await submit()).json.rejected_items).toHaveLength(1);
		expect((await submit({ replace: true })).json.rejected_items).toEqual([]);
	});

	it.each([
		['is marked', { image_front: dataUrl(Buffer.concat([PNG, Buffer.from(REJECTION_MARKER)])) }],
		['is no image', { image_front: dataUrl(Buffer.from('no')) }],
		['lacks metadata', { metadata: {} }],
		['lacks its back', { document_type: 'national_id' }],
		['is not required', { document_type: 'library_card' }],
	])('a document that %s is a rejected item (2.4)', async (_what, differences) => {
		const answer = await submit(differences);
		expect([answer.status, answer.json.rejected_items.length]).toEqual([200, 1]);
		expect(missing()).toEqual(['identity', 'address', 'income']);
		expect(simulator.ledger).toEqual([]);
	});
});

it('a reader of the blockchain shows what a wallet holds, and answers errors with 200', async () => {
	const { address, token } = simulator.state.records.holdings[0]!;
	const rpc = async (to: string, data: string) =>
		(
			await call('POST /chain/rpc', {
				body: { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to, data }, 'latest'] },
			})
		).json;
	const data = `0x70a08231${'0'.repeat(24)}${address.slice(2)}`;
	const units = `0x${(1_250_500_000).toString(16).padStart(64, '0')}`;
	expect(await rpc(token, data)).toMatchObject({ result: units });
	expect(await rpc(IDS.wallet, data)).toMatchObject({ result: '0x' });
	expect(await rpc(token, '0x1')).toMatchObject({ error: { code: -32602 } });
	simulator.state.spend(address, token, '5000');
	const query = `module=account&action=tokenbalance&address=${address}&contractaddress=${token}`;
	expect((await send(`GET /chain/api?${query}`)).json).toMatchObject({ status: '1', result: '0' });
});
