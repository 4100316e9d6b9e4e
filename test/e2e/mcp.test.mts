import { randomUUID } from 'node:crypto';

import { OTHER_RECIPIENT, RECIPIENT, transferOf } from '../harness/fixtures.mts';
import { connectMcp, type McpClient } from '../harness/mcp.mts';
import { publishNodes, type ChainNode } from '../harness/n8n/chain.mts';
import { cardTreasuryTool } from '../harness/n8n/nodes.mts';
import { eventually } from '../harness/n8n/scenario.mts';
import { credential, scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { IDS } from '../simulator/index.mts';
import { amounts, simulator } from '../simulator/useSimulator.mts';

/** The node as a tool of n8n's own MCP Server Trigger, where no call has an execution. */

let client: McpClient;

/** Options with a key that the agent provides for each payment. */
const KEYED = {
	maximumAmount: '100',
	idempotencyKey: "={{ $fromAI('invoice', 'Number of the invoice', 'string') }}",
};
const CHOSEN = "={{ $fromAI('to', 'Recipient', 'string') }}";

// Registered first, so that jest closes the client while n8n is running.
afterAll(async () => await client?.close());
useN8n();

beforeAll(async () => {
	const tool = (name: string, parameters: object) => cardTreasuryTool(name, parameters, credential);
	const amount = "={{ $fromAI('amount', 'Amount to send, e.g. 12.50', 'string') }}";
	const card = { resource: 'card', cardId: IDS.activeCard };
	client = await publishMcpServer([
		tool('Transfer', transferOf(amount, { maximumAmount: '100' })),
		tool('Pay', transferOf(amount, { maximumAmount: '100', idempotencyKey: 'invoice-7' })),
		tool('Within Total', transferOf(amount, { ...KEYED, maximumTotal: '100' })),
		tool('Only One', transferOf(amount, { ...KEYED, maximumTransfers: 1 })),
		tool('Anybody', { ...transferOf(amount, KEYED), to: CHOSEN }),
		tool('Somebody', {
			...transferOf(amount, { ...KEYED, allowedRecipients: RECIPIENT }),
			to: CHOSEN,
		}),
		tool('Freeze', { ...card, operation: 'freeze' }),
		tool('Unfreeze', { ...card, operation: 'unfreeze' }),
	]);
});

/** Publishes the trigger with these tools and connects to it. */
async function publishMcpServer(tools: ChainNode[]): Promise<McpClient> {
	const path = randomUUID();
	const trigger: ChainNode = {
		name: 'MCP Server Trigger',
		type: '@n8n/n8n-nodes-langchain.mcpTrigger',
		typeVersion: 2,
		webhookId: path,
		parameters: { authentication: 'none', path },
	};
	const wire = [[{ node: trigger.name, type: 'ai_tool', index: 0 }]];
	const connections = Object.fromEntries(tools.map(({ name }) => [name, { ai_tool: wire }]));
	await publishNodes(scenario.n8n, 'MCP', [trigger, ...tools], connections);
	const url = `${scenario.n8n.url}/mcp/${path}`;
	// n8n serves the path a moment after publishing.
	return await eventually(async () => await connectMcp(url).catch(() => undefined));
}

const keysSent = () => simulator.requests.map(({ headers }) => headers['idempotency-key']);

it('the server lists the tools', async () => {
	expect((await client.tools()).sort()).toEqual([
		'Anybody',
		'Freeze',
		'Only_One',
		'Pay',
		'Reviewed',
		'Somebody',
		'Transfer',
		'Unfreeze',
		'Within_Total',
	]);
});

it("a transfer without the user's key is refused at every call", async () => {
	for (let call = 1; call <= 2; call++) {
		const { text, isError } = await client.call('Transfer', { amount: '12.50' });
		expect(isError).toBe(true);
		expect(text).toContain('Idempotency Key is not set, and this call has no n8n execution');
		expect(text).toContain('Set Idempotency Key in the options');
		expect(text).not.toMatch(/call this tool again/i);
	}
	expect(simulator.requests).toHaveLength(0);
});

it("identical calls with the user's key make one transfer", async () => {
	for (let call = 1; call <= 2; call++) {
		const { text, isError } = await client.call('Pay', { amount: '12.50' });
		expect(isError).toBe(false);
		expect(JSON.parse(text)).toEqual([
			expect.objectContaining({ status: 'SUCCESS', idempotency_key: 'invoice-7' }),
		]);
	}
	expect(keysSent()).toEqual(['invoice-7', 'invoice-7']);
	expect(amounts()).toEqual(['12.50']);
});

it('a transfer above Maximum Amount is refused', async () => {
	const { text } = await client.call('Pay', { amount: '100.01' });
	expect(text).toContain('above the Maximum Amount of 100');
	expect(simulator.requests).toHaveLength(0);
});

it.each([
	['Within_Total', 'Maximum Total'],
	['Only_One', 'Maximum Transfers'],
])('%s is refused, because n8n stores nothing between calls', async (name, guard) => {
	for (const invoice of ['i-1', 'i-2']) {
		const { text, isError } = await client.call(name, { amount: '100', invoice });
		expect(isError).toBe(true);
		expect(text).toContain(guard);
	}
	expect(simulator.requests).toHaveLength(0);
});

it("a recipient chosen by the agent needs the user's permission", async () => {
	const to = RECIPIENT;
	const anybody = await client.call('Anybody', { amount: '1', invoice: 'i-3', to });
	expect(anybody.text).toContain('Allowed Recipients is not set');
	const other = await client.call('Somebody', { amount: '1', invoice: 'i-3', to: OTHER_RECIPIENT });
	expect(other.text).toContain('is not among the Allowed Recipients');
	expect(simulator.requests).toHaveLength(0);
	await client.call('Somebody', { amount: '1', invoice: 'i-3', to });
	expect(amounts()).toEqual(['1']);
});

it('each freeze has its own key, so that freeze, unfreeze, freeze ends frozen', async () => {
	for (const name of ['Freeze', 'Unfreeze', 'Freeze'])
		expect((await client.call(name)).isError).toBe(false);
	expect(new Set(keysSent()).size).toBe(3);
	expect(simulator.ledger.map(({ operation }) => operation)).toEqual([
		'card.freeze',
		'card.unfreeze',
		'card.freeze',
	]);
});

it('an unknown outcome names the key and does not promise that another call is safe', async () => {
	simulator.faults.add({ kind: 'status', status: 500, effect: true });
	const { text, isError } = await client.call('Freeze');
	expect(isError).toBe(true);
	expect(text).not.toMatch(/call this tool again/i);
	expect(text).toContain('with the idempotency key below');
	expect(text).toContain(`Idempotency key: ${keysSent()[0]}`);
});
