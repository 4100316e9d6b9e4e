import { publishChain, startChain } from '../harness/n8n/chain.mts';
import { retryExecution } from '../harness/n8n/executions.mts';
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
import { startWithModel, type WithModel } from '../harness/n8n/withSimulator.mts';
import {
	SLACK_CREDENTIAL,
	startSlackStandIn,
	type SlackStandIn,
} from '../harness/slack/slackStandIn.mts';
import { decide, visit } from '../harness/workflows/decision.mts';

/** An execution with a transfer that a person has approved, retried by hand after the agent itself had failed. */

let host: WithModel;
let slack: SlackStandIn;

beforeAll(async () => {
	slack = await startSlackStandIn();
	host = await startWithModel(slack.env);
}, 1_500_000);

afterAll(async () => {
	await host?.close();
	await slack?.close();
});

it('an approval', async () => {
	const { scenario, simulator, model } = host;
	const slackCredential = await createCredential(scenario.n8n, SLACK_CREDENTIAL, {
		type: 'slackApi',
	});
	const credentials = { ...host, slackCredential };
	model.calls = [reviewed('12.50')];
	const chain = await publishChain(scenario.n8n, [agent], {
		attachments: [
			{ node: languageModel(credentials), into: agent.name, as: 'ai_languageModel' },
			...behind(review(credentials), [transferTool(credentials)]),
		],
	});
	await startChain(scenario.n8n, chain);
	await eventually(async () => slack.messages.length === 1);
	model.isDown = true;
	const approve = async (asked: number) => {
		const { url } = slack.messages[asked]!.buttons.find(({ label }) => label === 'Approve')!;
		await decide(scenario.n8n, chain, async () => await visit(url));
	};
	await approve(0);
	const failed = await ended(scenario.n8n, chain, 1);
	console.log('FIRST', failed.status, failed.failure, simulator.ledger.length);
	model.isDown = false;
	model.calls = [reviewed('12.50'), reviewed('99')];
	await retryExecution(scenario.n8n, failed.id);
	await new Promise((r) => setTimeout(r, 12_000));
	console.log(
		'MESSAGES',
		slack.messages.map(({ text }) => text),
		simulator.ledger.length,
	);
	console.log(
		JSON.stringify(await scenario.n8n.rest('GET', '/rest/executions?limit=5')).slice(0, 1500),
	);
	console.log(JSON.stringify(model.requests.at(-1)?.messages).slice(0, 3000));
	if (slack.messages.length > 1) {
		await approve(1);
		await new Promise((r) => setTimeout(r, 8_000));
		console.log(
			'AFTER',
			slack.messages.map(({ text }) => text),
			simulator.ledger.map(({ amountText }) => amountText),
		);
		console.log(JSON.stringify(model.requests.at(-1)?.messages).slice(0, 3000));
	}
});
