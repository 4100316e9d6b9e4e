import { cardOf, OTHER_RECIPIENT, RECIPIENT, transferOf } from '../harness/fixtures.mts';
import type { Model, ToolCall } from '../harness/model.mts';
import { agent, languageModel, toolExecutor } from '../harness/n8n/agent.mts';
import {
	publishChain,
	startChain,
	type Attachment,
	type Chain,
	type ChainNode,
} from '../harness/n8n/chain.mts';
import { cardTreasuryTool } from '../harness/n8n/nodes.mts';
import { withWindow } from '../harness/n8n/payments.mts';
import { ended } from '../harness/n8n/runNode.mts';
import {
	credential,
	model,
	modelCredential,
	scenario,
	useModel,
	useN8n,
} from '../harness/n8n/useN8n.mts';
import { amounts, simulator } from '../simulator/useSimulator.mts';

/**
 * The node as an agent's tool in the real n8n, called in both ways that n8n has: by its Tool Executor with given
 * arguments, and by its AI Agent, whose model is a local stand-in.
 */

useN8n();
useModel();

/** Tool call: name and input. */
type Call = [tool: string, input?: object];

/** Makes the calls one after the other in one execution and returns their answers. */
type Road = (tools: ChainNode[], calls: Call[], body?: object) => Promise<string[]>;

const AMOUNT = "={{ $fromAI('amount', 'Amount to send, e.g. 12.50', 'string') }}";
const tool = (name: string, parameters: object, chosen = credential) =>
	cardTreasuryTool(name, parameters, chosen);
/** Transfer of an amount of the agent's choice, named by it. */
const transferTool = (options: object = {}, chosen = credential) =>
	tool('Transfer', transferOf(AMOUNT, { maximumAmount: '100', ...options }), chosen);
const cardTool = (name: string, operation: string) => tool(name, cardOf(operation));
/** Transfer to a recipient of the agent's choice. */
const payTool = (options: object) =>
	tool('Transfer', {
		...transferOf('3', { maximumAmount: '10', ...options }),
		to: "={{ $fromAI('to', 'Recipient', 'string') }}",
	});
const PAY: Call = ['Transfer', { to: RECIPIENT }];
const ask = (amount: string): Call => ['Transfer', { amount }];

async function publish(
	row: ChainNode[],
	callers: string[],
	tools: ChainNode[],
	more: Attachment[] = [],
): Promise<Chain> {
	const attachments = tools.map((node): Attachment => ({ node, into: callers, as: 'ai_tool' }));
	return await publishChain(scenario.n8n, row, { attachments: [...attachments, ...more] });
}

async function run(chain: Chain, body: object = {}) {
	await startChain(scenario.n8n, chain, body);
	return await ended(scenario.n8n, chain, 1);
}

/** Runs tools by n8n's Tool Executor, without a model: one call per node. */
const byExecutor: Road = async (tools, calls, body) => {
	const row = calls.map(([toolName, input], index) => ({
		...toolExecutor(`Call ${index}`, toolName, input),
		onError: 'continueRegularOutput',
	}));
	const callers = row.map(({ name }) => name);
	const { error, outputs } = await run(await publish(row, callers, tools), body);
	// When n8n continues after a failure, it returns the input as output, so the failure counts first.
	return callers.map((name) => error(name) || String(outputs(name)?.[0]?.[0]));
};

/** Runs tools by n8n's AI Agent: the model requests one call after the other. */
const byAgent: Road = async (tools, calls, body) =>
	await askAgent(tools, calls.map(asToolCall), body);

const asToolCall = ([name, input = {}]: Call): ToolCall => ({ name, arguments: input });

async function publishAgent(tools: ChainNode[], calls: Model['calls']): Promise<Chain> {
	model.calls = calls;
	const brain = languageModel({ modelCredential });
	return await publish([agent], [agent.name], tools, [
		{ node: brain, into: agent.name, as: 'ai_languageModel' },
	]);
}

async function askAgent(tools: ChainNode[], calls: Model['calls'], body?: object) {
	await run(await publishAgent(tools, calls), body);
	return answersToModel();
}

/** Answers of the tools in the last request to the model. */
const answersToModel = () =>
	model.requests
		.at(-1)!
		.messages.filter(({ role }) => role === 'tool')
		.map(({ content }) => String(content));

const keys = () =>
	simulator.requests
		.filter(({ method }) => method !== 'GET')
		.map(({ headers }) => headers['idempotency-key']);
const executed = () => simulator.ledger.map(({ operation }) => operation);

describe('Card Treasury tool', () => {
	describe.each([
		['the Tool Executor', byExecutor],
		['the AI Agent', byAgent],
	])('called by %s', (_, road) => {
		it('transfers up to Maximum Amount and returns hash and status', async () => {
			const [told] = await road([transferTool()], [ask('12.50')]);
			expect(JSON.parse(told!)).toEqual([
				expect.objectContaining({
					transaction_hash: expect.stringMatching(/^0x/),
					status: 'SUCCESS',
					payment_reference: 'INV-12.50',
				}),
			]);
			expect(amounts()).toEqual(['12.50']);
		});

		it.each<[string, () => ChainNode, Call, RegExp]>([
			[
				'a transfer above Maximum Amount',
				() => transferTool({ maximumAmount: '10' }),
				ask('12.50'),
				/above the Maximum Amount of 10.*Nothing was sent/,
			],
			[
				'a Maximum Amount that the agent fills in',
				() => transferTool({ maximumAmount: "={{ $fromAI('maximum', 'Limit', 'string') }}" }),
				['Transfer', { amount: '12.50', maximum: '99999' }],
				/Maximum Amount.*AI agent/,
			],
			[
				'a recipient that the agent fills in, without Allowed Recipients',
				() => payTool({}),
				PAY,
				/Allowed Recipients is not set/,
			],
			[
				'a recipient that is not an allowed one',
				() => payTool({ allowedRecipients: OTHER_RECIPIENT }),
				PAY,
				/is not among the Allowed Recipients/,
			],
		])('refuses %s', async (_name, node, call, message) => {
			const [told] = await road([node()], [call]);
			expect(told).toMatch(message);
			expect(simulator.requests).toEqual([]);
		});

		it('transfers to a recipient that the agent fills in if it is allowed', async () => {
			await road([payTool({ allowedRecipients: `${OTHER_RECIPIENT}, ${RECIPIENT}` })], [PAY]);
			expect(amounts()).toEqual(['3']);
		});

		it('keeps all calls of the execution within Maximum Total', async () => {
			const transfer = transferTool({ maximumAmount: '10', maximumTotal: '15' });
			const told = await road([transfer], [ask('9'), ask('8'), ask('6')]);
			expect(told[1]).toContain('Maximum Total is 15');
			expect(amounts()).toEqual(['9', '6']);
		});

		it('returns the earlier output for a second call with the same payment', async () => {
			const told = await road([transferTool()], [ask('12.50'), ask('12.50'), ask('7')]);
			const [first, second, third] = told.map((text) => JSON.parse(text)[0]);
			expect(second).toEqual({ ...first, repeated: true });
			expect(third).not.toHaveProperty('repeated');
			expect(amounts()).toEqual(['12.50', '7']);
			expect(simulator.requests).toHaveLength(2);
		});

		it('makes one payment per reference that the agent provides', async () => {
			const paymentReference = "={{ $fromAI('invoice', 'Number of the invoice', 'string') }}";
			const pay = (invoice: string): Call => ['Transfer', { invoice }];
			const told = await road(
				[tool('Transfer', { ...transferOf('5', { maximumAmount: '10' }), paymentReference })],
				['invoice-0', 'invoice-1', 'invoice-0'].map(pay),
			);
			expect(told.map((text) => JSON.parse(text)[0].repeated)).toEqual([
				undefined,
				undefined,
				true,
			]);
			expect(amounts()).toEqual(['5', '5']);
		});

		it('re-sends a transfer of unknown outcome with its key within the Idempotency Window', async () => {
			simulator.faults.add({ kind: 'reset-after' });
			const transfer = transferTool({ maxAttempts: 1 }, await withWindow(24));
			const [failed, done] = await road([transfer], [ask('12.50'), ask('12.50')]);
			expect(failed).toContain('Outcome unknown. The service could not be reached');
			expect(failed).toContain('Call this tool again with the same values in this execution');
			expect(failed).toContain(`Idempotency key: ${keys()[0]}`);
			expect(JSON.parse(done!)).toEqual([expect.objectContaining({ status: 'SUCCESS' })]);
			expect(keys()).toEqual([keys()[0], keys()[0]]);
			expect(amounts()).toEqual(['12.50']);
		});

		it('freezes, unfreezes and freezes again, so that the card ends frozen', async () => {
			const told = await road(
				[cardTool('Freeze', 'freeze'), cardTool('Unfreeze', 'unfreeze')],
				[['Freeze'], ['Unfreeze'], ['Freeze']],
			);
			expect(told.map((text) => JSON.parse(text)[0].frozen)).toEqual([true, false, true]);
			expect(executed()).toEqual(['card.freeze', 'card.unfreeze', 'card.freeze']);
			expect(new Set(keys()).size).toBe(3);
		});

		it('does not let the agent inject a limit through an expression', async () => {
			const transfer = transferTool({ maximumAmount: '={{ $json.body.limit }}' });
			const call: Call = ['Transfer', { amount: '500', body: { limit: '99999' } }];
			const [told] = await road([transfer], [call], { limit: '10' });
			expect(told).toContain('Maximum Amount');
			expect(simulator.ledger).toEqual([]);
		});
	});

	it('makes one transfer for identical parallel calls of the AI Agent', async () => {
		const calls = [ask('12.50'), ask('12.50')].map(asToolCall);
		const told = await askAgent([transferTool()], [calls]);
		expect(told.map((text) => JSON.parse(text)[0].repeated)).toEqual([undefined, true]);
		expect(amounts()).toEqual(['12.50']);
	});

	it('answers ALREADY_SENT in the next chat of the AI Agent', async () => {
		const calls = [asToolCall(ask('12.50'))];
		const chain = await publishAgent([transferTool()], calls);
		const answers = [];
		for (const count of [1, 2]) {
			await startChain(scenario.n8n, chain);
			await ended(scenario.n8n, chain, count);
			answers.push(JSON.parse(answersToModel().at(-1)!)[0]);
		}
		expect(answers).toMatchObject([{ status: 'SUCCESS' }, { status: 'ALREADY_SENT' }]);
		expect(simulator.requests).toHaveLength(1);
	});
});
