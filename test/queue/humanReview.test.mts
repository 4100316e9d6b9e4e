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
import { createCredential, eventually } from '../harness/n8n/scenario.mts';
import { model, modelCredential, slack, useModel, useSlack } from '../harness/n8n/useN8n.mts';
import { credential, queue, useQueue } from '../harness/queue/useQueue.mts';
import { SLACK_CREDENTIAL } from '../harness/slack/slackStandIn.mts';
import { decide, visit } from '../harness/workflows/decision.mts';
import { amounts, simulator } from '../simulator/useSimulator.mts';

/** An agent's transfer with *Require Human Review*, where one worker may ask and another one go on. */

useSlack();
useQueue(() => slack.env);
useModel(() => queue.n8n);

it('in queue mode, a call that was approved goes out, and one without a review does not', async () => {
	const { n8n } = queue;
	const slackCredential = await createCredential(n8n, SLACK_CREDENTIAL, { type: 'slackApi' });
	const credentials = { credential, slackCredential, modelCredential };
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
	expect(amounts()).toEqual(['12.50']);

	model.calls = [{ name: 'Transfer', arguments: { amount: '7' } }];
	const unasked = await publishChain(n8n, [agent], {
		attachments: [chat, { node: tool, into: agent.name, as: 'ai_tool' }],
	});
	await startChain(n8n, unasked);
	await ended(n8n, unasked, 1);
	expect(JSON.stringify(model.requests.at(-1))).toContain('did not come from one of n8n');
	expect(simulator.ledger).toHaveLength(1);
});
