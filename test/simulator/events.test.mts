import { call, damaged, transfer } from './client.mts';
import { compile, DELIVERY_HEADERS, eventDepartures } from './description.mts';
import {
	deliver,
	deliverOpenLoop,
	EVENT_NAMES,
	eventName,
	IDS,
	MAGIC_RECIPIENTS,
	sampleEvent,
	type DeliverOptions,
	type EventEnvelope,
} from './index.mts';
import { startReceiver, type Receiver, type ReceiverAnswer } from './receiver.mts';
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
const BLOCKED = 'cards.card_blocked_by_velocity';

/** Fields whose type or presence the document leaves open. */
const NOT_SHOWN: Record<string, string[]> = {
	'cards.authorization': ['data.metadata.account retyped'],
	'virtual_wallets.withdraw': ['data.token.address missing', 'data.token.address retyped'],
	'treasury.transfer': ['data.token.address missing', 'data.token.address retyped'],
};

describe('samples (6.5)', () => {
	it.each(EVENT_NAMES)('%s is described: a field missing or retyped is found', (name) => {
		const sample = sampleEvent(name);
		expect([eventName(sample), eventDepartures(sample)]).toEqual([name, []]);
		const unnoticed = [...damaged(sample)].filter(
			([, wrong]) => eventDepartures(wrong as EventEnvelope).length === 0,
		);
		expect(unnoticed.map(([what]) => what)).toEqual(NOT_SHOWN[name] ?? []);
		const isOfCard = name === BLOCKED;
		expect(sample.operation_id === sampleEvent(name).operation_id).toBe(isOfCard);
		expect('company_id' in sample).toBe(isOfCard);
	});

	it.each([
		['a field that is not documented', { data: { card: 'x' } }, 'card'],
		['a time without a zone', { data: { created_at: '2026-11-20T10:00:00' } }, 'created_at'],
		['another status', { status: 'SUCCESS' }, 'status'],
	])('%s is found', (_what, overrides, word) => {
		expect(eventDepartures(sampleEvent('cards.cleared', overrides)).join()).toContain(word);
	});

	it('a block is identified by its card and names the company twice', () => {
		const event = sampleEvent(BLOCKED, { data: { card_id: IDS.blockedCard } });
		const { operation_id, company_id, data } = event;
		expect([operation_id, company_id, data.company_id]).toEqual([
			...[IDS.blockedCard, IDS.company, IDS.company],
		]);
		const other = sampleEvent(BLOCKED, { operation_id: 'own' });
		expect(other.operation_id).toBe('own');
		expect(eventDepartures(other)).toEqual([expect.stringContaining('operation_id')]);
	});

	it('overrides are merged deeply; a failed withdrawal has a reason; other names are refused', () => {
		const changes = { status: 'pending', data: { fees: { fx_fees: '9.99' }, extra: [1] } };
		expect(sampleEvent('cards.authorized', changes)).toMatchObject({
			status: 'pending',
			data: { fees: { atm_fees: '0.00', fx_fees: '9.99' }, extra: [1], channel: 'POS' },
		});
		expect(sampleEvent('cards.authorized').data).toMatchObject({ fees: { fx_fees: '0.35' } });
		const failed = sampleEvent('virtual_wallets.withdraw', { status: 'failed' });
		expect(failed.data).toHaveProperty('reason');
		expect(() => sampleEvent('cards.nothing')).toThrow(RangeError);
	});
});

const send = (event: unknown, options: Partial<DeliverOptions> = {}) =>
	deliver(event, { url: receiver.url, webhookKey: 'test-webhook-key', timeScale: 0, ...options });

/** Uses the answers in order and repeats the last one. */
const answers = (...list: ReceiverAnswer[]) => {
	receiver.answer = (index) => list[Math.min(index, list.length - 1)]!;
};

describe('deliveries (6.1 to 6.4)', () => {
	it('each attempt has its own headers, as described, and the same body', async () => {
		answers({ status: 500 }, {});
		const { attempts } = await send(sampleEvent('cards.refund'));
		const fits = compile(DELIVERY_HEADERS);
		expect(receiver.received.map(({ headers }) => fits(headers))).toEqual([true, true]);
		expect(receiver.received.map(({ headers }) => headers['x-trace-id'])).toEqual(
			attempts.map(({ traceId }) => traceId),
		);
		expect(receiver.received[0]!.headers['x-webhook-key']).toBe('test-webhook-key');
		expect(receiver.received[0]!.text).toBe(receiver.received[1]!.text);
	});

	it('a string is sent unchanged', async () => {
		await send('{"broken', { attempts: 1 });
		expect(receiver.received[0]!.text).toBe('{"broken');
	});

	it.each<ReceiverAnswer>([
		...[500, 201, 204, 302].map((status) => ({ status })),
		...['', 'Webhook call received', 'null', { response_code: 'ok' }].map((body) => ({ body })),
		'reset',
	])('%j does not acknowledge the event', async (answer) => {
		answers(answer, {});
		const delivery = await send(sampleEvent('treasury.transfer'));
		expect([delivery.delivered, delivery.attempts.length]).toEqual([true, 2]);
	});

	it('an event is sent ten times, after 1 s first and twice the last wait each', async () => {
		answers({ status: 500 });
		const waits: Array<number | undefined> = [];
		const onAttempt: DeliverOptions['onAttempt'] = (_, nextInMs) => waits.push(nextInMs);
		await send(sampleEvent('cards.refund'), { timeScale: 0.001, onAttempt });
		expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, undefined]);
	});

	it('a refused connection is reported, and an aborted delivery ends at once', async () => {
		const refused = { url: 'http://127.0.0.1:1', attempts: 2 };
		expect(await send(sampleEvent('cards.refund'), refused)).toMatchObject({
			delivered: false,
			attempts: [{ error: 'ECONNREFUSED' }, { error: 'ECONNREFUSED' }],
		});
		answers({ status: 500 });
		const stop = new AbortController();
		const options = { timeScale: 1_000, signal: stop.signal, onAttempt: () => stop.abort() };
		expect(await send(sampleEvent('cards.refund'), options)).toMatchObject({
			delivered: false,
			attempts: [{ status: 500 }],
		});
	});

	it.each<[status: number, body: object, delivered: boolean]>([
		[200, { response_code: '00' }, true],
		[200, { response_code: '51' }, true],
		[501, { response_code: '00' }, false],
		[200, {}, false],
		[200, { response_code: 0 }, false],
	])(
		'%s %j as the answer to an authorization: delivered is %s',
		async (status, body, delivered) => {
			answers({ status, body });
			expect((await send(sampleEvent('cards.authorization'))).delivered).toBe(delivered);
			expect(receiver.received).toHaveLength(1);
		},
	);

	it('an authorization ends at its deadline even if the answer has begun', async () => {
		answers('hang');
		const { delivered, attempts } = await send(sampleEvent('cards.authorization'));
		// Without a deadline, the test would exceed its own time limit.
		expect([delivered, attempts.length, attempts[0]!.error]).toEqual([false, 1, 'deadline']);
	});

	it('an open loop goes on while a delivery is unanswered', async () => {
		let release = () => {};
		const gate = new Promise<void>((resolve) => (release = resolve));
		// The first answer ends only after all deliveries arrived, so a closed loop would never finish.
		receiver.answer = (index) => (index === 0 ? 'hang' : (index === 9 && release(), {}));
		const results = deliverOpenLoop({
			...{ url: receiver.url, webhookKey: 'k', ratePerSecond: 500, count: 10 },
			...{ attempts: 1, timeoutMs: 1_000 },
			event: (index) => sampleEvent('cards.refund', { operation_id: `n-${index}` }),
		});
		await gate;
		const ended = await results;
		expect(ended.map(({ delivery }) => delivery.delivered)).toEqual([
			...[false, ...Array<boolean>(9).fill(true)],
		]);
		expect(new Set(events().map(({ operation_id }) => operation_id)).size).toBe(10);
		expect(Math.round(ended[9]!.dueAt - ended[0]!.dueAt)).toBe(18);
	});
});

describe('events of the simulator', () => {
	it('a transfer is confirmed once with its own data, however often it is repeated', async () => {
		simulator.faults.add({ kind: 'reset-after' });
		const body = { to: '0xAb', amount: 12.5, token_address: '0x70ce' };
		await expect(transfer(body, { idempotencyKey: 'k' })).rejects.toThrow();
		const { json } = await transfer(body, { idempotencyKey: 'k' });
		await until(() => events().length === 1);
		expect(events()).toMatchObject([
			{
				...{ product: 'treasury', event_type: 'transfer', status: 'success' },
				data: {
					...{ wallet_id: IDS.wallet, blockchain: 'polygon', amount: '12.5' },
					transaction_hash: json.transaction_hash,
					to_wallet_address: '0xAb',
					token: { address: '0x70ce' },
				},
			},
		]);
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

	it('a transfer without a subscription is not confirmed', async () => {
		simulator.events.subscription = undefined;
		await transfer();
		expect([simulator.ledger.length, simulator.deliveries]).toEqual([1, []]);
	});

	it('a reset cancels the confirmation of a pending transfer', async () => {
		for (const amount of [1, 2]) {
			simulator.reset();
			simulator.settings.pendingTransferMs = 20;
			await transfer({ to: MAGIC_RECIPIENTS.PENDING, amount });
		}
		// The second event shows that the time of the first has passed.
		await until(() => events().length > 0);
		expect(events().map(({ data }) => data.amount)).toEqual(['2']);
	});

	const authorize = (cardId: string, count: number, start = Date.now(), stepMs = 0) =>
		Array.from({ length: count }, (_, n) => simulator.events.authorize(cardId, start + n * stepMs));

	it('the authorization over the limit blocks the card and sends one event, until an unblock (3)', async () => {
		// The rule of the seeded cards allows 3 in 60 s.
		const answered = authorize(IDS.activeCard, 6);
		expect(answered.map(({ approved }) => approved)).toEqual([
			...[true, true, true, true, false, false],
		]);
		await until(() => events().length === 1);
		const rule = { max_authorizations: 3, time_window_seconds: 60 };
		expect(events()).toMatchObject([
			{
				...{ event_type: 'card_blocked_by_velocity', operation_id: IDS.activeCard },
				data: { triggered_rule: rule, last_authorization_id: answered[3]!.authorizationId },
			},
		]);
		await call(`PATCH /api/cards/${IDS.activeCard}/unblock`);
		authorize(IDS.activeCard, 3);
		expect(simulator.deliveries).toHaveLength(1);
		authorize(IDS.activeCard, 1);
		await until(() => events().length === 2);
	});

	it('the rule counts in a sliding window, and only on active cards', () => {
		const start = Date.UTC(2026, 10, 21);
		const isBlocking = ({ event }: { event?: object }) => event !== undefined;
		expect(authorize(IDS.activeCard, 9, start, 20_000).some(isBlocking)).toBe(false);
		expect(authorize(IDS.activeCard, 1, start + 161_000).map(isBlocking)).toEqual([true]);
		for (const cardId of [IDS.frozenCard, IDS.blockedCard])
			expect(authorize(cardId, 5).some(({ approved }) => approved)).toBe(false);
	});

	it('samples are sent to the subscription, or to another URL', async () => {
		const { events: outbox } = simulator;
		const sent = await outbox.emit('treasury.transfer', { data: { amount: '5' } });
		expect(sent).toMatchObject({ event: { data: { amount: '5' } }, delivery: { delivered: true } });
		await outbox.emit('cards.refund', {}, { url: `${receiver.url}/elsewhere`, webhookKey: 'k' });
		expect(receiver.received.map(({ path }) => path)).toEqual(['/', '/elsewhere']);
	});
});
