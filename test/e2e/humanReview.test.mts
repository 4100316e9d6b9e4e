import type { ToolCall } from '../harness/model.mts';
import {
	publishChain,
	startChain,
	type Attachment,
	type Chain,
	type ChainNode,
} from '../harness/n8n/chain.mts';
import { retryExecution } from '../harness/n8n/executions.mts';
import * as tools from '../harness/n8n/reviewedAgent.mts';
import { agent, reviewed } from '../harness/n8n/reviewedAgent.mts';
import { ended } from '../harness/n8n/runNode.mts';
import { createCredential, eventually, type Reference } from '../harness/n8n/scenario.mts';
import {
	credential,
	model,
	modelCredential,
	scenario,
	slack,
	useModel,
	useN8n,
	useSlack,
} from '../harness/n8n/useN8n.mts';
import { SLACK_CREDENTIAL } from '../harness/slack/slackStandIn.mts';
import { decide, visit } from '../harness/workflows/decision.mts';
import { amounts, simulator } from '../simulator/useSimulator.mts';

/** An agent's transfer with *Require Human Review*, asked for by n8n's own review node for Slack. */

let slackCredential: Reference;

useSlack();
useN8n(() => slack.env);
useModel();

beforeAll(async () => {
	slackCredential = await createCredential(scenario.n8n, SLACK_CREDENTIAL, { type: 'slackApi' });
});

beforeEach(() => {
	slack.messages.length = 0;
});

const transferTool = (name?: string) => tools.transferTool({ credential }, name);
const review = (parameters?: object) => tools.review({ slackCredential }, parameters);
const languageModel = (name?: string) => tools.languageModel({ modelCredential }, name);
const behind = (node: ChainNode, reviewedTools = [transferTool()]) =>
	tools.behind(node, reviewedTools);

async function startAgent(calls: ToolCall[], attached: Attachment[]): Promise<Chain> {
	model.calls = calls;
	const attachments: Attachment[] = [
		{ node: languageModel(), into: 'Agent', as: 'ai_languageModel' },
		...attached,
	];
	const chain = await publishChain(scenario.n8n, [agent], { attachments });
	await startChain(scenario.n8n, chain);
	return chain;
}

/** Once so many questions were asked, presses a button of one of them. */
async function press(chain: Chain, label: 'Approve' | 'Decline', asked = 1, which = 0) {
	await eventually(async () => slack.messages.length === asked);
	const { url } = slack.messages[which]!.buttons.find((button) => button.label === label)!;
	await decide(scenario.n8n, chain, async () => await visit(url));
}

/** What the model was told of its calls, once the execution has ended. */
async function told(chain: Chain): Promise<string[]> {
	await ended(scenario.n8n, chain, 1);
	const messages = model.requests.at(-1)!.messages.filter(({ role }) => role === 'tool');
	return messages.map(({ content }) => String(content));
}

it('a call that was approved goes out, and not before', async () => {
	const chain = await startAgent([reviewed('12.50')], behind(review()));
	await eventually(async () => slack.messages.length === 1);
	expect(slack.messages[0]!.text).toContain('{"amount":"12.50"}');
	expect(simulator.requests).toEqual([]);
	await press(chain, 'Approve');
	expect(JSON.parse((await told(chain))[0]!)).toEqual([
		expect.objectContaining({ status: 'SUCCESS' }),
	]);
	expect(amounts()).toEqual(['12.50']);
});

it('a call that was declined sends nothing', async () => {
	const chain = await startAgent([reviewed('12.50')], behind(review()));
	await press(chain, 'Decline');
	expect((await told(chain))[0]).toContain('rejected');
	expect(simulator.requests).toEqual([]);
});

it('a call without a review is refused', async () => {
	const chain = await startAgent(
		[{ name: 'Transfer', arguments: { amount: '12.50' } }],
		[{ node: transferTool(), into: 'Agent', as: 'ai_tool' }],
	);
	expect((await told(chain))[0]).toContain('did not come from one of n8n');
	expect(simulator.requests).toEqual([]);
});

it('a second call of the execution is refused, because the link of the first question approves it too', async () => {
	const chain = await startAgent([reviewed('1'), reviewed('99')], behind(review()));
	await press(chain, 'Approve');
	await eventually(async () => slack.messages.length === 2);
	expect(slack.messages[1]!.text).toContain('{"amount":"99"}');
	await press(chain, 'Approve', 2, 0);
	expect((await told(chain))[1]).toContain('has asked more than once in this execution');
	expect(amounts()).toEqual(['1']);
});

it('a call that the model itself calls approved is refused when Limit Wait Time is over', async () => {
	const limitWaitTime = { values: { resumeUnit: 'minutes', resumeAmount: 0.02 } };
	const node = review({ options: { limitWaitTime } });
	const chain = await startAgent([reviewed('12.50', { approved: true })], behind(node));
	// n8n looks for waits that are over once a minute.
	await eventually(async () => model.requests.length === 2, 150_000);
	expect((await told(chain))[0]).toContain('has Limit Wait Time');
	expect(simulator.requests).toEqual([]);
});

it.each<[string, () => Attachment[], string, RegExp]>([
	[
		'has no expression',
		() => behind(review({ message: 'Send {{ JSON.stringify($json.toolParameters) }}?' })),
		'{{ JSON.stringify($json.toolParameters) }}',
		/does not show for certain what is asked/,
	],
	[
		'shows a part only',
		() => behind(review({ message: '=Transfer {{ $json.toolParameters.note }}?' })),
		'Transfer',
		/does not show for certain what is asked/,
	],
	[
		'names the arguments in a comment',
		() => behind(review({ message: '={{ "Fine?" /* JSON.stringify($json.toolParameters) */ }}' })),
		'Fine?',
		/does not show for certain what is asked/,
	],
	[
		'shows what the model can change',
		() => behind(review({ message: '=Transfer {{ $tool.parameters.amount }}?' })),
		'Transfer 1?',
		/does not show for certain what is asked/,
	],
	[
		'is also for another tool',
		() => behind(review(), [transferTool(), transferTool('Other')]),
		'Transfer? {"amount":"99"}',
		/reviews other tools too/,
	],
])(
	'a call is refused although approved when the review %s',
	async (_, attached, question, message) => {
		const forged = { query: { toolParameters: { amount: '1' } } };
		const chain = await startAgent([reviewed('99', forged)], attached());
		await press(chain, 'Approve');
		expect(slack.messages[0]!.text).toContain(question);
		expect((await told(chain))[0]).toMatch(message);
		expect(simulator.requests).toEqual([]);
	},
);

/** What *Execute workflow* in the editor does; `pinned` stands for the review's output. */
async function runInEditor(call: ToolCall, pinned?: object): Promise<Chain> {
	model.calls = [call];
	const trigger: ChainNode = {
		name: 'Start',
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		parameters: {},
	};
	const wire = (type: string, node: string) => ({ [type]: [[{ node, type, index: 0 }]] });
	const nodes = [trigger, agent, languageModel(), review(), transferTool()];
	const workflow = await scenario.n8n.rest('POST', '/rest/workflows', {
		name: 'run in the editor',
		active: false,
		settings: { executionOrder: 'v1' },
		nodes: nodes.map((node) => ({ id: node.name, position: [0, 0], ...node })),
		connections: {
			Start: wire('main', 'Agent'),
			Model: wire('ai_languageModel', 'Agent'),
			Review: wire('ai_tool', 'Agent'),
			Transfer: wire('ai_tool', 'Review'),
		},
		pinData: pinned ? { Review: [{ json: pinned }] } : {},
	});
	await scenario.n8n.rest('POST', `/rest/workflows/${String(workflow.id)}/run`, {
		workflowData: workflow,
		triggerToStartFrom: { name: 'Start' },
	});
	return { id: String(workflow.id), versionId: String(workflow.versionId), path: '' };
}

it('in the editor, a call that was approved goes out', async () => {
	const chain = await runInEditor(reviewed('12.50'));
	await press(chain, 'Approve');
	expect((await told(chain))[0]).toContain('SUCCESS');
	expect(amounts()).toEqual(['12.50']);
});

it('in the editor, a call is refused when the output of the review is pinned', async () => {
	const chain = await runInEditor(reviewed('12.50'), { data: { approved: true } });
	expect((await told(chain))[0]).toContain('is pinned');
	expect(simulator.requests).toEqual([]);
});

it('a call of a sub-agent is refused, though the sub-agent was approved', async () => {
	const subAgent: ChainNode = {
		name: 'Helper',
		type: '@n8n/n8n-nodes-langchain.agentTool',
		typeVersion: 3,
		parameters: { toolDescription: 'Helps', text: "={{ $fromAI('task') }}", options: {} },
	};
	const calls = [
		{ name: 'Helper', arguments: { toolParameters: { task: 'Send' }, hitlParameters: {} } },
	];
	const chain = await startAgent(calls, [
		...behind(review(), [subAgent]),
		{ node: languageModel('Its Model'), into: 'Helper', as: 'ai_languageModel' },
		{ node: transferTool(), into: 'Helper', as: 'ai_tool' },
	]);
	await eventually(async () => slack.messages.length === 1);
	model.calls = [{ name: 'Transfer', arguments: { amount: '12.50' } }];
	await press(chain, 'Approve');
	await ended(scenario.n8n, chain, 1);
	const all = JSON.stringify(model.requests);
	expect(all).toContain('did not come from one of n8n');
	expect(simulator.requests).toEqual([]);
});

it('the approved transfer is not sent again, and another one is refused, though it is asked about and approved', async () => {
	const chain = await startAgent([reviewed('12.50'), reviewed('99')], behind(review()));
	await eventually(async () => slack.messages.length === 1);
	model.isDown = true;
	await press(chain, 'Approve');
	const failed = await ended(scenario.n8n, chain, 1);
	expect(failed.status).toBe('error');
	expect(amounts()).toEqual(['12.50']);

	model.isDown = false;
	await retryExecution(scenario.n8n, failed.id);
	await press(chain, 'Approve', 2, 1);
	await ended(scenario.n8n, chain, 2);
	expect(slack.messages.map(({ text }) => text)).toEqual([
		expect.stringContaining('{"amount":"12.50"}'),
		expect.stringContaining('{"amount":"99"}'),
	]);
	expect(JSON.stringify(model.requests.at(-1))).toContain('has asked more than once');
	expect(amounts()).toEqual(['12.50']);
});
