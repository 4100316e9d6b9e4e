import {
	createCredential,
	endedExecutions,
	eventually,
	publish,
	simulatorKeys,
	startScenario,
	type ExecutionRow,
	type Reference,
	type Scenario,
	type TriggerWorkflow,
} from '../n8n/scenario.mts';
import {
	DEFAULT_WEBHOOK_KEY,
	deliver,
	startSimulator,
	type Simulator,
} from '../../simulator/index.mts';
import {
	SLACK_CREDENTIAL,
	startSlackStandIn,
	type SlackMessage,
	type SlackStandIn,
} from '../slack/slackStandIn.mts';
import { decide, visit, waits } from './decision.mts';
import { importWorkflow } from './imported.mts';
import { readWorkflow, withCredentials, type WorkflowFile } from './workflowFiles.mts';

/** Everything that the workflows of `docs/workflows` meet: the real n8n, the simulator, and a stand-in for Slack. */
export interface Stage {
	slack: SlackStandIn;
	simulator: Simulator;
	scenario: Scenario;
	/** Everything as it was at the start, but for n8n. */
	reset(): void;
	/** Imports and publishes a workflow; only its credentials are chosen, and what `fillIn` changes. */
	open(file: string, fillIn?: (workflow: WorkflowFile) => WorkflowFile): Promise<TriggerWorkflow>;
	/** Delivers an event as the service does. @throws when it is not acknowledged */
	send(workflow: TriggerWorkflow, event: object): Promise<void>;
	/** Messages to a channel, oldest first, once there are so many. */
	messages(channel: string, count: number): Promise<SlackMessage[]>;
	/** Clicks a button, once n8n has stored that an execution of the workflow waits; a robot has opened the other links before. */
	click(workflow: TriggerWorkflow, message: SlackMessage, label: string): Promise<void>;
	ended(workflow: TriggerWorkflow, count: number): Promise<ExecutionRow[]>;
	close(): Promise<void>;
}

export async function startStage(): Promise<Stage> {
	const slack = await startSlackStandIn();
	const simulator = await startSimulator();
	const scenario = await startScenario({ ...slack.env, GENERIC_TIMEZONE: 'UTC' });
	const { n8n } = scenario;
	const credentials: Record<string, Reference> = {
		cardTreasuryApi: await createCredential(n8n, simulatorKeys(simulator)),
		slackApi: await createCredential(n8n, SLACK_CREDENTIAL, { type: 'slackApi' }),
	};
	return {
		slack,
		simulator,
		scenario,
		reset() {
			simulator.reset();
			slack.messages.length = 0;
			slack.refusal = undefined;
		},
		async open(file, fillIn = (workflow) => workflow) {
			const workflow = await importWorkflow(
				n8n,
				fillIn(withCredentials(readWorkflow(file), credentials)),
			);
			await publish(n8n, workflow);
			return workflow;
		},
		async send({ url }, event) {
			const { delivered, attempts } = await deliver(event, {
				url,
				webhookKey: DEFAULT_WEBHOOK_KEY,
				attempts: 1,
			});
			if (!delivered) throw new Error(`Not acknowledged: ${JSON.stringify(attempts)}`);
		},
		async messages(channel, count) {
			return await eventually(async () => {
				const found = slack.messages.filter((message) => message.channel === channel);
				return found.length >= count && found;
			});
		},
		async click(workflow, { buttons }, label) {
			await waits(n8n, workflow);
			for (const { url } of buttons.filter((button) => button.label !== label))
				await visit(url, 'Slackbot-LinkExpanding 1.0');
			await decide(n8n, workflow, buttons.find((button) => button.label === label)!.url);
		},
		ended: async (workflow, count) => await endedExecutions(n8n, workflow, count),
		async close() {
			await scenario.close();
			await simulator.close();
			await slack.close();
		},
	};
}
