import { publishChain, startChain } from '../harness/n8n/chain.mts';
import {
	agent,
	behind,
	languageModel,
	review,
	reviewed,
	transferTool,
} from '../harness/n8n/reviewedAgent.mts';
import { ended } from '../harness/n8n/runNode.mts';
import { createCredential, eventually, simulatorKeys } from '../harness/n8n/scenario.mts';
import { startModel, type Model } from '../harness/model.mts';
import { startQueueMode, type QueueMode } from '../harness/queue/queueMode.mts';
import {
	SLACK_CREDENTIAL,
	startSlackStandIn,
	type SlackStandIn,
} from '../harness/slack/slackStandIn.mts';
import { decide, visit } from '../harness/workflows/decision.mts';
import { startSimulator, type Simulator } from '../simulator/index.mts';

/** An agent's transfer with *Require Human Review*, where one worker may ask and another one go on. */

let queue: QueueMode;
let simulator: Simulator;
let slack: SlackStandIn;
let model: Model;

beforeAll(async () => {
	[simulator, slack, model] = await Promise.all([
		startSimulator(),
		startSlackStandIn(),
		startModel(),
	]);
	queue = await startQueueMode({ env: slack.env });
}, 1_500_000);

afterAll(async () => {
	await queue?.close();
	await Promise.all([simulator?.close(), slack?.close(), model?.close()]);
}, 60_000);

it('in queue mode, a call that was approved goes out, and one without a review does not', async () => {
	const { n8n } = queue;
	const credentials = {
		credential: await createCredential(n8n, simulatorKeys(simulator)),
		slackCredential: await createCredential(n8n, SLACK_CREDENTIAL, { type: 'slackApi' }),
		modelCredential: await createCredential(
			n8n,
			{ apiKey: 'test-model-key', url: model.url, header: false },
			{ type: 'openAiApi' },
		),
	};
	const tool = transferTool(credentials);
	const chat = {
		node: languageModel(credentials),
		into: agent.name,
		as: 'ai_languageModel',
	} as const;

	model.calls = [reviewed('12.50')];
	const asked = await publishChain(n8n, [agent], {
		attachments: [chat, ...behind(review(credentials), [tool])],
	});
	await startChain(n8n, asked);
	await eventually(async () => slack.messages.length === 1);
	expect(simulator.requests).toEqual([]);
	const { url } = slack.messages[0]!.buttons.find(({ label }) => label === 'Approve')!;
	const { pathname, search } = new URL(url);
	// The worker that asks does not know by which address the others are reached.
	await decide(n8n, asked, async () => await visit(n8n.url + pathname + search));
	await ended(n8n, asked, 1);
	expect(simulator.ledger.map(({ amountText }) => amountText)).toEqual(['12.50']);

	model.calls = [{ name: 'Transfer', arguments: { amount: '7' } }];
	const unasked = await publishChain(n8n, [agent], {
		attachments: [chat, { node: tool, into: agent.name, as: 'ai_tool' }],
	});
	await startChain(n8n, unasked);
	await ended(n8n, unasked, 1);
	expect(JSON.stringify(model.requests.at(-1))).toContain('did not come from one of n8n');
	expect(simulator.ledger).toHaveLength(1);
});
