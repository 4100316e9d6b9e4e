import { RECIPIENT } from '../../harness/fixtures.mts';
import { readExecution } from '../../harness/n8n/executions.mts';
import type { RunningN8n } from '../../harness/n8n/n8n.mts';
import {
	endedExecutions,
	eventually,
	publish,
	type Reference,
	type TriggerWorkflow,
} from '../../harness/n8n/scenario.mts';
import type { SlackStandIn } from '../../harness/slack/slackStandIn.mts';
import type { SmtpStandIn } from '../../harness/smtp/smtpStandIn.mts';
import { writeTable } from '../../harness/workflows/dataTables.mts';
import { decide, visit } from '../../harness/workflows/decision.mts';
import { importWorkflow, runFrom } from '../../harness/workflows/imported.mts';
import {
	readWorkflow,
	withCredentials,
	withOptions,
	withParameters,
	withWorkflows,
	type WorkflowFile,
} from '../../harness/workflows/workflowFiles.mts';
import { DEFAULT_WEBHOOK_KEY, deliver, IDS, sampleEvent } from '../../simulator/index.mts';
import type { Outcome } from './report.mts';

/** Workflows of `docs/workflows`, set up for the simulator and published. */
export interface BroughtUp {
	card: TriggerWorkflow;
	sweep: TriggerWorkflow;
	approval: TriggerWorkflow;
	confirmations: TriggerWorkflow;
	reminders: TriggerWorkflow;
	upload: TriggerWorkflow;
	status: TriggerWorkflow;
	router: TriggerWorkflow;
}

/** @param timeZone of n8n, for what "today" is */
export async function bringUpWorkflows(
	n8n: RunningN8n,
	credentials: Record<string, Reference>,
	timeZone: string,
): Promise<BroughtUp> {
	const open = async (file: string, fillIn = (workflow: WorkflowFile) => workflow) => {
		const read = fillIn(withCredentials(readWorkflow(file), credentials));
		const workflow = await importWorkflow(n8n, asSetUp(read));
		await publish(n8n, workflow);
		return workflow;
	};
	// The buttons are links, because nobody can click in a terminal.
	const card = await open('card-blocked-by-velocity.json', (file) =>
		withParameters(file, 'Ask in Slack', { captureResponder: false }),
	);
	const confirmations = await open('treasury-confirmations.json');
	const sweep = await open('treasury-sweep.json', goLive);
	const approval = await open('treasury-sweep-with-approval.json', (file) => ({
		...withParameters(goLive(file), 'Ask', { captureResponder: false }),
		settings: { ...file.settings, errorWorkflow: confirmations.id },
	}));
	const status = await open('kyc-status-changed.json');
	const upload = await open('kyc-upload.json');
	const reminders = await open('kyc-reminders.json');
	const router = await open('event-router.json', (file) =>
		withWorkflows(file, {
			'Card blocked by velocity': card,
			'Treasury confirmations': confirmations,
			'KYC status changed': status,
		}),
	);
	await writeTable(n8n, 'KYC clients', [
		client(IDS.client, 'Ana Souza', 'ana.souza@example.com'),
		client(IDS.otherClient, 'Grace Hill', 'grace.hill@example.com'),
	]);
	await fillWallets(n8n, timeZone);
	return { card, sweep, approval, confirmations, reminders, upload, status, router };
}

const client = (client_id: string, name: string, email: string) => ({
	client_id,
	name,
	email,
	type: 'individual',
	link: '',
	link_until: '',
});

/** Takes the last steps of the note: allows the recipient and turns *Dry Run* off. */
const goLive = (workflow: WorkflowFile) =>
	withOptions(workflow, 'Transfer', { allowedRecipients: RECIPIENT, dryRun: false });

async function fillWallets(n8n: RunningN8n, timeZone: string): Promise<void> {
	const wallet = {
		account_id: IDS.account,
		token_address: 'native',
		to: RECIPIENT,
		floor: '0.30',
		// The Swedish form of a date is the one of ISO 8601.
		balance_day: new Date().toLocaleDateString('sv', { timeZone }),
	};
	await writeTable(n8n, 'Treasury wallets', [
		{ ...wallet, wallet_id: IDS.wallet, balance: '1000.10' },
	]);
	await writeTable(n8n, 'Wallets to sweep with approval', [
		{ ...wallet, wallet_id: IDS.secondWallet, balance: '2500.30' },
	]);
}

/** Changes the note to say that the workflow is set up. */
function asSetUp(workflow: WorkflowFile): WorkflowFile {
	const nodes = workflow.nodes.map((node) => {
		const { content } = node.parameters as { content?: string };
		if (!content?.startsWith('## Set up')) return node;
		const done = content.replace(
			'\n',
			'\n**Done here, for the simulator. No real money moves.**\n\n',
		);
		return { ...node, parameters: { ...node.parameters, content: done } };
	});
	return { ...workflow, nodes };
}

/** Runs each workflow once to its end; the router passes the events on. */
export function runsOfWorkflows(
	n8n: RunningN8n,
	{ slack, smtp }: { slack: SlackStandIn; smtp: SmtpStandIn },
	flows: BroughtUp,
): Array<[name: string, run: () => Promise<Outcome>]> {
	const message = async (channel: string, beginning: string): Promise<Outcome> => {
		const found = await eventually(async () =>
			slack.messages.find(({ channel: to, text }) => to === channel && text.startsWith(beginning)),
		);
		return { ok: true, text: `Slack ${channel}: ${found.text.replace(/\*/g, '')}` };
	};
	const emit = async (event: object) => {
		const { delivered } = await deliver(event, {
			url: flows.router.url,
			webhookKey: DEFAULT_WEBHOOK_KEY,
			attempts: 1,
		});
		if (!delivered) throw new Error('The event router did not take the event');
	};
	return [
		[
			'Event router → Card blocked by velocity',
			async () => {
				const data = { card_id: IDS.blockedCard };
				await emit(sampleEvent('cards.card_blocked_by_velocity', { data }));
				return await message('#card-blocks', '*Card blocked');
			},
		],
		[
			'… and a click on "Unblock the card"',
			async () => {
				const { buttons } = slack.messages.find((each) => each.buttons.length > 0)!;
				const { url } = buttons.find(({ label }) => label === 'Unblock the card')!;
				await decide(n8n, flows.card, async () => await visit(url));
				await succeeded(n8n, flows.card);
				return await message('#card-blocks', '*Unblocked:*');
			},
		],
		[
			'KYC reminders',
			async () => {
				await runFrom(n8n, flows.reminders, 'Every Monday at 9:00');
				await succeeded(n8n, flows.reminders);
				const [mail] = smtp.mails;
				return { ok: mail !== undefined, text: `Email to ${mail?.to}: ${mail?.subject}` };
			},
		],
		[
			'Treasury sweep',
			async () => {
				await runFrom(n8n, flows.sweep, 'Every day at 18:00');
				await succeeded(n8n, flows.sweep);
				return await message('#treasury', '*Sweep of ');
			},
		],
		[
			'Treasury sweep with approval',
			async () => {
				await runFrom(n8n, flows.approval, 'Every day at 17:00');
				return await message('#treasury-approvals', '*Send this sweep?*');
			},
		],
		[
			'Event router → KYC status changed',
			async () => {
				await emit(sampleEvent('company_activity.client_status'));
				return await message('#kyc', '*Client rejected:*');
			},
		],
		[
			'Event router → Treasury confirmations',
			async () => {
				await emit(sampleEvent('treasury.transfer'));
				return await message('#treasury', '*A transfer that is not one of your sweeps');
			},
		],
	];
}

async function succeeded(n8n: RunningN8n, workflow: TriggerWorkflow): Promise<void> {
	const last = (await endedExecutions(n8n, workflow, 1)).at(-1)!;
	if (last.status === 'success') return;
	const { failure } = await readExecution(n8n, last.id);
	throw new Error(
		`Execution ${last.id} ended with ${last.status}: ${failure.message} ${failure.description}`,
	);
}
