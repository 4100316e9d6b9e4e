import { cardOf, OTHER_RECIPIENT, RECIPIENT, transferOf } from '../harness/fixtures.mts';
import type { ToolCall } from '../harness/model.mts';
import type { ChainNode } from '../harness/n8n/chain.mts';
import { cardTreasuryTool } from '../harness/n8n/nodes.mts';
import { createOwnAgent } from '../harness/n8n/ownAgent.mts';
import { createCredential, type Reference } from '../harness/n8n/scenario.mts';
import { credential, model, scenario, useModel, useN8n } from '../harness/n8n/useN8n.mts';
import { IDS } from '../simulator/index.mts';
import { amounts, simulator } from '../simulator/useSimulator.mts';

/**
 * The node as a tool of n8n's own Agents, which run it in a temporary workflow: new run data, a random node ID and no
 * execution.
 */

useN8n();
useModel();
let agentModel: Reference;

beforeAll(async () => {
	agentModel = await createCredential(
		scenario.n8n,
		{ apiKey: 'test-model-key', url: model.url },
		{ type: 'deepSeekApi' },
	);
});

const AMOUNT = "={{ $fromAI('amount', 'Amount to send, e.g. 12.50', 'string') }}";
const tool = (name: string, parameters: object) => cardTreasuryTool(name, parameters, credential);
const transferTool = (options: object = {}) =>
	tool('Transfer', transferOf(AMOUNT, { maximumAmount: '100', ...options }));
const ask = (amount: string): ToolCall => ({ name: 'Transfer', arguments: { amount } });

/** Answers to the agent's calls, made one after the other in one conversation. */
async function told(tools: ChainNode[], calls: ToolCall[]): Promise<string[]> {
	model.calls = calls;
	const agent = await createOwnAgent(scenario.n8n, agentModel, tools);
	await agent('Go');
	const messages = model.requests.at(-1)!.messages.filter(({ role }) => role === 'tool');
	return messages.map(({ content }) => JSON.stringify(content));
}

describe("n8n's own Agents", () => {
	it('can read a card', async () => {
		const card = tool('Card', cardOf('get'));
		const [answer] = await told([card], [{ name: 'Card', arguments: {} }]);
		expect(answer).toContain(IDS.activeCard);
	});

	it('repeat a payment under the same key, so that the service executes it once', async () => {
		// Two conversations, because n8n stores nothing about either.
		for (let chat = 1; chat <= 2; chat++)
			await told([transferTool()], [ask('12.50'), ask('12.50')]);
		expect(amounts()).toEqual(['12.50']);
		expect(simulator.requests).toHaveLength(4);
		const keys = simulator.requests.map(({ headers }) => headers['idempotency-key']);
		expect(new Set(keys).size).toBe(1);
	});

	it('make one payment per reference that the agent provides', async () => {
		const paymentReference = "={{ $fromAI('invoice', 'Number of the invoice', 'string') }}";
		const named = tool('Transfer', {
			...transferOf('5', { maximumAmount: '5' }),
			paymentReference,
		});
		const pay = (invoice: string): ToolCall => ({ name: 'Transfer', arguments: { invoice } });
		await told([named], [pay('i-1'), pay('i-2'), pay('i-1')]);
		expect(amounts()).toEqual(['5', '5']);
	});

	it('can freeze a card again after they have unfrozen it', async () => {
		const card = (name: string, operation: string) => tool(name, cardOf(operation));
		const calls = ['Freeze', 'Unfreeze', 'Freeze'].map((name) => ({ name, arguments: {} }));
		await told([card('Freeze', 'freeze'), card('Unfreeze', 'unfreeze')], calls);
		expect(simulator.ledger.map(({ operation }) => operation)).toEqual([
			'card.freeze',
			'card.unfreeze',
			'card.freeze',
		]);
	});

	it.each<[string, object, ToolCall, string]>([
		[
			'Maximum Total, which has nothing to add up',
			{ maximumTotal: '100' },
			ask('1'),
			'Maximum Total',
		],
		[
			'Maximum Transfers, which has nothing to count',
			{ maximumTransfers: 1 },
			ask('1'),
			'Maximum Transfers',
		],
		['a transfer above Maximum Amount', {}, ask('101'), 'above the Maximum Amount of 100'],
		[
			'a limit that the agent fills in',
			{ maximumAmount: "={{ $fromAI('limit', 'Limit', 'string') }}" },
			{ name: 'Transfer', arguments: { amount: '1', limit: '9' } },
			'Maximum Amount is filled in by the AI agent',
		],
	])('are refused %s', async (_, options, call, message) => {
		const [answer] = await told([transferTool(options)], [call]);
		expect(answer).toContain(message);
		expect(simulator.requests).toEqual([]);
	});

	it('pay a recipient chosen by the agent only if it is allowed', async () => {
		const to = "={{ $fromAI('to', 'Recipient', 'string') }}";
		const chosen = OTHER_RECIPIENT;
		const pay: ToolCall = { name: 'Transfer', arguments: { amount: '1', to: chosen } };
		const choosing = (options: object) =>
			tool('Transfer', { ...transferOf(AMOUNT, { maximumAmount: '100', ...options }), to });
		const [unlisted] = await told([choosing({})], [pay]);
		expect(unlisted).toContain('Allowed Recipients is not set');
		const [other] = await told([choosing({ allowedRecipients: RECIPIENT })], [pay]);
		expect(other).toContain('is not among the Allowed Recipients');
		expect(amounts()).toEqual([]);
		await told([choosing({ allowedRecipients: chosen })], [pay]);
		expect(amounts()).toEqual(['1']);
	});
});
