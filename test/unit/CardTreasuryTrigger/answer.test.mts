import {
	answerAuthorization,
	deadlineOf,
	intercept,
	write,
} from '../../../nodes/CardTreasuryTrigger/answer.ts';
import {
	replyWith,
	type Received,
	type Reply,
} from '../../../nodes/CardTreasuryTrigger/delivery.ts';
import { readDeciding } from '../../../nodes/shared/rules/read.ts';
import { sampleEvent } from '../../simulator/index.mts';
import { received, type ExpressResponse } from './standIn.mts';

const NOW = Date.UTC(2026, 10, 21, 10);
const USD = { currencies: 'USD' };
const SEEN = { name: 'watch', observeOnly: true, decision: 'ask', conditions: USD };
const BIG = { name: 'big', decision: 'ask', conditions: { ...USD, amountFrom: '200' } };
const KNOWN = { name: 'known', decision: 'approve', conditions: { ...USD, amountTo: '500' } };
const FACTS = { place: 'workflow/node/webhook', canRun: true, canAsk: true };

/** Authorization of a new purchase. */
const purchase = (bill_amount: string): Received => ({
	envelope: sampleEvent('cards.authorization', { data: { bill_amount } }) as never,
	headers: {},
	arrivedAt: Date.now(),
});
function answered(event: Received, parameters: object = {}, facts: object = {}) {
	const all: Record<string, unknown> = { rules: { rule: [SEEN, BIG, KNOWN] }, ...parameters };
	const settings = readDeciding((name, fallback) => all[name] ?? fallback);
	return answerAuthorization(event, settings, { ...FACTS, ...facts });
}

beforeEach(() => {
	jest.useFakeTimers();
	jest.setSystemTime(NOW);
});

describe('authorization that rules decide', () => {
	it('the answer is there at once, and the item says why', () => {
		const { reply, item, settle } = answered(purchase('20.00'));
		expect([reply, settle]).toEqual([replyWith('00'), undefined]);
		expect(item!.json).toMatchObject({
			decision: {
				outcome: 'approved',
				response_code: '00',
				source: 'rule',
				rule: 'known',
				observed: [{ rule: 'watch', response_code: null }],
				answered_in_ms: 0,
			},
			summary: expect.stringMatching(/^Approved \(00\) by the rule "known": 20\.00 USD at /),
		});
		expect(Object.keys(item!.json)[0]).toBe('decision');
	});

	it.each([
		['all', '20.00', true],
		['all', '501', true],
		['declined', '20.00', false],
		['declined', '501', true],
		['none', '501', false],
	])('Run Workflow For %s runs it for %s: %s', (runWorkflowFor, amount, runs) => {
		const parameters = { rules: { rule: [KNOWN] }, options: { runWorkflowFor } };
		expect(answered(purchase(amount), parameters).item !== undefined).toBe(runs);
	});

	it('a workflow that n8n would run wrongly does not run, and a question gets its fallback', () => {
		expect(answered(purchase('20.00'), {}, { canRun: false })).toEqual({ reply: replyWith('00') });
		expect(answered(purchase('300'), {}, { canRun: false })).toEqual({ reply: replyWith('00') });
		expect(answered(purchase('600'), {}, { canRun: false })).toEqual({ reply: replyWith('05') });
		expect(answered(purchase('600'), {}, { canAsk: false })).toEqual({ reply: replyWith('05') });
	});

	it('a repetition is decided anew and runs nothing, for a minute', async () => {
		const event = purchase('20.00');
		expect(answered(event).item).toBeDefined();
		expect(answered(event)).toEqual({ reply: replyWith('00') });
		expect(answered(event, { rules: {} })).toEqual({ reply: replyWith('05') });
		expect(answered(event, {}, { place: 'workflow/node/manual' }).item).toBeDefined();
		await jest.advanceTimersByTimeAsync(59_999);
		expect(answered(event).item).toBeUndefined();
		await jest.advanceTimersByTimeAsync(1);
		expect(answered(event).item).toBeDefined();
	});

	it('another amount under the same ID is another purchase', () => {
		const event = purchase('20.00');
		answered(event);
		const data = { ...event.envelope.data, bill_amount: '21.00' };
		expect(answered({ ...event, envelope: { ...event.envelope, data } }).item).toBeDefined();
	});
});

describe('authorization that the workflow decides', () => {
	it('the item says until when, and the first answer of the workflow counts', async () => {
		const { reply, item, settle } = answered(purchase('300'));
		expect(item!.json).toMatchObject({
			decision: {
				...{ outcome: 'asked', rule: 'big', if_unanswered: '00' },
				answer_by: '2026-11-21T10:00:01.000Z',
			},
			summary: expect.stringMatching(/^Waiting for a decision: 300 USD at /),
		});
		settle!('51');
		settle!('00');
		settle!(undefined);
		await jest.advanceTimersByTimeAsync(2_000);
		expect(await reply).toEqual(replyWith('51'));
	});

	it('the default can ask without a rule', () => {
		const { item } = answered(purchase('20.00'), { rules: {}, defaultDecision: 'ask' });
		const answer_by = expect.any(String);
		expect(item!.json.decision).toEqual({ outcome: 'asked', if_unanswered: '05', answer_by });
	});

	it.each<[amount: string, code: string, parameters: object]>([
		['300', '00', {}],
		['600', '05', {}],
		['600', '00', { fallbackDecision: 'approve' }],
	])('at the deadline, %s gets %s', async (amount, code, parameters) => {
		const { reply, settle } = answered(purchase(amount), parameters);
		const seen = jest.fn();
		void Promise.resolve(reply).then(seen);
		await jest.advanceTimersByTimeAsync(999);
		expect(seen).not.toHaveBeenCalled();
		await jest.advanceTimersByTimeAsync(1);
		settle!('51');
		expect([seen.mock.calls, await reply]).toEqual([[[replyWith(code)]], replyWith(code)]);
	});

	it('a workflow that ends without an answer gets the same at once', async () => {
		const { reply, settle } = answered(purchase('300'));
		settle!(undefined);
		expect(await reply).toEqual(replyWith('00'));
	});

	it('a repetition waits for the first answer and runs nothing', async () => {
		const event = purchase('300');
		const first = answered(event);
		const repeated = answered(event);
		expect([repeated.item, repeated.settle]).toEqual([undefined, undefined]);
		first.settle!('51');
		expect(await repeated.reply).toEqual(replyWith('51'));
		expect(await answered(event).reply).toEqual(replyWith('51'));
		// The rules decide anew, and a test run of a draft is apart.
		expect(answered(event, { rules: {} })).toEqual({ reply: replyWith('05') });
		expect(answered(event, {}, { place: 'workflow/node/manual' }).item).toBeDefined();
	});

	it('the answer of rules is not given to a question, and the workflow runs', async () => {
		const event = purchase('300');
		expect(answered(event, { rules: { rule: [KNOWN] } }).reply).toEqual(replyWith('00'));
		await jest.advanceTimersByTimeAsync(30_000);
		const { settle, reply } = answered(event);
		settle!('51');
		expect(await reply).toEqual(replyWith('51'));
		await jest.advanceTimersByTimeAsync(59_999);
		expect(await answered(event).reply).toEqual(replyWith('51'));
	});
});

it.each<[stamp: unknown, left: number]>([
	[NOW, 1_000],
	[NOW - 100, 1_000],
	[NOW - 101, 999],
	[NOW - 1_099, 1],
	// No time at all: the clocks differ.
	[NOW - 1_100, 1_000],
	[NOW + 5_000, 1_000],
	[undefined, 1_000],
	[String(NOW - 500).slice(1), 1_000],
])('a delivery with the timestamp %s may wait for %d ms', (stamp, left) => {
	const headers = { 'x-request-timestamp': stamp === undefined ? stamp : String(stamp) };
	expect(deadlineOf({ headers, arrivedAt: NOW }) - NOW).toBe(left);
});

describe('answer of the workflow, taken from the response of n8n', () => {
	beforeEach(() => void jest.useRealTimers());
	type Answering = (response: ExpressResponse) => unknown;
	const body = { response_code: '00' };

	it.each<[string, string | undefined, Answering]>([
		['as JSON', '00', (response) => response.json(body)],
		['as a text', '00', (response) => response.send(JSON.stringify(body))],
		['as bytes', '00', (response) => response.end(Buffer.from(JSON.stringify(body)))],
		['with a header', '00', (response) => (response.setHeader('x', '1'), response.json(body))],
		['after a write', '00', (response) => (response.write(' '), response.json(body))],
		['after an empty end', '00', (response) => (response.end(), response.json(body))],
		['with a code that is none', undefined, (response) => response.json({ response_code: 'OK' })],
		['without a code', undefined, (response) => response.json({ message: 'Error in workflow' })],
		['without a body', undefined, (response) => response.status(200).json(undefined)],
		['with no JSON', undefined, (response) => response.send('approved')],
	])('an answer %s settles with %s', async (_, code, answering) => {
		const settled = jest.fn();
		const { status, type, text } = await received((response) => {
			const say = intercept(response as never, settled);
			answering(response);
			// n8n writes again, also after our answer.
			response.writeHead(500, { 'content-type': 'text/html' });
			say(replyWith('51'));
			response.status(500).json({ message: 'late' });
			response.end();
		});
		expect(settled.mock.calls[0]).toEqual([code]);
		expect(text).toBe('{"response_code":"51"}');
		expect([status, type]).toEqual([200, 'application/json; charset=utf-8']);
	});

	it('a reply is written once', async () => {
		const reply: Reply = { status: 401, body: { code: 'AUTH' } };
		const { status, text } = await received((response) => {
			write(response as never, reply);
			write(response as never, replyWith('00'));
		});
		expect([status, text]).toEqual([401, '{"code":"AUTH"}']);
	});
});
