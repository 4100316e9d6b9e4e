import { RECIPIENT } from '../fixtures.mts';
import { asSetUp, withParameters, withWorkflows, type WorkflowFile } from './workflowFiles.mts';
import type { WorkflowHarness } from './workflowHarness.mts';

export type EveryWorkflow = Awaited<ReturnType<typeof openEveryWorkflow>>;

/**
 * Opens each workflow of `docs/workflows` for the demo, set up for the simulator.
 * @param asks parameters of the nodes that ask in Slack
 * @param change of each file
 */
export async function openEveryWorkflow(
	harness: WorkflowHarness,
	asks: object,
	change: (file: WorkflowFile) => WorkflowFile,
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
		withParameters(file, 'Upload form', { url: `${harness.scenario.n8n.url}/form/kyc-document` }),
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
