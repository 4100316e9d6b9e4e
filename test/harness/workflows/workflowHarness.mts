import {
	createCredential,
	endedExecutions,
	eventually,
	executions,
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
import { pressButton, type SlackUser } from '../slack/pressButton.mts';
import {
	SLACK_CREDENTIAL,
	startSlackStandIn,
	type SlackMessage,
	type SlackStandIn,
} from '../slack/slackStandIn.mts';
import {
	smtpCredential,
	startSmtpStandIn,
	type Mail,
	type SmtpStandIn,
} from '../smtp/smtpStandIn.mts';
import { decide, visit, waits } from './decision.mts';
import { importWorkflow } from './imported.mts';
import {
	readWorkflow,
	withCredentials,
	withWorkflows,
	type WorkflowFile,
} from './workflowFiles.mts';

/** Who may decide in the tests, and who may not. */
export const APPROVER: SlackUser = { id: 'U0000000001', name: 'ana' };
export const STRANGER: SlackUser = { id: 'U0000000009', name: 'mallory' };

/** Everything that the workflows of `docs/workflows` meet: the real n8n, the simulator, and stand-ins for Slack and a mail server. */
export interface WorkflowHarness {
	slack: SlackStandIn;
	smtp: SmtpStandIn;
	simulator: Simulator;
	scenario: Scenario;
	/** By the type that the nodes ask for. */
	credentials: Record<string, Reference>;
	/** Everything as it was at the start, but for n8n. */
	reset(): void;
	/** Imports and publishes a workflow; only its credentials are chosen, and what `fillIn` changes. */
	open(file: string, fillIn?: (workflow: WorkflowFile) => WorkflowFile): Promise<TriggerWorkflow>;
	/** Publishes the event router with these workflows behind it, by the names of its nodes; the nodes of others are deleted. */
	openRouter(behind: Record<string, TriggerWorkflow>): Promise<TriggerWorkflow>;
	/** Delivers an event as the service does. @throws when it is not acknowledged */
	send(workflow: TriggerWorkflow, event: object): Promise<void>;
	/** Messages to a channel, oldest first, once there are so many. */
	messages(channel: string, count: number, withinMs?: number): Promise<SlackMessage[]>;
	/**
	 * Has the approver press a button until the workflow goes on. Where the buttons are links (an n8n without *Capture Who
	 * Responded*), a robot has opened the other links before.
	 */
	click(workflow: TriggerWorkflow, message: SlackMessage, label: string): Promise<void>;
	/** Presses a button once, after n8n has stored that an execution of the workflow waits. */
	press(
		workflow: TriggerWorkflow,
		message: SlackMessage,
		label: string,
		user: SlackUser,
	): Promise<void>;
	ended(workflow: TriggerWorkflow, count: number): Promise<ExecutionRow[]>;
	/** Starts one execution of a workflow and waits for its end; gives its status, and what was told meanwhile, sorted. */
	during(workflow: TriggerWorkflow, start: () => Promise<void>): Promise<Ran>;
	close(): Promise<void>;
}

/** An execution that has ended. */
export interface Ran {
	status: string;
	/** Each message with its channel in front. */
	told: string[];
}

export interface WorkflowHarnessOptions {
	/** For n8n, at every start. */
	env?: Record<string, string>;
	/** Told of each message and mail as it comes. */
	onMessage?: (message: SlackMessage) => void;
	onMail?: (mail: Mail) => void;
}

/** Starts all of it; what has started is ended again when a part fails. */
export async function startWorkflowHarness({
	env,
	onMessage,
	onMail,
}: WorkflowHarnessOptions = {}): Promise<WorkflowHarness> {
	const [slack, smtp, simulator] = await Promise.all([
		startSlackStandIn(onMessage),
		startSmtpStandIn(onMail),
		startSimulator(),
	]);
	const standIns = [simulator, slack, smtp];
	const closeStandIns = async () => {
		for (const standIn of standIns) await standIn.close();
	};
	const scenario = await startScenario({ ...slack.env, GENERIC_TIMEZONE: 'UTC', ...env }).catch(
		async (error: unknown) => {
			await closeStandIns();
			throw error;
		},
	);
	const credential = async (name: string, type: string, data: object) =>
		await createCredential(scenario.n8n, data, { name, type });
	const credentials: Record<string, Reference> = {
		cardTreasuryApi: await credential(
			'Card Treasury account',
			'cardTreasuryApi',
			simulatorKeys(simulator),
		),
		slackApi: await credential('Slack stand-in', 'slackApi', SLACK_CREDENTIAL),
		smtp: await credential('Mail stand-in', 'smtp', smtpCredential(smtp)),
	};
	const press = async ({ channel, buttons }: SlackMessage, label: string, user: SlackUser) => {
		const { url, action } = buttons.find((button) => button.label === label)!;
		await (action ? pressButton(scenario.n8n.url, action, { user, channel }) : visit(url));
	};
	const open: WorkflowHarness['open'] = async (file, fillIn = (workflow) => workflow) => {
		const workflow = await importWorkflow(
			scenario.n8n,
			fillIn(withCredentials(readWorkflow(file), credentials)),
		);
		await publish(scenario.n8n, workflow);
		return workflow;
	};
	return {
		slack,
		smtp,
		simulator,
		scenario,
		credentials,
		reset() {
			simulator.reset();
			slack.messages.length = 0;
			smtp.mails.length = 0;
			slack.refusal = undefined;
		},
		open,
		openRouter: async (behind) =>
			await open('event-router.json', (file) => withWorkflows(file, behind)),
		async send({ url }, event) {
			const { delivered, attempts } = await deliver(event, {
				url,
				webhookKey: DEFAULT_WEBHOOK_KEY,
				attempts: 1,
			});
			if (!delivered) throw new Error(`Not acknowledged: ${JSON.stringify(attempts)}`);
		},
		async messages(channel, count, withinMs) {
			return await eventually(async () => {
				const found = slack.messages.filter((message) => message.channel === channel);
				return found.length >= count && found;
			}, withinMs);
		},
		async click(workflow, message, label) {
			await waits(scenario.n8n, workflow);
			for (const { url } of message.buttons.filter(
				(button) => button.label !== label && button.url,
			))
				await visit(url, 'Slackbot-LinkExpanding 1.0');
			await decide(scenario.n8n, workflow, async () => await press(message, label, APPROVER));
		},
		async press(workflow, message, label, user) {
			await waits(scenario.n8n, workflow);
			await press(message, label, user);
		},
		ended: async (workflow, count) => await endedExecutions(scenario.n8n, workflow, count),
		async during(workflow, start) {
			const before = await executions(scenario.n8n, workflow);
			slack.messages.length = 0;
			await start();
			const rows = await endedExecutions(scenario.n8n, workflow, before.length + 1);
			const told = slack.messages.map(({ channel, text }) => `${channel} ${text}`).sort();
			return { status: rows.at(-1)!.status, told };
		},
		async close() {
			await scenario.close();
			await closeStandIns();
		},
	};
}
