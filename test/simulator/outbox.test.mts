import { call } from './client.mts';
import {
	deliver,
	IDS,
	MAGIC_RECIPIENTS,
	OTHER_COMPANY_API_KEY,
	sampleEvent,
	startSimulator,
	type Simulator,
} from './index.mts';
import { startReceiver, type Receiver } from './receiver.mts';
import { until } from './until.mts';

const ISO_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

let simulator: Simulator;
let receiver: Receiver;
beforeAll(async () => {
	receiver = await startReceiver();
	simulator = await startSimulator({
		requestsPerSecond: 0,
		pendingTransferMs: 0,
		subscription: { url: receiver.url, webhookKey: 'test-webhook-key', timeScale: 0.001 },
	});
});
beforeEach(() => {
	simulator.reset();
	receiver.reset();
});
// Deliveries end within the test that started them.
afterEach(() => until(() => simulator.deliveries.every(({ delivery }) => delivery)));
afterAll(async () => {
	await simulator.close();
	await receiver.close();
});

describe('transfer events', () => {
	const transfer = (body: object, headers: Record<string, string> = {}, key: string | number = 2) =>
		call(simulator, 'POST', `/mpc/accounts/${IDS.account}/wallets/${IDS.wallet}/transfer`, {
			key: key as 2,
			body,
			headers,
		});
	const events = () => receiver.received.map(({ json }) => json);

	it('confirms a transfer with its own data in the format of events (6.5)', async () => {
		const { json } = await transfer({ to: '0xAb', amount: 12.5, token_address: '0x70ce' });
		await until(() => events().length === 1);
		expect(events()).toEqual([
			{
				product: 'treasury',
				event_type: 'transfer',
				operation_id: expect.any(String),
				status: 'success',
				data: {
					wallet_id: IDS.wallet,
					wallet_address: `0x${'a1'.repeat(20)}`,
					blockchain: 'polygon',
					transaction_hash: json.transaction_hash,
					to_wallet_address: '0xAb',
					amount: '12.5',
					token: { address: '0x70ce' },
					created_at: expect.any(String),
				},
			},
		]);
		expect(receiver.received[0]!.headers['x-webhook-key']).toBe('test-webhook-key');
	});

	it.each([
		['FAILED', 'failed'],
		['MANUAL_CHECK', 'manual_check'],
		['PENDING', 'success'],
		['WARNING', 'success'],
	] as const)('confirms a %s transfer with the status %s', async (outcome, status) => {
		await transfer({ to: MAGIC_RECIPIENTS[outcome], amount: 1 });
		await until(() => events().length === 1);
		expect(events()[0].status).toBe(status);
	});

	it('confirms a transfer whose answer is lost', async () => {
		simulator.faults.add({ kind: 'reset-after' });
		await expect(transfer({ to: '0x1', amount: 1 })).rejects.toThrow();
		await until(() => events().length === 1);
		expect(events()[0].status).toBe('success');
	});

	it('confirms once, however often the request is repeated', async () => {
		for (let n = 0; n < 3; n++)
			await transfer({ to: '0x1', amount: 1 }, { 'Idempotency-Key': 'k' });
		expect(simulator.deliveries).toHaveLength(1);
	});

	it('confirms no rejected transfer, none while switched off, none of another company', async () => {
		await transfer({ to: '', amount: 1 });
		await transfer({ to: '0x1', amount: 1 }, {}, OTHER_COMPANY_API_KEY);
		simulator.settings.transferEvents = false;
		await transfer({ to: '0x1', amount: 1 });
		expect(simulator.ledger).toHaveLength(2);
		expect(simulator.deliveries).toEqual([]);
	});

	it('sends nothing without a subscription', async () => {
		const silent = await startSimulator();
		try {
			const path = `/mpc/accounts/${IDS.account}/wallets/${IDS.wallet}/transfer`;
			expect((await call(silent, 'POST', path, { body: { to: '0x1', amount: 1 } })).status).toBe(
				200,
			);
			expect(silent.deliveries).toEqual([]);
		} finally {
			await silent.close();
		}
	});

	it('does not confirm a pending transfer after a reset', async () => {
		simulator.settings.pendingTransferMs = 20;
		await transfer({ to: MAGIC_RECIPIENTS.PENDING, amount: 1 });
		simulator.reset();
		// The second event shows that the time of the first has passed.
		simulator.settings.pendingTransferMs = 20;
		await transfer({ to: MAGIC_RECIPIENTS.PENDING, amount: 2 });
		await until(() => events().length > 0);
		expect(events().map(({ data }) => data.amount)).toEqual(['2']);
	});
});

describe('velocity rule (§3)', () => {
	const velocity = (body: object) =>
		call(simulator, 'POST', '/_simulator/velocity', { key: 'none', body });

	it('blocks the card at the first authorization over the limit and sends one event', async () => {
		const { json } = await velocity({ cardId: IDS.activeCard, count: 8 });
		// The rule of the seeded cards allows 3 in 60 s.
		expect(json.map(({ approved }: { approved: boolean }) => approved)).toEqual([
			true,
			true,
			true,
			true,
			false,
			false,
			false,
			false,
		]);
		expect(
			(await call(simulator, 'GET', `/cards/individual-cards/${IDS.activeCard}`)).json.status,
		).toBe('BLOCKED');
		await until(() => simulator.deliveries[0]?.delivery);
		expect(simulator.deliveries).toHaveLength(1);
		expect(receiver.received.map(({ json: event }) => event)).toEqual([
			{
				product: 'cards',
				event_type: 'card_blocked_by_velocity',
				operation_id: IDS.activeCard,
				status: 'success',
				company_id: IDS.company,
				data: {
					card_id: IDS.activeCard,
					company_id: IDS.company,
					blocked_at: expect.stringMatching(ISO_UTC),
					triggered_rule: { max_authorizations: 3, time_window_seconds: 60 },
					last_authorization_id: json[3].authorizationId,
				},
			},
		]);
	});

	it('counts in a sliding window', () => {
		const start = Date.UTC(2026, 10, 21);
		for (const seconds of [0, 10, 20, 60, 70, 80]) {
			expect(
				simulator.events.authorize(IDS.activeCard, start + seconds * 1_000).blocked,
			).toBeUndefined();
		}
		expect(simulator.events.authorize(IDS.activeCard, start + 81_000)).toMatchObject({
			approved: true,
			blocked: {},
		});
	});

	it('restarts the count after an unblock, then blocks and sends an event again', async () => {
		await velocity({ cardId: IDS.activeCard, count: 4 });
		await call(simulator, 'PATCH', `/api/cards/${IDS.activeCard}/unblock`);
		await velocity({ cardId: IDS.activeCard, count: 3 });
		expect(simulator.deliveries).toHaveLength(1);
		await velocity({ cardId: IDS.activeCard });
		await until(() => simulator.deliveries.every(({ delivery }) => delivery));
		expect(receiver.received.map(({ json }) => json.operation_id)).toEqual([
			IDS.activeCard,
			IDS.activeCard,
		]);
	});

	it.each([IDS.frozenCard, IDS.blockedCard, IDS.expiredCard])(
		'declines on %s and does not block',
		async (cardId) => {
			const { json } = await velocity({ cardId, count: 5 });
			expect(json.some(({ approved }: { approved: boolean }) => approved)).toBe(false);
			expect(simulator.deliveries).toEqual([]);
		},
	);

	it('sends samples on demand to the subscription or another URL', async () => {
		const { json } = await call(simulator, 'POST', '/_simulator/events', {
			key: 'none',
			body: { event: 'treasury.transfer', overrides: { data: { amount: '5' } } },
		});
		expect(json).toMatchObject({
			n: 1,
			event: { data: { amount: '5' } },
			delivery: { delivered: true },
		});
		await call(simulator, 'POST', '/_simulator/events', {
			key: 'none',
			body: { event: 'cards.refund', to: { url: `${receiver.url}/elsewhere` } },
		});
		expect(receiver.received.map(({ path }) => path)).toEqual(['/', '/elsewhere']);
		expect(
			(await call(simulator, 'GET', '/_simulator/deliveries', { key: 'none' })).json,
		).toHaveLength(2);
	});

	it('closing ends a delivery that waits for its next attempt', async () => {
		const other = await startSimulator({ subscription: { url: receiver.url, webhookKey: 'k' } });
		receiver.answer = () => ({ status: 500 });
		const emitted = other.events.emit('cards.refund');
		await until(() => receiver.received.length === 1);
		await other.close();
		expect((await emitted).delivery).toMatchObject({
			delivered: false,
			attempts: [expect.any(Object)],
		});
		expect(
			await deliver(sampleEvent('cards.refund'), {
				url: receiver.url,
				webhookKey: 'k',
				attempts: 1,
			}),
		).toMatchObject({ delivered: false });
	});
});
