import { RECIPIENT } from '../../harness/fixtures.mts';
import { PEOPLE } from '../../harness/slack/slackStandIn.mts';
import { decisions, REST } from '../../harness/workflows/cases/cards.mts';
import { writeTable } from '../../harness/workflows/dataTables.mts';
import {
	ANA,
	clientRow,
	CLIENTS,
	invoiceRow,
	PAID,
	walletRow,
	WATCHED,
} from '../../harness/workflows/rows.mts';
import {
	asSetUp,
	withNodes,
	withParameters,
	withWorkflows,
	type WorkflowFile,
} from '../../harness/workflows/workflowFiles.mts';
import type { WorkflowHarness } from '../../harness/workflows/workflowHarness.mts';
import { IDS } from '../../simulator/index.mts';

export type Flows = Awaited<ReturnType<typeof bringUpWorkflows>>;

export const APPROVERS = PEOPLE.slice(0, 2);

/** Opens the workflows of `docs/workflows` for a user, and fills their tables. */
export async function bringUpWorkflows(harness: WorkflowHarness) {
	const { n8n } = harness.scenario;
	const approvers = APPROVERS.map(({ id }) => id);
	const open = async (name: string, fillIn = (file: WorkflowFile) => file) =>
		await harness.open(`${name}.json`, (file) =>
			withNote(fillIn(asSetUp(file, RECIPIENT, { approvers }))),
		);
	const form = { url: `${n8n.url}/form/kyc-document` };
	const monitor = { url: harness.simulator.url };
	const card = await open('card-blocked-by-velocity');
	const pay = await open('pay');
	const tell = await open('tell-payments');
	const confirmations = await open('treasury-confirmations');
	const status = await open('kyc-status-changed');
	const paying = { Pay: pay, Tell: tell };
	const flows = {
		...{ card, pay, tell, confirmations, status },
		sweep: await open('treasury-sweep', (file) =>
			withWorkflows(file, { ...paying, 'Pay after a yes': pay }),
		),
		invoices: await open('pay-invoices', (file) => withWorkflows(file, paying)),
		agent: await open('pay-for-an-agent', (file) => withWorkflows(file, { Pay: pay })),
		month: await open('payments-of-the-month', untilNow),
		purchases: await open('decide-purchases'),
		upload: await open('kyc-upload'),
		followUp: await open('kyc-follow-up', (file) => withParameters(file, 'Upload form', form)),
		watch: await open('watch', (file) => withParameters(file, 'Ping the monitor', monitor)),
		router: await open('event-router', (file) =>
			withWorkflows(file, {
				'Card blocked by velocity': card,
				'Treasury confirmations': confirmations,
				'KYC status changed': status,
			}),
		),
		alarms: await harness.openAlarms(),
	};
	const { router } = flows;
	const grace = { name: 'Grace Hill', email: 'grace.hill@example.com' };
	const tables = {
		[CLIENTS]: [clientRow(ANA), clientRow({ client_id: IDS.otherClient, ...grace })],
		'Treasury wallets': [walletRow('450.5', { reader: `${harness.simulator.url}/chain/rpc` })],
		Invoices: [invoiceRow('INV-2026-0017', '125.5')],
		[PAID]: [],
		...decisions(REST),
		[WATCHED]: [
			{ name: 'Event router', workflow_id: router.id, hours: 24, url: router.url, state: '' },
		],
	};
	for (const [name, rows] of Object.entries(tables)) await writeTable(n8n, name, rows);
	return flows;
}

/** Lets the month end now, because a user of the demo pays today. */
const untilNow = (workflow: WorkflowFile) =>
	withNodes(workflow, ({ name, parameters }) => {
		const text = JSON.stringify(parameters).replace('$today', '$now');
		return name === 'Rows' && { parameters: JSON.parse(text) as object };
	});

/** Changes the note to say that the workflow is set up, and lets a block be asked about at once: here it is the only one. */
function withNote(workflow: WorkflowFile): WorkflowFile {
	const done = '\n**Done here, for the simulator. No real money moves.**\n\n';
	return withNodes(workflow, ({ name, parameters }) => {
		const { content } = parameters as { content?: string };
		if (name === 'In its turn') return { parameters: { amount: 1, unit: 'seconds' } };
		if (!content?.startsWith('## Set up')) return undefined;
		return { parameters: { ...parameters, content: content.replace('\n', done) } };
	});
}
