import { Agent } from 'undici';

import { deliver, deliverOpenLoop, sampleEvent, type DeliverOptions } from './index.mts';
import { startReceiver, type Receiver, type ReceiverAnswer } from './receiver.mts';

let receiver: Receiver;
beforeAll(async () => {
	receiver = await startReceiver();
});
beforeEach(() => receiver.reset());
afterAll(() => receiver.close());

const send = (event: unknown, options: Partial<DeliverOptions> = {}) =>
	deliver(event, { url: receiver.url, webhookKey: 'test-webhook-key', timeScale: 0, ...options });

/** Uses the answers in order and repeats the last one. */
const answers = (...list: ReceiverAnswer[]) => {
	receiver.answer = (index) => list[Math.min(index, list.length - 1)]!;
};

describe('delivery headers (§6.1, §1.5)', () => {
	it('the headers carry key, send time, trace ID and content type, fresh at each attempt', async () => {
		answers({ status: 500 }, {});
		const before = Date.now();
		const { attempts } = await send(sampleEvent('cards.refund'));
		const [first, second] = receiver.received.map(({ headers }) => headers);
		for (const headers of [first!, second!]) {
			expect(headers).toMatchObject({
				'x-webhook-key': 'test-webhook-key',
				'content-type': 'application/json',
			});
			expect(Number(headers['x-request-timestamp'])).toBeGreaterThanOrEqual(before);
			expect(headers['x-request-timestamp']).toMatch(/^\d{13}$/);
		}
		expect([first!['x-trace-id'], second!['x-trace-id']]).toEqual(
			attempts.map(({ traceId }) => traceId),
		);
		expect(receiver.received[0]!.text).toBe(receiver.received[1]!.text);
	});

	it('a delivery whose own headers depart from the description is not sent', async () => {
		const sent = send(sampleEvent('cards.refund'), { webhookKey: undefined as never });
		await expect(sent).rejects.toThrow('header X-Webhook-Key is missing');
		expect(receiver.received).toEqual([]);
	});

	it('headers can be replaced or left out, and a string is sent unchanged', async () => {
		await send('{"broken', {
			attempts: 1,
			headers: { 'X-Webhook-Key': 'wrong', 'x-request-timestamp': undefined, 'X-Extra': '1' },
		});
		expect(receiver.received[0]!.headers).toMatchObject({
			'x-webhook-key': 'wrong',
			'x-extra': '1',
		});
		expect(receiver.received[0]!.headers).not.toHaveProperty('x-request-timestamp');
		expect(receiver.received[0]!.text).toBe('{"broken');
	});
});

describe('delivery retries (§6.4)', () => {
	it.each<[what: string, answer: ReceiverAnswer]>([
		['500', { status: 500 }],
		['201 with OK', { status: 201 }],
		['204', { status: 204, body: '' }],
		['200 without a body', { body: '' }],
		['200 with text', { body: 'Webhook call received' }],
		['200 with another code', { body: { response_code: 'ok' } }],
		['200 with null', { body: 'null' }],
		['a redirect', { status: 302 }],
		['a reset', 'reset'],
	])('%s does not acknowledge the event', async (_what, answer) => {
		answers(answer, {});
		const delivery = await send(sampleEvent('treasury.transfer'));
		expect([delivery.delivered, delivery.attempts.length]).toEqual([true, 2]);
	});

	it('another event is sent ten times, after 1 s first and twice the last wait each', async () => {
		answers({ status: 500 });
		const waits: Array<number | undefined> = [];
		await send(sampleEvent('cards.refund'), {
			timeScale: 0.001,
			onAttempt: (_attempt, nextInMs) => waits.push(nextInMs),
		});
		expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, undefined]);
	});

	it('a refused connection is reported', async () => {
		const refused = { url: 'http://127.0.0.1:1', attempts: 2 };
		expect(await send(sampleEvent('cards.refund'), refused)).toMatchObject({
			delivered: false,
			attempts: [{ error: 'ECONNREFUSED' }, { error: 'ECONNREFUSED' }],
		});
	});

	it('an aborted delivery ends at once', async () => {
		answers({ status: 500 });
		const stop = new AbortController();
		const delivery = await send(sampleEvent('cards.refund'), {
			timeScale: 1_000,
			signal: stop.signal,
			onAttempt: () => stop.abort(),
		});
		expect(delivery).toMatchObject({ delivered: false, attempts: [{ status: 500 }] });
	});
});

describe('authorization delivery (§6.3)', () => {
	it.each(['00', 'SUCCESS', '05', '51', 'OK'])('%s is the decision', async (code) => {
		answers({ body: { response_code: code } });
		expect(await send(sampleEvent('cards.authorization'))).toMatchObject({
			delivered: true,
			decision: code,
		});
	});

	it.each([
		['501', { status: 501, body: { response_code: '00' } }],
		['200 without a code', { body: {} }],
		['200 with a number', { body: { response_code: 0 } }],
	])('%s is no decision and is not retried', async (_what, answer) => {
		answers(answer);
		const delivery = await send(sampleEvent('cards.authorization'));
		expect(delivery.delivered).toBe(false);
		expect(delivery).not.toHaveProperty('decision');
		expect(receiver.received).toHaveLength(1);
	});

	it('the delivery ends after 1,200 ms even if the answer has begun', async () => {
		answers('hang');
		const { delivered, attempts } = await send(sampleEvent('cards.authorization'));
		expect([delivered, attempts.length, attempts[0]!.error]).toEqual([false, 1, 'deadline']);
		// Without a deadline, the test would exceed its own time limit.
		expect(attempts[0]!.ms).toBeGreaterThanOrEqual(1_195);
	});

	it('another event has its own deadline', async () => {
		answers('hang', {});
		const delivery = await send(sampleEvent('cards.refund'), { timeoutMs: 300 });
		expect(delivery).toMatchObject({
			delivered: true,
			attempts: [{ error: 'deadline' }, { status: 200 }],
		});
	});
});

describe('load', () => {
	it('an agent reuses its connection', async () => {
		const dispatcher = new Agent({ connections: 1 });
		for (let n = 0; n < 3; n++) await send(sampleEvent('cards.refund'), { dispatcher });
		await dispatcher.close();
		expect(new Set(receiver.received.map(({ fromPort }) => fromPort)).size).toBe(1);
	});

	it('an open loop keeps its rate while deliveries are unanswered', async () => {
		let release = () => {};
		const dispatcher = new Agent();
		const gate = new Promise<void>((resolve) => (release = resolve));
		// The first answer ends only after all deliveries arrived, so a closed loop would never finish.
		receiver.answer = (index) => (index === 0 ? 'hang' : (index === 9 && release(), {}));
		const results = deliverOpenLoop({
			url: receiver.url,
			webhookKey: 'k',
			ratePerSecond: 500,
			count: 10,
			attempts: 1,
			timeoutMs: 1_000,
			dispatcher,
			event: (index) => sampleEvent('cards.refund', { operation_id: `n-${index}` }),
		});
		await gate;
		const ended = await results;
		await dispatcher.destroy();
		expect(ended.map(({ delivery }) => delivery.delivered)).toEqual([
			false,
			...Array<boolean>(9).fill(true),
		]);
		expect(new Set(receiver.received.map(({ json }) => json.operation_id)).size).toBe(10);
		expect(Math.round(ended[9]!.dueAt - ended[0]!.dueAt)).toBe(18);
	});
});
