import { RECIPIENT } from '../../harness/fixtures.mts';
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

/** Where the demo's sweeps go: the one address that *Allowed Recipients* is filled in with. */
const TREASURY = RECIPIENT;

/** The workflows of `docs/workflows`, filled in for the simulator and published. */
export interface BroughtUp {
	velocity: TriggerWorkflow;
	kyc: TriggerWorkflow;
	sweep: TriggerWorkflow;
	router: TriggerWorkflow;
}

/** @param timeZone of n8n, for what "today" is */
export async function bringUpWorkflows(
	n8n: RunningN8n,
	credentials: Record<string, Reference>,
	timeZone: string,
): Promise<BroughtUp> {
	const open = async (file: string, fillIn = (workflow: WorkflowFile) => workflow) => {
		const workflow = await importWorkflow(
			n8n,
			asDemo(fillIn(withCredentials(readWorkflow(file), credentials))),
		);
		await publish(n8n, workflow);
		return workflow;
	};
	// Nobody can click in a terminal, so the buttons are links there.
	const velocity = await open('card-blocked-by-velocity.json', (file) =>
		['Ask a person', 'Ask again', 'Ask about the list'].reduce(
			(filled, name) => withParameters(filled, name, { captureResponder: false }),
			file,
		),
	);
	const kyc = await open('kyc-follow-up.json');
	const sweep = await open('treasury-sweep.json', goLive);
	const chosen = {
		'Card blocked by velocity': velocity,
		'KYC follow-up': kyc,
		'Treasury sweep': sweep,
	};
	const router = await open('event-router.json', (file) => withWorkflows(file, chosen));
	await fillTables(n8n, timeZone);
	return { velocity, kyc, sweep, router };
}

/** With a name and tables of its own, so that what a user imports besides starts with empty tables, as its note says. */
function asDemo(workflow: WorkflowFile): WorkflowFile {
	const tables = workflow.nodes.flatMap(({ parameters }) => parameters.tableName ?? []) as string[];
	const renamed = tables.reduce(
		(text, table) => text.replaceAll(table, demoName(table)),
		// Two published forms cannot share a path.
		JSON.stringify(workflow).replaceAll('kyc-document', 'demo-kyc-document'),
	);
	const steps = '## Set up in 5 steps\\n';
	const said = renamed.replace(
		steps,
		`${steps}**Done in this copy, for the simulator: its tables are filled, and nothing is a dry run. No real money moves.**\\n\\n`,
	);
	return { ...(JSON.parse(said) as WorkflowFile), name: demoName(workflow.name) };
}

const demoName = (name: string) => `Demo: ${name}`;

/** The last two steps of the sticky note: who may receive money, and no dry run any more. */
function goLive(workflow: WorkflowFile): WorkflowFile {
	return withOptions(workflow, 'Transfer', { allowedRecipients: TREASURY, dryRun: false });
}

async function fillTables(n8n: RunningN8n, timeZone: string): Promise<void> {
	await writeTable(n8n, demoName('KYC clients to follow'), [
		{ client_id: IDS.client, name: 'Ana Souza', email: 'ana.souza@example.com' },
		{ client_id: IDS.otherClient, name: 'Grace Hill', email: '' },
	]);
	// The Swedish form of a date is the one of ISO 8601.
	const today = new Date().toLocaleDateString('sv', { timeZone });
	const wallet = {
		account_id: IDS.account,
		token_address: 'native',
		to: TREASURY,
		maximum: '5000',
		ask_above: '',
		balance_day: today,
	};
	await writeTable(n8n, demoName('Treasury sweep wallets'), [
		{ ...wallet, wallet_id: IDS.wallet, floor: '0.30', balance: '1000.10' },
		{ ...wallet, wallet_id: IDS.secondWallet, floor: '100', balance: '75.25' },
	]);
}

/** Runs each workflow once to its end; the router is what hands the two events over. */
export function runsOfWorkflows(
	n8n: RunningN8n,
	{ slack, smtp }: { slack: SlackStandIn; smtp: SmtpStandIn },
	flows: BroughtUp,
): Array<[name: string, run: () => Promise<Outcome>]> {
	const message = async (channel: string, ...beginnings: string[]): Promise<Outcome> => {
		const found = await eventually(async () =>
			slack.messages.find(
				({ channel: to, text }) =>
					to === channel && beginnings.some((beginning) => text.startsWith(beginning)),
			),
		);
		return { ok: true, text: `Slack ${channel}: ${found.text.replace(/\*/g, '')}` };
	};
	const scheduled = async (workflow: TriggerWorkflow, schedule: string) => {
		await runFrom(n8n, workflow, schedule);
		await succeeded(n8n, workflow);
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
			'KYC follow-up, by schedule',
			async () => {
				await scheduled(flows.kyc, 'Every weekday at 9:00');
				const [mail] = smtp.mails;
				return { ok: mail !== undefined, text: `Email to ${mail?.to}: ${mail?.subject}` };
			},
		],
		[
			'Scheduled treasury sweep',
			async () => {
				await scheduled(flows.sweep, 'Every day at 18:00');
				// Where the event is faster than the answer is written down, the confirmation alone is told.
				return await message('#treasury', 'Swept 999.8', 'Confirmed: 999.8');
			},
		],
		[
			'Event router → Scheduled treasury sweep',
			// The simulator sends the event of the transfer by itself.
			async () => await message('#treasury', 'Confirmed: 999.8'),
		],
		[
			'Event router → KYC follow-up',
			async () => {
				await emit(sampleEvent('company_activity.client_status'));
				return await message('@kyc-officer', '*Client rejected:*');
			},
		],
		[
			'Event router → Card blocked by velocity',
			async () => {
				await emit(
					sampleEvent('cards.card_blocked_by_velocity', { data: { card_id: IDS.blockedCard } }),
				);
				return await message('#card-blocks', '*Card blocked');
			},
		],
		[
			'… and a click on "Unblock the card"',
			async () => {
				const { buttons } = slack.messages.find((each) => each.buttons.length > 0)!;
				const { url } = buttons.find(({ label }) => label === 'Unblock the card')!;
				await decide(n8n, flows.velocity, async () => await visit(url));
				await succeeded(n8n, flows.velocity);
				return await message('#card-blocks', 'Card ••••');
			},
		],
	];
}

async function succeeded(n8n: RunningN8n, workflow: TriggerWorkflow): Promise<void> {
	const last = (await endedExecutions(n8n, workflow, 1)).at(-1)!;
	if (last.status !== 'success') throw new Error(`Execution ${last.id} ended with ${last.status}`);
}
