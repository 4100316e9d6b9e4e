import { RECIPIENT } from '../fixtures.mts';
import { executions } from '../n8n/executions.mts';
import { CASES } from './cases.mts';
import { runFrom } from './imported.mts';
import { checkResult, prepare, starterOf, untilEnded } from './runCase.mts';
import {
	asSetUp,
	readWorkflow,
	withParameters,
	withWorkflows,
	type WorkflowFile,
} from './workflowFiles.mts';
import { APPROVER, type WorkflowHarness } from './workflowHarness.mts';

export * from './rows.mts';

export type EveryWorkflow = Awaited<ReturnType<typeof openEveryWorkflow>>;

/**
 * Opens each workflow of `docs/workflows`, set up for the simulator.
 * @param asks parameters of the nodes that ask in Slack
 * @param change of each file
 */
export async function openEveryWorkflow(
	harness: WorkflowHarness,
	asks: object = { approvers: [APPROVER.id] },
	change = (file: WorkflowFile) => file,
) {
	const open = async (name: string, fillIn = (file: WorkflowFile) => file) =>
		await harness.open(name, (file) => change(fillIn(asSetUp(file, RECIPIENT, asks))));
	const card = await open('card-blocked-by-velocity.json');
	const confirmations = await open('treasury-confirmations.json');
	const sweep = await open('treasury-sweep.json');
	const approval = await open('treasury-sweep-with-approval.json');
	const invoices = await open('pay-invoices.json');
	const agent = await open('pay-for-an-agent.json');
	const status = await open('kyc-status-changed.json');
	const upload = await open('kyc-upload.json');
	const reminders = await open('kyc-reminders.json', (file) =>
		withParameters(file, 'Upload form', { url: formOf(harness) }),
	);
	const router = await open('event-router.json', (file) =>
		withWorkflows(file, {
			'Card blocked by velocity': card,
			'Treasury confirmations': confirmations,
			'KYC status changed': status,
		}),
	);
	return {
		card,
		sweep,
		approval,
		invoices,
		agent,
		confirmations,
		reminders,
		upload,
		status,
		router,
	};
}

const formOf = ({ scenario }: WorkflowHarness) => `${scenario.n8n.url}/form/kyc-document`;

/** Runs of the workflows, each from a reset harness. */
export const RUNS = CASES.map(
	({
		file,
		key,
		schedule,
		situations,
	}): [name: string, run: (harness: WorkflowHarness, flows: EveryWorkflow) => Promise<void>] => [
		readWorkflow(file).name,
		async (harness, flows) => {
			const { n8n } = harness.scenario;
			const workflow = flows[key];
			const [usual] = Object.values(situations);
			harness.reset();
			await prepare(harness, usual!);
			const { length } = await executions(n8n, workflow);
			const start = async () => await runFrom(n8n, workflow, schedule!);
			const form = formOf(harness);
			await starterOf(harness, { key, workflow, router: flows.router, start, form })(usual!.event);
			await untilEnded(harness, workflow, length + 1, usual!.press);
			await checkResult(harness, usual!);
		},
	],
);

/** Runs each workflow of `docs/workflows` to its end. @throws Error that names the failing one */
export async function runEveryWorkflow(harness: WorkflowHarness): Promise<void> {
	const flows = await openEveryWorkflow(harness);
	for (const [name, run] of RUNS)
		await run(harness, flows).catch((error: Error) => {
			throw new Error(`${name}: ${error.message}`, { cause: error });
		});
}
