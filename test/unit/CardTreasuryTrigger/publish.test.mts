import type { IDataObject } from 'n8n-workflow';

import { publish } from '../../../nodes/CardTreasuryTrigger/publish.ts';
import { standIn, WEBHOOK_KEY, type Facts } from './standIn.mts';

const CLEARED = { parameters: { events: ['cards.cleared'] } };
const AUTHORIZATION = { events: ['cards.authorization'] };

beforeEach(() => void jest.useFakeTimers());

/** Result of the hook, what was posted to the test URL, and the log. */
async function published(facts: Facts) {
	const posted: IDataObject[] = [];
	const httpRequest = facts.httpRequest ?? (async (request: IDataObject) => posted.push(request));
	const { n8n, log } = standIn({ ...facts, httpRequest });
	const result = await publish(n8n).catch((thrown: Error) => thrown.message);
	// n8n listens only after the hook has returned.
	const early = posted.length;
	await jest.advanceTimersByTimeAsync(1_000);
	return { result, posted, early, log };
}

const gone = async () => await Promise.reject(new Error('not found'));
const lost = async () => await Promise.resolve({ webhookKey: 'new', previousWebhookKey: 'ключ' });

it.each<[problem: string, Facts]>([
	['Events cannot be read', { parameters: { events: '={{ 1 }}' } }],
	['It fails', { parameters: { events: new Error('It fails') as never } }],
	['not found', { ...CLEARED, credential: gone }],
	['The credential has no Webhook Key, so', { ...CLEARED, credential: async () => ({}) }],
	['has a character that no header can carry. Copy', { ...CLEARED, credential: lost }],
	['Events is empty. Choose at least one.', {}],
	['Events has an entry that this node', { parameters: { events: ['cards.cleared', 'new'] } }],
	['turn off Retry On Fail and', { ...CLEARED, node: { retryOnFail: true } }],
	['Default Decision or', { parameters: { ...AUTHORIZATION, defaultDecision: 'x' } }],
	['no node answers. Add a Card', { parameters: { ...AUTHORIZATION, defaultDecision: 'ask' } }],
])('"%s" stops publishing by a person, but not a start of n8n', async (problem, facts) => {
	for (const activation of ['activate', 'update']) {
		const { result } = await published({ ...facts, activation });
		expect(result).toEqual(expect.stringContaining(problem));
		expect(result).toMatch(/\. Until this workflow is published, its webhook URL answers 404\.$/);
	}
	// n8n removes a webhook whose hook fails then: the URL would answer 404.
	for (const activation of ['init', 'leadershipChange']) {
		const { result, log } = await published({ ...facts, activation });
		expect(result).toBe(true);
		expect(log).toEqual([expect.stringMatching(`^error: .*stays published.*${problem}`)]);
	}
});

it('settings without effect stop nothing', async () => {
	const asks = { ...AUTHORIZATION, defaultDecision: 'ask' };
	const respond = { resource: 'authorization', operation: 'respond' };
	for (const facts of [
		CLEARED,
		{ parameters: { events: ['cards.cleared', 'other'], rules: 'x' } },
		{ parameters: { ...AUTHORIZATION, testEvent: 'nope' } },
		{ parameters: asks, behind: [{ name: 'Respond', parameters: respond }] },
		{ parameters: asks, mode: 'manual' },
	]) {
		const { result, log } = await published(facts);
		expect([result, log]).toEqual([true, []]);
	}
});

it('no message holds the word with which n8n would not retry the activation', async () => {
	const rule = { name: 'Authorization', decision: 'approve' };
	const { result } = await published({ parameters: { ...AUTHORIZATION, rules: { rule: [rule] } } });
	expect(result).toMatch(/^Rule "authorization": /);
});

describe('Test With', () => {
	const events = ['other', 'treasury.transfer', 'cards.cleared'];
	const tested = async (parameters: IDataObject) =>
		await published({ parameters: { events, ...parameters }, mode: 'manual' });

	const changes = (sampleChanges: unknown) => ({ options: { sampleChanges } }) as IDataObject;
	const FAILED = {
		status: 'failed',
		data: { token: { symbol: 'X', address: expect.any(String) } },
	};

	it('the sample is sent to the test URL when n8n listens, with the key of the credential', async () => {
		const { result, posted, early, log } = await tested({});
		expect([result, early, posted.length, log]).toEqual([true, 0, 1, []]);
		expect(posted[0]).toMatchObject({
			method: 'POST',
			url: 'https://n8n.example.com/webhook-test/default',
			headers: {
				'X-Webhook-Key': WEBHOOK_KEY,
				'X-Trace-Id': expect.stringMatching(/^sample-/),
				'X-Request-Timestamp': expect.stringMatching(/^\d{13}$/),
			},
			body: { product: 'treasury', event_type: 'transfer', status: 'success' },
			disableFollowRedirect: true,
		});
	});

	it.each<[parameters: IDataObject, body: object | undefined]>([
		[{ testEvent: 'cards.cleared' }, { event_type: 'cleared' }],
		[{ testEvent: 'treasury.transfer.failed' }, { status: 'failed' }],
		[{ events: ['other'] }, { event_type: 'authorized' }],
		[{ testEvent: 'real' }, undefined],
		[changes('{"status":"failed","data":{"token":{"symbol":"X"}}}'), FAILED],
		[changes({ data: { amount: null } }), { data: { amount: null } }],
		[changes(''), { status: 'success' }],
	])('with %j the sample is %j', async (parameters, body) => {
		const { posted } = await tested(parameters);
		expect(posted.map((request) => request.body)).toMatchObject(body ? [body] : []);
	});

	it.each<[problem: string, IDataObject]>([
		['Sample Changes is not', changes('{"status":')],
		['Sample Changes is not', changes('[]')],
		['Test With is not', { testEvent: 'nope' }],
		['Test With is not', { events: ['cards.cleared'], testEvent: 'treasury.transfer' }],
	])('"%s" stops the test run with %j', async (problem, parameters) => {
		const { result, posted } = await tested(parameters);
		expect([result, posted]).toEqual([expect.stringContaining(problem), []]);
		expect(result).not.toContain('404');
	});

	it('a sample that does not arrive is logged', async () => {
		const httpRequest = async () => await Promise.reject(new Error('connect ECONNREFUSED'));
		const { result, log } = await published({ ...CLEARED, mode: 'manual', httpRequest });
		expect([result, log]).toEqual([true, [expect.stringContaining('ECONNREFUSED')]]);
	});
});
