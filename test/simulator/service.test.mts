import lodash from 'lodash';

import { call, PNG, transfer } from './client.mts';
import { OPERATION_FAMILIES } from './description.mts';
import { REJECTION_MARKER } from './documentReview.mts';
import { IDS, MAGIC_RECIPIENTS } from './index.mts';
import { pdf } from './pdf.mts';
import { RateLimit } from './rateLimit.mts';
import { simulator, useSimulator } from './useSimulator.mts';

useSimulator({ requestsPerSecond: 0 });

const clients = '/management/clients/individuals';
const cards = '/cards/individual-cards';
const transactions = `/cards/transactions/${IDS.enterpriseCard}`;
const send = (request: string, body?: unknown) => call(request, { body });

describe('transfers (4.5)', () => {
	it.each(['0.000001', '999999999.999999', '0.1', '1'])('accepts the amount %s', async (amount) => {
		expect((await transfer(`{"amount": ${amount} ,"to":"0x1"}`)).status).toBe(200);
		expect(simulator.ledger).toMatchObject([{ operation: 'wallet.transfer', amountText: amount }]);
	});

	it.each(['PENDING', 'FAILED', 'MANUAL_CHECK'] as const)(
		'%s follows from the recipient',
		async (outcome) => {
			const answer = await transfer({ to: MAGIC_RECIPIENTS[outcome], amount: 1 });
			expect(answer.json).toEqual({
				transaction_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
				status: outcome,
			});
		},
	);

	it('302 WARNING has a Location and executes once, also by a key', async () => {
		const warned = { to: MAGIC_RECIPIENTS.WARNING, amount: 1 };
		for (let n = 0; n < 2; n++) {
			const answer = await transfer(warned, { idempotencyKey: 'k' });
			expect([answer.status, answer.json.code]).toEqual([302, 'WARNING']);
			expect(answer.headers.location).toMatch(/^\/mpc\/transfers\/0x/);
		}
		expect(simulator.ledger).toHaveLength(1);
	});
});

describe('records', () => {
	it('product requests are listed newest first, none of a new client (4.3)', async () => {
		const { json } = await send(`GET ${clients}/${IDS.client}/products`);
		const dates = json.map(({ created_at }: { created_at: string }) => created_at);
		expect(dates).toEqual([...dates].sort().reverse());
		expect((await send(`GET ${clients}/${IDS.newClient}/products`)).text).toBe('[]');
	});

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
		expect(lodash.map(simulator.ledger, 'operation')).toEqual([
			...['card.freeze', 'card.unfreeze', 'card.unfreeze', 'card.unblock'],
		]);
	});

	it('a card shows its 3DS configuration, and a ramp its new amount (4.8, 4.4)', async () => {
		const path = `/cards/virtual-cards/${IDS.activeCard}/3ds-configuration`;
		await send(`POST ${path}`, { type: 'webhook' });
		const { json: card } = await send(`GET ${cards}/${IDS.activeCard}`);
		expect(card.forwarded_3ds_type).toBe('webhook');
		const { json } = await send(`PATCH /virtual-wallets/ramps/transfer/${IDS.pendingRamp}`, {
			amount: 2500.1,
		});
		expect(json).toMatchObject({ id: IDS.pendingRamp, origin_amount: 2500.1 });
		expect(simulator.ledger.at(-1)).toMatchObject({ amountText: '2500.1' });
	});

	it('the search filters by family, and counts all movements (4.11)', async () => {
		const search = async (query = '', version = '2') =>
			(await call(`GET ${transactions}/search${query}`, { headers: { 'X-API-Version': version } }))
				.json;
		const familiesIn = ({ movements }: { movements: object[] }) =>
			lodash.uniq(lodash.map(movements, 'operation'));
		const all = await search('', 'nonsense');
		expect(familiesIn(all).sort()).toEqual([...OPERATION_FAMILIES].sort());
		for (const family of OPERATION_FAMILIES)
			expect(familiesIn(await search(`?operations=${family}`))).toEqual([family]);
		for (const query of ['PURCHASE,WALLET_DEPOSIT', 'PURCHASE&operations=WALLET_DEPOSIT'])
			expect(familiesIn(await search(`?operations=${query}`))).toEqual(
				OPERATION_FAMILIES.slice(0, 2),
			);
		expect(all.total_elements).toBe(all.movements.length);
	});

	it('a statement is a PDF with the transactions of its days (4.9)', async () => {
		const { bytes, headers } = await send(
			`GET ${transactions}/pdf?from_date=2026-11-18&to_date=2026-11-20`,
		);
		expect(headers['content-type']).toBe('application/pdf');
		const text = bytes.toString('latin1');
		expect(text).toMatch(
			/^%PDF-1\.4[^]*2026-11-20T12:00:00\.000Z {2}PURCHASE {2}52\.35[^]*%%EOF\n$/,
		);
		expect(text).not.toContain('2026-11-17');
		expect(pdf(['a(b)c\\d']).toString()).toContain('(a\\(b\\)c\\\\d) Tj');
	});
});

describe('request limit (8)', () => {
	it('accepts at most 15 in any 1,000 ms, however they are spread', () => {
		const limit = new RateLimit({ requestsPerSecond: 15 });
		const accepted: number[] = [];
		for (let at = 0; at < 10_000; at += 7) if (limit.admits(at)) accepted.push(at);
		for (const [index, at] of accepted.entries())
			expect(at - (accepted[index - 15] ?? -Infinity)).toBeGreaterThanOrEqual(1_000);
		// It rejects no more than necessary.
		expect(accepted.length).toBeGreaterThanOrEqual(15 * 9);
	});

	it('counts every request of the company, and answers 429 without a body', async () => {
		simulator.settings.requestsPerSecond = 15;
		const answers = await Promise.all(
			Array.from({ length: 20 }, (_, n) => send(n % 2 ? 'GET /mpc/tokens/list' : 'GET /nowhere')),
		);
		const rejected = answers.filter(({ status }) => status === 429);
		expect(rejected.map(({ text, headers }) => [text, headers['x-trace-id'] !== ''])).toEqual(
			Array(5).fill(['', true]),
		);
		expect(simulator.rateLimit.rejected).toBe(5);
	});
});

const dataUrl = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;

const passport = (differences: object = {}) => ({
	document: {
		...{ document_type: 'passport', image_front: dataUrl(PNG), metadata: { number: 'X1234567' } },
		...differences,
	},
});

const submit = (body: unknown) =>
	send(`POST ${clients}/${IDS.client}/products/${IDS.pendingProductRequest}/documentation`, body);

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
		[
			'marked for rejection',
			{ image_front: dataUrl(Buffer.concat([PNG, Buffer.from(REJECTION_MARKER)])) },
			'passport',
		],
		['that is no image', { image_front: dataUrl(Buffer.from('no')) }, 'passport'],
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
