import { call } from './client.mts';
import {
	deliver,
	EVENT_NAMES,
	eventName,
	EVENTS,
	IDS,
	sampleEvent,
	startSimulator,
	type Simulator,
} from './index.mts';
import { DOCUMENTED_EVENTS } from './interfaceDocument.mts';
import { startReceiver, type Receiver } from './receiver.mts';
import { until } from './until.mts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ISO_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
const STATUSES = ['pending', 'success', 'failed', 'canceled', 'time_canceled', 'manual_check'];

describe('events (§6.5)', () => {
	it('match the interface document', () => {
		expect([...EVENT_NAMES].sort()).toEqual(Object.keys(DOCUMENTED_EVENTS).sort());
	});

	it.each(Object.entries(DOCUMENTED_EVENTS))(
		'%s has the documented payload, retries and deadline',
		(name, documented) => {
			const event = sampleEvent(name);
			expect(eventName(event)).toBe(name);
			expect(fieldsOf(event.data, documented.fields).sort()).toEqual([...documented.fields].sort());
			expect(STATUSES).toContain(event.status);
			if (documented.status) expect(event.status).toBe(documented.status);
			const { attempts, timeoutMs } = EVENTS.find((known) => eventName(known) === name)!;
			expect({ attempts, timeoutMs }).toEqual({
				attempts: documented.attempts ?? 10,
				timeoutMs: documented.timeoutMs ?? 30_000,
			});
		},
	);

	it.each(EVENT_NAMES)('%s has decimal texts, lowercase chains and UTC times', (name) => {
		for (const [field, value] of leaves(sampleEvent(name).data)) {
			if (/amount|fees|exchange_rate/.test(field))
				expect([field, value]).toEqual([field, expect.stringMatching(/^\d+\.\d+$/)]);
			if (field === 'blockchain') expect(value).toMatch(/^[a-z]+$/);
			if (/_at$|timestamp/.test(field))
				expect([field, value]).toEqual([field, expect.stringMatching(ISO_UTC)]);
		}
	});

	it.each(EVENT_NAMES.filter((name) => name !== 'cards.card_blocked_by_velocity'))(
		'%s has a new operation_id each time',
		(name) => {
			const ids = [sampleEvent(name), sampleEvent(name)].map(({ operation_id }) => operation_id);
			expect(ids[0]).toMatch(UUID);
			expect(ids[0]).not.toBe(ids[1]);
			expect(sampleEvent(name)).not.toHaveProperty('company_id');
		},
	);

	it('card_blocked_by_velocity is identified by its card and names the company twice', () => {
		const event = sampleEvent('cards.card_blocked_by_velocity', {
			data: { card_id: IDS.secondActiveCard },
		});
		expect(event.operation_id).toBe(IDS.secondActiveCard);
		expect([event.company_id, event.data.company_id]).toEqual([IDS.company, IDS.company]);
		expect(event.data.card_id).toMatch(UUID);
		expect(
			sampleEvent('cards.card_blocked_by_velocity', { operation_id: 'own' }).operation_id,
		).toBe('own');
	});

	it('merges overrides deeply and leaves later samples unchanged', () => {
		const changed = sampleEvent('cards.authorized', {
			status: 'pending',
			data: { fees: { fx_fees: '9.99' }, extra: [1] },
		});
		expect(changed).toMatchObject({
			status: 'pending',
			data: { fees: { atm_fees: '0.00', fx_fees: '9.99' }, extra: [1], channel: 'POS' },
		});
		expect(sampleEvent('cards.authorized').data).toMatchObject({ fees: { fx_fees: '0.35' } });
	});

	it('includes a reason only in a failed withdrawal', () => {
		expect(sampleEvent('virtual_wallets.withdraw', { status: 'failed' }).data).toHaveProperty(
			'reason',
		);
		expect(sampleEvent('virtual_wallets.withdraw').data).not.toHaveProperty('reason');
	});

	it('rejects an unknown event name', () => {
		expect(() => sampleEvent('cards.nothing')).toThrow(RangeError);
	});
});

describe('velocity rule (§3)', () => {
	let simulator: Simulator;
	let receiver: Receiver;
	beforeAll(async () => {
		receiver = await startReceiver();
		simulator = await startSimulator({
			requestsPerSecond: 0,
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

/** Paths of the leaves; null counts as one. */
function leaves(value: object, prefix = ''): Array<[string, unknown]> {
	return Object.entries(value).flatMap(
		([name, child]): Array<[string, unknown]> =>
			typeof child === 'object' && child !== null
				? leaves(child as object, `${prefix}${name}.`)
				: [[prefix + name, child]],
	);
}

/** Paths of the fields, cut off at a field that is documented without its own fields. */
const fieldsOf = (data: object, documented: string[]) => [
	...new Set(
		leaves(data).map(([field]) => documented.find((each) => field.startsWith(`${each}.`)) ?? field),
	),
];
