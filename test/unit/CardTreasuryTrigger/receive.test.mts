import type { IDataObject } from 'n8n-workflow';

import { receive } from '../../../nodes/CardTreasuryTrigger/receive.ts';
import { sampleEvent } from '../../simulator/index.mts';
import { received, standIn, WEBHOOK_KEY, type ExpressResponse, type Facts } from './standIn.mts';

const KEY = { 'x-webhook-key': WEBHOOK_KEY };
const OK = '{"response_code":"OK"}';
const RULES = {
	rule: [{ name: 'small', decision: 'approve', conditions: { amountTo: '60', currencies: 'USD' } }],
};
const DECIDING = { events: ['cards.authorization', 'cards.cleared'], rules: RULES };

type Answering = (response: ExpressResponse) => unknown;

let workflow = 0;
beforeEach(() => {
	workflow++;
	// The waits of the trigger, up to a minute, would keep the process.
	jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
});

/** Delivers as n8n does, which answers an event when it has stored the execution. */
async function deliver(body: unknown, facts: Facts, later?: Answering) {
	let items: IDataObject[] | undefined;
	let log: string[] = [];
	const { text, status } = await received(async (response) => {
		const node = { name: `Trigger ${workflow}`, ...facts.node };
		const delivery = { workflowId: `workflow-${workflow}`, headers: KEY, body, response };
		const n8n = standIn({ ...delivery, ...facts, node });
		log = n8n.log;
		const { workflowData, webhookResponse, noWebhookResponse } = await receive(n8n.n8n);
		items = workflowData?.[0]?.map(({ json }) => json);
		if (webhookResponse !== undefined) response.status(200).json(webhookResponse);
		else if (noWebhookResponse !== true) later?.(response);
	});
	return { answer: `${status} ${text}`, items, log };
}

const cleared = sampleEvent('cards.cleared');
const purchase = (bill_amount: string) =>
	sampleEvent('cards.authorization', { data: { bill_amount } });

const gone = async () => await Promise.reject(new Error('gone'));
const throwing = new Error('The expression fails') as never;
const OTHER = { parameters: { events: ['other'] } };

describe('event', () => {
	it.each<[answer: string, runs: boolean, Facts]>([
		[`200 ${OK}`, true, { parameters: { events: ['cards.cleared'] } }],
		[`200 ${OK}`, true, OTHER],
		[`200 ${OK}`, false, { parameters: { events: ['cards.refund'] } }],
		// What n8n makes of null.
		['503 {"code":"NOT_TAKEN"', false, { parameters: { events: [] } }],
		['503 {"code":"NOT_TAKEN"', false, { ...OTHER, node: { retryOnFail: true } }],
		['503 {"code":"NOT_TAKEN"', false, { ...OTHER, settings: { engineType: 'v2' } }],
		['401 {"code":"AUTH"', false, { headers: {} }],
		['401 {"code":"AUTH"', false, { credential: async () => ({ previousWebhookKey: 'k' }) }],
		['503 {"code":"NOT_TAKEN"', false, { credential: gone }],
		['503 {"code":"NOT_TAKEN"', false, { parameters: { events: throwing } }],
		['503 {"code":"NOT_TAKEN"', false, { parameters: { events: 'cards.cleared' } }],
		['503 {"code":"NOT_TAKEN"', false, { parameters: { events: { 0: 'cards.cleared' } } }],
		['400 {"code":"VAL"', false, { body: { ...cleared, data: 1 } }],
	])('the answer is %s, and an execution starts: %s', async (answer, runs, facts) => {
		const found = await deliver(cleared, facts);
		expect(found.answer.slice(0, answer.length)).toBe(answer);
		expect(found.items?.length).toBe(runs ? 1 : undefined);
		expect(found.log).toHaveLength(found.answer.startsWith('200') ? 0 : 1);
	});

	it('a setting of authorizations that is wrong stops no event', async () => {
		const parameters = { ...DECIDING, rules: 'x' };
		expect(await deliver(cleared, { parameters })).toMatchObject({ answer: `200 ${OK}`, log: [] });
	});

	it('equal refusals are logged once a minute', async () => {
		const lines = async () =>
			(await deliver(cleared, { headers: {}, node: { name: 'Once' } })).log.length;
		expect([await lines(), await lines()]).toEqual([1, 0]);
		jest.setSystemTime(Date.now() + 60_000);
		expect(await lines()).toBe(1);
	});
});

it('keys are read once a second for each URL, and a read that found none is not kept', async () => {
	const clock = jest.spyOn(performance, 'now').mockReturnValue(5_000);
	const credential = jest.fn(async () => ({}));
	const statusOf = async (more: Facts = {}) =>
		(await deliver(cleared, { ...OTHER, credential, ...more })).answer.slice(0, 3);
	expect(await statusOf()).toBe('401');
	credential.mockResolvedValue({ webhookKey: WEBHOOK_KEY });
	expect(await statusOf()).toBe('200');
	credential.mockResolvedValue({ webhookKey: 'new' });
	expect(await statusOf()).toBe('200');
	// Another workflow with the same node, and the test URL.
	expect(await statusOf({ workflowId: 'copy' })).toBe('401');
	expect(await statusOf({ mode: 'manual' })).toBe('401');
	clock.mockReturnValue(6_000);
	expect(await statusOf()).toBe('401');
	expect(credential).toHaveBeenCalledTimes(5);
});

describe('authorization', () => {
	it.each<[code: string, outcome: string | undefined, amount: string, Facts]>([
		['00', 'approved', '20.00', { parameters: DECIDING }],
		['05', 'declined', '99.00', { parameters: DECIDING }],
		['05', 'declined', '20.00', { parameters: { ...DECIDING, rules: throwing } }],
		['05', undefined, '20.00', { parameters: { ...DECIDING, events: 'cards.authorization' } }],
		['00', undefined, '20.00', { parameters: DECIDING, node: { retryOnFail: true } }],
	])('%s is answered, and the item says %s', async (code, outcome, amount, facts) => {
		const { answer, items, log } = await deliver(purchase(amount), facts);
		if (facts.node) expect(log).toEqual([expect.stringContaining('turn off Retry On Fail')]);
		expect(answer).toBe(`200 {"response_code":"${code}"}`);
		expect(items?.map(({ decision }) => (decision as IDataObject).outcome)).toEqual(
			outcome && [outcome],
		);
	});

	it('an authorization that is not chosen gets 501, so that the default of the card applies', async () => {
		for (const events of [['cards.cleared'], ['other'], []]) {
			const { answer, items } = await deliver(purchase('20.00'), { parameters: { events } });
			expect([answer.slice(0, 24), items]).toEqual(['501 {"code":"NOT_DECIDED', undefined]);
		}
	});

	it('data nested 20,000 deep are declined', async () => {
		const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`) as object;
		const body = { ...purchase('20.00'), data: deep };
		const { answer, items, log } = await deliver(body, { parameters: DECIDING });
		expect([answer, items, log.length]).toEqual(['200 {"response_code":"05"}', undefined, 1]);
	});

	it.each<[code: string, workflow: Answering]>([
		['51', (response) => response.json({ response_code: '51' })],
		['05', (response) => response.status(500).json({ message: 'Error in workflow' })],
		['05', (response) => response.status(200).json(undefined)],
	])('a question is answered %s by the workflow', async (code, answers) => {
		const parameters = { ...DECIDING, defaultDecision: 'ask' };
		const found = await deliver(purchase('99.00'), { parameters }, (response) => {
			answers(response);
			response.end();
		});
		expect(found.answer).toBe(`200 {"response_code":"${code}"}`);
		expect(found.items).toMatchObject([{ decision: { outcome: 'asked' } }]);
	});
});
