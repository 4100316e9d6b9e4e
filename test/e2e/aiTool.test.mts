import { parse } from 'flatted';
import type { IRunExecutionData } from 'n8n-workflow';

import {
	createCredential,
	endedExecutions,
	eventually,
	publish,
	simulatorKeys,
	startScenario,
	type Reference,
	type Scenario,
} from '../harness/n8n/scenario.mts';
import { IDS, startSimulator, type Simulator } from '../simulator/index.mts';
import { startModel, type Model } from '../harness/model.mts';

/**
 * The node as an agent's tool, in the real n8n, on both roads by which n8n reaches it: its own Tool Executor, which
 * calls a tool with given arguments, and its AI Agent with a model that is played by a local server.
 */

let scenario: Scenario;
let simulator: Simulator;
let model: Model;
let credential: Reference;
let modelCredential: Reference;
let workflows = 0;

beforeAll(async () => {
	[simulator, model, scenario] = await Promise.all([
		startSimulator(),
		startModel(),
		startScenario(),
	]);
	credential = await createCredential(scenario.n8n, simulatorKeys(simulator));
	modelCredential = await createCredential(
		scenario.n8n,
		{ apiKey: 'test-model-key', url: model.url, header: false },
		{ type: 'openAiApi' },
	);
}, 1_500_000);

afterAll(async () => {
	await scenario?.close();
	await simulator?.close();
	await model?.close();
});

beforeEach(() => {
	simulator.reset();
	model.requests.length = 0;
});

const TO = '0x52908400098527886E0F7030069857D2E4169EE7';
const transfer = (options: object) => ({
	resource: 'wallet',
	operation: 'transfer',
	descriptionType: 'auto',
	accountId: IDS.account,
	walletId: IDS.wallet,
	to: TO,
	tokenAddress: { __rl: true, mode: 'id', value: '' },
	amount: "={{ $fromAI('amount', 'Amount to send, e.g. 12.50', 'string') }}",
	options,
});

/** Runs the tool once per amount; gives what became of it, as whoever called the tool was told. */
type Call = (options: object, amounts: string[]) => Promise<string>;

/** Webhook, the nodes that call the tool, and the tool called Transfer. */
async function run(
	callers: Array<{ name: string; type: string; typeVersion: number; parameters: object }>,
	options: object,
	more: { nodes: object[]; connections: object } = { nodes: [], connections: {} },
) {
	const path = `tool-${++workflows}`;
	const nodes = [
		{
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			webhookId: path,
			parameters: { path, responseMode: 'lastNode', options: {} },
		},
		...callers,
		{
			name: 'Transfer',
			type: 'n8n-nodes-card-treasury.cardTreasuryTool',
			typeVersion: 1,
			parameters: transfer(options),
			credentials: { cardTreasuryApi: credential },
		},
		...more.nodes,
	].map((node, index) => ({ id: `node-${index}`, position: [index * 200, 0], ...node }));
	const row = ['Webhook', ...callers.map(({ name }) => name)];
	const connections: Record<string, object> = {
		Transfer: { ai_tool: [callers.map(({ name }) => ({ node: name, type: 'ai_tool', index: 0 }))] },
		...more.connections,
	};
	row
		.slice(0, -1)
		.forEach(
			(name, index) =>
				(connections[name] = { main: [[{ node: row[index + 1], type: 'main', index: 0 }]] }),
		);
	const { id, versionId } = await scenario.n8n.rest('POST', '/rest/workflows', {
		name: path,
		active: false,
		settings: { executionOrder: 'v1' },
		nodes,
		connections,
	});
	await publish(scenario.n8n, { id: String(id), versionId: String(versionId) });
	await eventually(async () => {
		const { status, body } = await fetch(`${scenario.n8n.url}/webhook/${path}`);
		await body?.cancel();
		// For a moment after publishing n8n does not know the path yet.
		return status !== 404;
	});
	const [execution] = await endedExecutions(scenario.n8n, { id: String(id) }, 1);
	return execution!.id;
}

async function errorOf(execution: string): Promise<string> {
	const { data } = (await scenario.n8n.rest('GET', `/rest/executions/${execution}`)) as {
		data: string;
	};
	return (parse(data) as IRunExecutionData).resultData.error?.message ?? '';
}

/** n8n's own way to run a tool without a model: one call per node. */
const byExecutor: Call = async (options, amounts) => {
	const calls = amounts.map((amount, index) => ({
		name: `Call ${index}`,
		type: '@n8n/n8n-nodes-langchain.toolExecutor',
		typeVersion: 1,
		parameters: { query: JSON.stringify({ Transfer: { amount } }), toolName: '', node: '' },
	}));
	return await errorOf(await run(calls, options));
};

/** n8n's agent: the model asks for one call after the other, then says that it is done. */
const byAgent: Call = async (options, amounts) => {
	model.calls = amounts.map((amount) => ({ name: 'Transfer', arguments: { amount } }));
	await run(
		[
			{
				name: 'Agent',
				type: '@n8n/n8n-nodes-langchain.agent',
				typeVersion: 3,
				parameters: { promptType: 'define', text: 'Send the money', options: {} },
			},
		],
		options,
		{
			nodes: [
				{
					name: 'Model',
					type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
					typeVersion: 1.2,
					credentials: { openAiApi: modelCredential },
					parameters: {
						model: { __rl: true, mode: 'id', value: 'test-model' },
						options: { maxRetries: 0 },
					},
				},
			],
			connections: {
				Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
			},
		},
	);
	const told = model.requests.at(-1)!.messages.filter(({ role }) => role === 'tool');
	return told.map(({ content }) => content).join('\n');
};

const keys = () =>
	simulator.requests
		.filter(({ method }) => method === 'POST')
		.map(({ headers }) => headers['idempotency-key']);

describe.each([
	['the Tool Executor', byExecutor],
	['the AI Agent', byAgent],
])('called by %s', (_, call) => {
	it('transfers up to Maximum Amount', async () => {
		await call({ maximumAmount: '100' }, ['12.50']);
		expect(simulator.ledger).toEqual([
			expect.objectContaining({ operation: 'wallet.transfer', amountText: '12.50' }),
		]);
	});

	it('sends nothing without Maximum Amount, and says that it is missing', async () => {
		expect(await call({}, ['12.50'])).toContain(
			'Maximum Amount is not set, and an AI agent is asking for a transfer',
		);
		expect(simulator.requests).toHaveLength(0);
	});

	it('sends nothing above Maximum Amount, and says how to go on', async () => {
		expect(await call({ maximumAmount: '10' }, ['12.50'])).toMatch(
			/above the Maximum Amount of 10.*Nothing was sent/,
		);
		expect(simulator.requests).toHaveLength(0);
	});

	it('sends the same key for the same call repeated, so that it happens once; another amount is other work', async () => {
		await call({ maximumAmount: '100' }, ['12.50', '12.50', '7']);
		const [first, second, third] = keys();
		expect(keys()).toHaveLength(3);
		expect(first).toBeTruthy();
		expect(second).toBe(first);
		expect(third).not.toBe(first);
		expect(simulator.ledger.map((row) => row.amountText)).toEqual(['12.50', '7']);
	});
});

it('the agent learns the hash and the status of its transfer', async () => {
	const told = await byAgent({ maximumAmount: '100' }, ['12.50']);
	expect(JSON.parse(told)).toEqual([
		expect.objectContaining({ transaction_hash: expect.stringMatching(/^0x/), status: 'SUCCESS' }),
	]);
});
