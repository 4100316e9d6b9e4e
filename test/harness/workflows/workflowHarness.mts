import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import {
	DEFAULT_WEBHOOK_KEY,
	deliver,
	startSimulator,
	type Simulator,
} from '../../simulator/index.mts';
import { apiKey, keepCredential, simulatorKeys, type Reference } from '../n8n/credentials.mts';
import { eventually } from '../n8n/executions.mts';
import { startScenario } from '../n8n/scenario.mts';
import { publish, type TriggerWorkflow } from '../n8n/workflows.mts';
import {
	PEOPLE,
	pressButton,
	SLACK_CREDENTIAL,
	startSlackStandIn,
	type SlackMessage,
	type SlackUser,
} from '../slack/slackStandIn.mts';
import { smtpCredential, startSmtpStandIn } from '../smtp/smtpStandIn.mts';
import { createDataTableFaults } from './dataTableFaults.mts';
import { decide, runOut, waits } from './decision.mts';
import { startWebStandIn } from './web.mts';
import {
	impatient,
	importWorkflow,
	readWorkflow,
	withCredentials,
	withSettings,
	withWebhook,
	withWorkflows,
	type WorkflowFile,
} from './workflowFiles.mts';

/** Users who may decide in the tests, and who may not. */
export const APPROVER = PEOPLE[0]!;
export const STRANGER = PEOPLE.at(-1)!;

export type WorkflowHarness = Awaited<ReturnType<typeof startWorkflowHarness>>;

type Workflow = Pick<TriggerWorkflow, 'id'>;

/** Place of a harness that is used for more than one run. */
interface Lodging {
	/** Folder of n8n's data, which stays. */
	folder?: string;
	ports?: { n8n?: number; smtp?: number };
	simulator?: Simulator;
	/** Called with lines of progress; by default they are printed. */
	onProgress?: (line: string) => void;
}

const CHANGES = pathToFileURL(join(import.meta.dirname, 'n8nChanges.mjs')).href;

/**
 * Starts everything that the workflows of `docs/workflows` need: the real n8n, the simulator, and stand-ins for Slack
 * and a mail server. If a part fails, the others are stopped.
 * @param env for n8n, at every start
 */
export async function startWorkflowHarness(
	env: Record<string, string> = {},
	{ folder, ports = {}, simulator: given, onProgress }: Lodging = {},
) {
	const [slack, smtp, simulator, web] = await Promise.all([
		startSlackStandIn(),
		startSmtpStandIn({ port: ports.smtp }),
		given ?? startSimulator(),
		startWebStandIn(),
	]);
	const dataTables = createDataTableFaults();
	const standIns = [simulator, slack, smtp, dataTables, web];
	const closeStandIns = async () => {
		for (const standIn of standIns) await standIn.close();
	};
	// A demo that a user keeps has n8n as it is, and waits as shipped. A test does not.
	const isKept = folder !== undefined;
	const { NODE_OPTIONS } = slack.env;
	const scenario = await startScenario(
		{
			...slack.env,
			...dataTables.env,
			...(!isKept && { NODE_OPTIONS: `${NODE_OPTIONS} --import=${CHANGES}` }),
			GENERIC_TIMEZONE: 'UTC',
			...env,
		},
		{ userFolder: folder, port: ports.n8n, onProgress },
	).catch(async (error: unknown) => {
		await closeStandIns();
		throw error;
	});
	web.n8n = scenario.n8n.url;
	const credential = async (name: string, type: string, data: object) =>
		await keepCredential(scenario.n8n, data, { name, type });
	const credentials: Record<string, Reference> = {
		cardTreasuryApi: await credential(
			'Card Treasury account',
			'cardTreasuryApi',
			simulatorKeys(simulator),
		),
		slackApi: await credential('Slack stand-in', 'slackApi', SLACK_CREDENTIAL),
		smtp: await credential('Mail stand-in', 'smtp', smtpCredential(smtp)),
		n8nApi: await credential('n8n API', 'n8nApi', {
			apiKey: await apiKey(scenario.n8n, 'execution:list'),
			baseUrl: `${web.url}/api/v1`,
		}),
	};
	const press = async ({ channel, ts, buttons }: SlackMessage, label: string, user: SlackUser) => {
		const { action } = buttons.find((button) => button.label === label)!;
		if (!action) throw new Error(`${label} is a link, so that nobody knows who presses it`);
		await pressButton(scenario.n8n.url, action, { user, channel, ts });
	};
	const publishNew = async (file: WorkflowFile) => {
		const workflow = await importWorkflow(scenario.n8n, file);
		await publish(scenario.n8n, workflow);
		return workflow;
	};
	const change = isKept ? (file: WorkflowFile) => file : impatient;
	const readFilledIn = (file: string) => withCredentials(readWorkflow(file), credentials);
	let alarms: Promise<TriggerWorkflow> | undefined;
	/** The part of the event router that mails. The router itself needs the other workflows first. */
	const openAlarms = async () =>
		await (alarms ??= publishNew(onlyAlarms(change(readFilledIn('event-router.json')))));
	/** Imports and publishes a workflow, with its credentials, its *Error Workflow* and the changes of `fillIn`. */
	const open = async (
		file: string,
		fillIn = (workflow: WorkflowFile) => workflow,
		adapt: (workflow: WorkflowFile) => WorkflowFile = change,
	) => {
		const read = adapt(readFilledIn(file));
		if (file === 'event-router.json') return await publishNew(fillIn(read));
		const { id: errorWorkflow } = await openAlarms();
		return await publishNew(fillIn({ ...read, settings: { ...read.settings, errorWorkflow } }));
	};
	const mend = () => {
		simulator.faults.clear();
		slack.refuse = () => undefined;
		smtp.refuse = () => false;
		dataTables.mend();
		web.refuse = () => false;
	};
	return {
		slack,
		smtp,
		simulator,
		dataTables,
		web,
		scenario,
		credentials,
		/** Resets everything but n8n. */
		reset() {
			simulator.reset();
			slack.messages.length = 0;
			smtp.mails.length = 0;
			web.opened.length = 0;
			mend();
		},
		mend,
		open,
		openAlarms,
		/** Opens a workflow with its waits as they are shipped. */
		openPatient: async (file: string) => await open(file, undefined, (read) => read),
		pressNow: press,
		/** Opens a scheduled workflow with a function that starts a run. */
		openOnDemand: async (file: string, fillIn = (workflow: WorkflowFile) => workflow) => {
			const path = randomUUID();
			const workflow = await open(file, (read) => fillIn(withWebhook(read, path)));
			const start = async () => void (await fetch(`${scenario.n8n.url}/webhook/${path}`));
			return { ...workflow, start };
		},
		/** Publishes the event router with these workflows, by the names of its nodes; the nodes of others are deleted. */
		openRouter: async (behind: Record<string, Workflow>) =>
			await open('event-router.json', (file) =>
				// A path belongs to one published workflow, and tests publish several routers.
				withSettings(withWorkflows(file, behind), 'Company webhook', { webhookId: randomUUID() }),
			),
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
		questions: () => slack.messages.filter(({ buttons }) => buttons.length > 0),
		/** Presses a button as the approver until the workflow continues. */
		async click(workflow: Workflow, message: SlackMessage, label: string): Promise<void> {
			await waits(scenario.n8n, workflow);
			await decide(scenario.n8n, workflow, async () => await press(message, label, APPROVER));
		},
		/** Presses a button once, when an execution of the workflow waits. */
		async press(workflow: Workflow, ...click: Parameters<typeof press>): Promise<void> {
			await waits(scenario.n8n, workflow);
			await press(...click);
		},
		/** Lets the limit pass until which an execution of the workflow waits. */
		runOut: async (workflow: Workflow) => await runOut(scenario.n8n, workflow),
		async close() {
			await scenario.close();
			await closeStandIns();
		},
	};
}

const ALARMS = ['When a run fails', 'Email operations'];

/** Keeps only the nodes that mail about failures of this and other workflows. */
const onlyAlarms = (file: WorkflowFile): WorkflowFile => ({
	...file,
	name: `${file.name}: alarms`,
	nodes: file.nodes.filter(({ name }) => ALARMS.includes(name)),
	connections: { [ALARMS[0]!]: file.connections[ALARMS[0]!]! },
	settings: { callerPolicy: 'any' },
});
