import { RECIPIENT } from '../fixtures.mts';
import type { TriggerWorkflow } from '../n8n/workflows.mts';
import { caseOf } from './cases.mts';
import type { Case } from './cases/case.mts';
import { asSetUp, withParameters, withWorkflows, type WorkflowFile } from './workflowFiles.mts';
import type { WorkflowHarness } from './workflowHarness.mts';

export type EveryWorkflow = Record<Case['key'], TriggerWorkflow>;

/**
 * Opens each workflow of `docs/workflows` for the demo, set up for the simulator.
 * @param asks parameters of the nodes that ask in Slack
 * @param change of each file
 */
export async function openEveryWorkflow(
	harness: WorkflowHarness,
	asks: object,
	change: (file: WorkflowFile) => WorkflowFile,
): Promise<EveryWorkflow> {
	const form = { url: `${harness.scenario.n8n.url}/form/kyc-document` };
	// Any URL that stays the same at the next start.
	const monitor = { url: harness.simulator.url };
	const open = async (key: Case['key'], fillIn = (file: WorkflowFile) => file) =>
		await harness.open(caseOf(key).file, (file) => change(fillIn(asSetUp(file, RECIPIENT, asks))));
	const card = await open('card');
	const pay = await open('pay');
	const tell = await open('tell');
	const paying = (file: WorkflowFile) => withWorkflows(file, { Pay: pay, Tell: tell });
	const confirmations = await open('confirmations');
	const status = await open('status');
	return {
		card,
		pay,
		tell,
		confirmations,
		status,
		sweep: await open('sweep', (file) =>
			withWorkflows(file, { Pay: pay, 'Pay after a yes': pay, Tell: tell }),
		),
		invoices: await open('invoices', paying),
		agent: await open('agent', (file) => withWorkflows(file, { Pay: pay })),
		month: await open('month'),
		purchases: await open('purchases'),
		upload: await open('upload'),
		followUp: await open('followUp', (file) => withParameters(file, 'Upload form', form)),
		watch: await open('watch', (file) => withParameters(file, 'Ping the monitor', monitor)),
		router: await open('router', (file) =>
			withWorkflows(file, {
				'Card blocked by velocity': card,
				'Treasury confirmations': confirmations,
				'KYC status changed': status,
			}),
		),
	};
}
