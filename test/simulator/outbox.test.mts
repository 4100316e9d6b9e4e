import { call, control, transfer } from './client.mts';
import { IDS, MAGIC_RECIPIENTS, startSimulator } from './index.mts';
import { startReceiver, type Receiver } from './receiver.mts';
import { until } from './until.mts';
import { simulator, useSimulator } from './useSimulator.mts';

let receiver: Receiver;
beforeAll(async () => {
	receiver = await startReceiver();
});
useSimulator({ requestsPerSecond: 0, pendingTransferMs: 0 });
beforeEach(() => {
	receiver.reset();
	simulator.events.subscription = { url: receiver.url, webhookKey: 'test-webhook-key' };
});
// Deliveries end within the test that started them.
afterEach(() => until(() => simulator.deliveries.every(({ delivery }) => delivery)));
afterAll(() => receiver.close());

const events = () => receiver.received.map(({ json }) => json);

describe('transfer events', () => {
	it('a transfer is confirmed with its own data in the format of events (6.5)', async () => {
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
	] as const)('a %s transfer is confirmed with the status %s', async (outcome, status) => {
		await transfer({ to: MAGIC_RECIPIENTS[outcome], amount: 1 });
		await until(() => events().length === 1);
		expect(events()[0].status).toBe(status);
	});

	it('a transfer is confirmed once, however often it is repeated and its answer is lost', async () => {
		simulator.faults.add({ kind: 'reset-after' });
		await expect(transfer(undefined, { idempotencyKey: 'k' })).rejects.toThrow();
		for (let n = 0; n < 2; n++) await transfer(undefined, { idempotencyKey: 'k' });
		await until(() => events().length === 1);
		expect(simulator.deliveries).toMatchObject([{ event: { status: 'success' } }]);
	});

	it('nothing confirms a rejected transfer, one while switched off, or one without a subscription', async () => {
		await transfer({ to: '', amount: 1 });
		simulator.settings.transferEvents = false;
		await transfer();
		simulator.settings.transferEvents = true;
		simulator.events.subscription = undefined;
		await transfer();
		expect(simulator.ledger).toHaveLength(2);
		expect(simulator.deliveries).toEqual([]);
	});

	it('a reset cancels the confirmation of a pending transfer', async () => {
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
	const velocity = async (cardId: string, count: number) => {
		const { json } = await control('POST velocity', { cardId, count });
		return json as Array<{ approved: boolean; authorizationId: string }>;
	};

	it('the first authorization over the limit blocks the card and sends one event', async () => {
		// The rule of the seeded cards allows 3 in 60 s.
		const answers = await velocity(IDS.activeCard, 6);
		const approved = answers.map((answer) => answer.approved);
		expect(approved).toEqual([true, true, true, true, false, false]);
		const { json: card } = await call(`GET /cards/individual-cards/${IDS.activeCard}`);
		expect(card.status).toBe('BLOCKED');
		await until(() => simulator.deliveries[0]?.delivery);
		expect(simulator.deliveries).toHaveLength(1);
		expect(events()).toEqual([
			{
				product: 'cards',
				event_type: 'card_blocked_by_velocity',
				operation_id: IDS.activeCard,
				status: 'success',
				company_id: IDS.company,
				data: {
					card_id: IDS.activeCard,
					company_id: IDS.company,
					blocked_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
					triggered_rule: { max_authorizations: 3, time_window_seconds: 60 },
					last_authorization_id: answers[3]!.authorizationId,
				},
			},
		]);
	});

	it('the rule counts in a sliding window', () => {
		const start = Date.UTC(2026, 10, 21);
		const blocked = [0, 10, 20, 60, 70, 80, 81].map(
			(seconds) =>
				simulator.events.authorize(IDS.activeCard, start + seconds * 1_000).blocked !== undefined,
		);
		expect(blocked).toEqual([false, false, false, false, false, false, true]);
	});

	it('the count restarts after an unblock', async () => {
		await velocity(IDS.activeCard, 4);
		await call(`PATCH /api/cards/${IDS.activeCard}/unblock`);
		await velocity(IDS.activeCard, 3);
		expect(simulator.deliveries).toHaveLength(1);
		await velocity(IDS.activeCard, 1);
		await until(() => events().length === 2);
	});

	it.each([IDS.frozenCard, IDS.blockedCard, IDS.expiredCard])(
		'%s declines and is not blocked by the rule',
		async (cardId) => {
			const answers = await velocity(cardId, 5);
			expect(answers.some(({ approved }) => approved)).toBe(false);
			expect(simulator.deliveries).toEqual([]);
		},
	);
});

describe('samples on demand', () => {
	it('samples are sent to the subscription or to another URL', async () => {
		const { json } = await control('POST events', {
			event: 'treasury.transfer',
			overrides: { data: { amount: '5' } },
		});
		expect(json).toMatchObject({
			n: 1,
			event: { data: { amount: '5' } },
			delivery: { delivered: true },
		});
		const to = { url: `${receiver.url}/elsewhere` };
		await control('POST events', { event: 'cards.refund', to });
		expect(receiver.received.map(({ path }) => path)).toEqual(['/', '/elsewhere']);
		expect((await control('GET deliveries')).json).toHaveLength(2);
	});

	it('the closing of the simulator ends a delivery that waits for its next attempt', async () => {
		const other = await startSimulator({ subscription: { url: receiver.url, webhookKey: 'k' } });
		receiver.answer = () => ({ status: 500 });
		const emitted = other.events.emit('cards.refund');
		await until(() => receiver.received.length === 1);
		await other.close();
		expect((await emitted).delivery).toMatchObject({
			delivered: false,
			attempts: [expect.any(Object)],
		});
	});
});
