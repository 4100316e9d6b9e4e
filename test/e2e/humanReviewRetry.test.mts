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

/** An execution with a transfer that a person has approved, retried after the agent's model had failed. */

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

it('the approved transfer is not sent again, and another one is refused, though it is asked about and approved', async () => {
	const { scenario, simulator, model } = host;
	const slackCredential = await createCredential(scenario.n8n, SLACK_CREDENTIAL, {
		type: 'slackApi',
	});
	const credentials = { ...host, slackCredential };
	const chain = await publishChain(scenario.n8n, [agent], {
		attachments: [
			{ node: languageModel(credentials), into: agent.name, as: 'ai_languageModel' },
			...behind(review(credentials), [transferTool(credentials)]),
		],
	});
	const approve = async (asked: number) => {
		await eventually(async () => slack.messages.length === asked);
		const { buttons } = slack.messages[asked - 1]!;
		const { url } = buttons.find(({ label }) => label === 'Approve')!;
		await decide(scenario.n8n, chain, async () => await visit(url));
	};
	const amounts = () => simulator.ledger.map(({ amountText }) => amountText);

	model.calls = [reviewed('12.50'), reviewed('99')];
	await startChain(scenario.n8n, chain);
	await eventually(async () => slack.messages.length === 1);
	model.isDown = true;
	await approve(1);
	const failed = await ended(scenario.n8n, chain, 1);
	expect(failed.status).toBe('error');
	expect(amounts()).toEqual(['12.50']);

	model.isDown = false;
	await retryExecution(scenario.n8n, failed.id);
	await approve(2);
	await ended(scenario.n8n, chain, 2);
	expect(slack.messages.map(({ text }) => text)).toEqual([
		expect.stringContaining('{"amount":"12.50"}'),
		expect.stringContaining('{"amount":"99"}'),
	]);
	expect(JSON.stringify(model.requests.at(-1))).toContain('has asked more than once');
	expect(amounts()).toEqual(['12.50']);
});
