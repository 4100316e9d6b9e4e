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

const CHOSEN = "={{ $fromAI('to', 'Recipient', 'string') }}";

// Registered first, so that jest closes the client while n8n is running.
afterAll(async () => await client?.close());
useN8n();

beforeAll(async () => {
	const tool = (name: string, parameters: object) => cardTreasuryTool(name, parameters, credential);
	const named = (options: object = {}) => ({
		...transferOf("={{ $fromAI('amount', 'Amount to send, e.g. 12.50', 'string') }}", {
			maximumAmount: '100',
			...options,
		}),
		paymentReference: "={{ $fromAI('invoice', 'Number of the invoice', 'string') }}",
	});
	const card = { resource: 'card', cardId: IDS.activeCard };
	client = await publishMcpServer([
		tool('Pay', named()),
		tool('Daily', { ...named(), referenceFrom: 'oncePerDay' }),
		tool('Within Total', named({ maximumTotal: '100' })),
		tool('Only One', named({ maximumTransfers: 1 })),
		tool('Anybody', { ...named(), to: CHOSEN }),
		tool('Somebody', { ...named({ allowedRecipients: RECIPIENT }), to: CHOSEN }),
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

describe('MCP Server Trigger', () => {
	it('lists the tools', async () => {
		expect((await client.tools()).sort()).toEqual([
			'Anybody',
			'Daily',
			'Freeze',
			'Only_One',
			'Pay',
			'Somebody',
			'Unfreeze',
			'Within_Total',
		]);
	});

	it('sends nothing for a second call with the same payment, and answers ALREADY_SENT', async () => {
		const answers = [];
		for (let call = 1; call <= 2; call++) {
			const { text, isError } = await client.call('Pay', { amount: '12.50', invoice: 'i-1' });
			expect(isError).toBe(false);
			answers.push(JSON.parse(text)[0]);
		}
		expect(answers).toMatchObject([{ status: 'SUCCESS' }, { status: 'ALREADY_SENT' }]);
		expect(amounts()).toEqual(['12.50']);
		expect(simulator.requests).toHaveLength(1);
	});

	it('does not send a payment of unknown outcome again', async () => {
		simulator.faults.add({ kind: 'status', status: 500, effect: true, times: 9 });
		const invoice = { amount: '1', invoice: 'i-2' };
		const first = await client.call('Pay', invoice);
		expect(first.isError).toBe(true);
		expect(first.text).toContain('Outcome unknown');
		expect(first.text).not.toMatch(/call this tool again/i);
		expect(first.text).toContain(`Idempotency key: ${keysSent()[0]}`);
		const sent = simulator.requests.length;
		const second = await client.call('Pay', invoice);
		expect(second.isError).toBe(true);
		expect(second.text).toContain('was sent before: its outcome is open or FAILED');
		expect(simulator.requests).toHaveLength(sent);
		expect(amounts()).toEqual(['1']);
	});

	it('refuses a transfer above Maximum Amount', async () => {
		const { text } = await client.call('Pay', { amount: '100.01', invoice: 'i-3' });
		expect(text).toContain('above the Maximum Amount of 100');
		expect(simulator.requests).toHaveLength(0);
	});

	it('refuses Once per Day, because a call without an execution has no day', async () => {
		const { text, isError } = await client.call('Daily', { amount: '1' });
		expect(isError).toBe(true);
		expect(text).toContain('Reference Mode is Once per Day');
		expect(simulator.requests).toHaveLength(0);
	});

	it.each([
		['Maximum Total', 'Within_Total'],
		['Maximum Transfers', 'Only_One'],
	])('refuses %s, because n8n stores nothing between calls', async (guard, name) => {
		for (const invoice of ['i-5', 'i-6']) {
			const { text, isError } = await client.call(name, { amount: '100', invoice });
			expect(isError).toBe(true);
			expect(text).toContain(guard);
		}
		expect(simulator.requests).toHaveLength(0);
	});

	it('pays a recipient chosen by the agent only if it is allowed', async () => {
		const to = RECIPIENT;
		const anybody = await client.call('Anybody', { amount: '1', invoice: 'i-4', to });
		expect(anybody.text).toContain('Allowed Recipients is not set');
		const other = await client.call('Somebody', {
			amount: '1',
			invoice: 'i-4',
			to: OTHER_RECIPIENT,
		});
		expect(other.text).toContain('is not among the Allowed Recipients');
		expect(simulator.requests).toHaveLength(0);
		await client.call('Somebody', { amount: '1', invoice: 'i-4', to });
		expect(amounts()).toEqual(['1']);
	});

	it('sends freeze, unfreeze and freeze under different keys, so that the card ends frozen', async () => {
		for (const name of ['Freeze', 'Unfreeze', 'Freeze'])
			expect((await client.call(name)).isError).toBe(false);
		expect(new Set(keysSent()).size).toBe(3);
		expect(simulator.ledger.map(({ operation }) => operation)).toEqual([
			'card.freeze',
			'card.unfreeze',
			'card.freeze',
		]);
	});
});
