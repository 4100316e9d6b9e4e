import { randomUUID } from 'node:crypto';

import { DEFAULT_WEBHOOK_KEY, deliver, startSimulator } from '../../simulator/index.mts';
import {
	createCredential,
	endedExecutions,
	eventually,
	executions,
	publish,
	simulatorKeys,
	startScenario,
	type Reference,
	type TriggerWorkflow,
} from '../n8n/scenario.mts';
import { pressButton, type SlackUser } from '../slack/pressButton.mts';
import { SLACK_CREDENTIAL, startSlackStandIn, type SlackMessage } from '../slack/slackStandIn.mts';
import { smtpCredential, startSmtpStandIn, type Mail } from '../smtp/smtpStandIn.mts';
import { startDataTableFaults } from './dataTableFaults.mts';
import { decide, visit, waits } from './decision.mts';
import { importWorkflow } from './imported.mts';
import {
	impatient,
	readWorkflow,
	withCredentials,
	withWebhook,
	withWorkflows,
	type WorkflowFile,
} from './workflowFiles.mts';

/** Users who may decide in the tests, and who may not. */
export const APPROVER: SlackUser = { id: 'U0000000001', name: 'ana' };
export const STRANGER: SlackUser = { id: 'U0000000009', name: 'mallory' };

export type WorkflowHarness = Awaited<ReturnType<typeof startWorkflowHarness>>;

/**
 * Starts everything that the workflows of `docs/workflows` need: the real n8n, the simulator, and stand-ins for Slack
 * and a mail server. If a part fails, the others are stopped.
 * @param env for n8n, at every start
 * @param onMessage called for each message
 * @param onMail called for each mail
 */
export async function startWorkflowHarness(
	env: Record<string, string> = {},
	onMessage?: (message: SlackMessage) => void,
	onMail?: (mail: Mail) => void,
) {
	const [slack, smtp, simulator, dataTables] = await Promise.all([
		startSlackStandIn(onMessage),
		startSmtpStandIn(onMail),
		startSimulator(),
		startDataTableFaults(),
	]);
	const standIns = [simulator, slack, smtp, dataTables];
	const closeStandIns = async () => {
		for (const standIn of standIns) await standIn.close();
	};
	const scenario = await startScenario({
		...slack.env,
		...dataTables.env,
		NODE_OPTIONS: `${slack.env.NODE_OPTIONS} ${dataTables.env.NODE_OPTIONS}`,
		GENERIC_TIMEZONE: 'UTC',
		...env,
	}).catch(async (error: unknown) => {
		await closeStandIns();
		throw error;
	});
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
	/** Imports and publishes a workflow, with its credentials and the changes of `fillIn`. */
	const open = async (file: string, fillIn = (workflow: WorkflowFile) => workflow) => {
		const workflow = await importWorkflow(
			scenario.n8n,
			fillIn(impatient(withCredentials(readWorkflow(file), credentials))),
		);
		await publish(scenario.n8n, workflow);
		return workflow;
	};
	return {
		slack,
		smtp,
		simulator,
		dataTables,
		scenario,
		/** Credentials by type. */
		credentials,
		/** Resets everything but n8n. */
		reset() {
			simulator.reset();
			slack.messages.length = 0;
			smtp.mails.length = 0;
			slack.refuse = () => undefined;
			smtp.refuse = () => false;
			dataTables.refuse = () => false;
		},
		open,
		/** Opens a scheduled workflow with a function that runs it to its end and returns its status. */
		openOnDemand: async (file: string, fillIn = (workflow: WorkflowFile) => workflow) => {
			const path = randomUUID();
			const workflow = await open(file, (read) => fillIn(withWebhook(read, path)));
			const start = async () => void (await fetch(`${scenario.n8n.url}/webhook/${path}`));
			const run = async () => {
				const before = await executions(scenario.n8n, workflow);
				await start();
				// n8n reports the failure in another execution of the same workflow.
				const rows = await endedExecutions(scenario.n8n, workflow, before.length + 1);
				return rows[before.length]!.status;
			};
			return { ...workflow, start, run };
		},
		/** Publishes the event router with these workflows, by the names of its nodes; the nodes of others are deleted. */
		openRouter: async (behind: Record<string, TriggerWorkflow>) =>
			await open('event-router.json', (file) => withWorkflows(file, behind)),
		/** Delivers an event as the service does. @throws if it is not acknowledged */
		async send({ url }: TriggerWorkflow, event: object): Promise<void> {
			const { delivered, attempts } = await deliver(event, {
				url,
				webhookKey: DEFAULT_WEBHOOK_KEY,
				attempts: 1,
			});
			if (!delivered) throw new Error(`Not acknowledged: ${JSON.stringify(attempts)}`);
		},
		/** Waits for this many messages to a channel and returns them, oldest first. */
		async messages(channel: string, count: number, withinMs?: number) {
			return await eventually(async () => {
				const found = slack.messages.filter((message) => message.channel === channel);
				return found.length >= count && found;
			}, withinMs);
		},
		/** Texts of the messages to a channel, without questions, oldest first. */
		told: (channel: string) =>
			slack.messages
				.filter((message) => message.channel === channel && message.buttons.length === 0)
				.map(({ text }) => text),
		/** Messages with buttons, oldest first. */
		questions: () => slack.messages.filter(({ buttons }) => buttons.length > 0),
		/**
		 * Presses a button as the approver until the workflow continues. A robot opens the other links first, if the buttons
		 * are links (an n8n without *Capture Who Responded*).
		 */
		async click(workflow: TriggerWorkflow, message: SlackMessage, label: string): Promise<void> {
			await waits(scenario.n8n, workflow);
			for (const { url } of message.buttons.filter(
				(button) => button.label !== label && button.url,
			))
				await visit(url, 'Slackbot-LinkExpanding 1.0');
			await decide(scenario.n8n, workflow, async () => await press(message, label, APPROVER));
		},
		/** Presses a button once, when an execution of the workflow waits. */
		async press(workflow: TriggerWorkflow, ...click: Parameters<typeof press>): Promise<void> {
			await waits(scenario.n8n, workflow);
			await press(...click);
		},
		ended: async (workflow: TriggerWorkflow, count: number) =>
			await endedExecutions(scenario.n8n, workflow, count),
		async close() {
			await scenario.close();
			await closeStandIns();
		},
	};
}
