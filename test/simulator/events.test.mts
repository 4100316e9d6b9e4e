import { damaged, transfer } from './client.mts';
import { compile, DELIVERY_HEADERS, eventDepartures } from './description.mts';
import {
	deliver,
	EVENT_NAMES,
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

/** Fields whose type or presence the document leaves open. */
const NOT_SHOWN: Record<string, string[]> = {
	'cards.authorization': ['data.metadata.account retyped'],
	'virtual_wallets.withdraw': ['data.token.address missing', 'data.token.address retyped'],
	'treasury.transfer': ['data.token.address missing', 'data.token.address retyped'],
};

it.each(EVENT_NAMES)('%s is described: a field missing or retyped is found (6.5)', (name) => {
	const sample = sampleEvent(name);
	expect(eventDepartures(sample)).toEqual([]);
	const unnoticed = [...damaged(sample)].filter(
		([, wrong]) => eventDepartures(wrong as EventEnvelope).length === 0,
	);
	expect(unnoticed.map(([what]) => what)).toEqual(NOT_SHOWN[name] ?? []);
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
		expect(receiver.received[0]!.text).toBe(receiver.received[1]!.text);
	});

	it.each<ReceiverAnswer>([
		...[500, 201, 302].map((status) => ({ status })),
		...['', 'Webhook call received', { response_code: 'ok' }].map((body) => ({ body })),
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

	it.each<[answer: ReceiverAnswer, delivered: boolean]>([
		[{ body: { response_code: '51' } }, true],
		[{ status: 501, body: { response_code: '00' } }, false],
		[{ body: {} }, false],
		// Without a deadline, the test would exceed its own time limit.
		['hang', false],
	])('after %j, an authorization is delivered: %s, in one attempt', async (answer, delivered) => {
		answers(answer);
		expect((await send(sampleEvent('cards.authorization'))).delivered).toBe(delivered);
		expect(receiver.received).toHaveLength(1);
	});
});

it.each([
	['0xAb', 'success'],
	[MAGIC_RECIPIENTS.FAILED, 'failed'],
	[MAGIC_RECIPIENTS.MANUAL_CHECK, 'manual_check'],
	[MAGIC_RECIPIENTS.PENDING, 'success'],
	[MAGIC_RECIPIENTS.WARNING, 'success'],
])('a transfer to %s is confirmed with its data and the status %s', async (to, status) => {
	await transfer({ to, amount: 12.5, token_address: '0x70ce' });
	await until(() => receiver.received.length === 1);
	const { transactionHash: transaction_hash } = simulator.ledger[0]!;
	const data = { wallet_id: IDS.wallet, amount: '12.5', transaction_hash, to_wallet_address: to };
	expect(receiver.received[0]!.json).toMatchObject({ event_type: 'transfer', status, data });
});
