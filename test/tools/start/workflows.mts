import { PEOPLE } from '../../harness/slack/slackStandIn.mts';
import { writeTable } from '../../harness/workflows/dataTables.mts';
import { openEveryWorkflow, type EveryWorkflow } from '../../harness/workflows/everyWorkflow.mts';
import {
	ANA,
	clientRow,
	CLIENTS,
	invoiceRow,
	PAYMENTS,
	walletRow,
	WATCHED,
} from '../../harness/workflows/rows.mts';
import type { WorkflowFile } from '../../harness/workflows/workflowFiles.mts';
import type { WorkflowHarness } from '../../harness/workflows/workflowHarness.mts';
import { IDS } from '../../simulator/index.mts';
import { openPurchases } from './purchases.mts';

/** Workflows of the demo. */
export interface Flows extends EveryWorkflow {
	purchases: EveryWorkflow['router'];
	alarms: EveryWorkflow['router'];
}

/** Day in n8n's time zone as ISO 8601; the Swedish form of a date is that one. */
export const today = (timeZone: string) => new Date().toLocaleDateString('sv', { timeZone });

/** People who may answer the workflows' questions. */
export const APPROVERS = PEOPLE.slice(0, 2);

/**
 * Opens the workflows of `docs/workflows` for a user, and fills their tables.
 * @param timeZone of n8n, for what "today" is
 */
export async function bringUpWorkflows(harness: WorkflowHarness, timeZone: string): Promise<Flows> {
	const { n8n } = harness.scenario;
	const asks = { approvers: APPROVERS.map(({ id }) => id) };
	const flows = await openEveryWorkflow(harness, asks, withNote);
	const grace = { name: 'Grace Hill', email: 'grace.hill@example.com' };
	const { router } = flows;
	const day = { balance_day: today(timeZone) };
	const tables = {
		[CLIENTS]: [clientRow(ANA), clientRow({ client_id: IDS.otherClient, ...grace })],
		'Treasury wallets': [{ ...walletRow(IDS.wallet, '1000.10'), ...day }],
		'Wallets to sweep with approval': [{ ...walletRow(IDS.secondWallet, '2500.30'), ...day }],
		Invoices: [invoiceRow('INV-2026-0017', '125.5')],
		[PAYMENTS]: [],
		[WATCHED]: [
			{ name: 'Event router', workflow_id: router.id, hours: 24, url: router.url, state: '' },
		],
	};
	for (const [name, rows] of Object.entries(tables)) await writeTable(n8n, name, rows);
	const purchases = await openPurchases(n8n, harness.credentials.cardTreasuryApi!);
	return { ...flows, purchases, alarms: await harness.openAlarms() };
}

/** Changes the note to say that the workflow is set up. */
function withNote(workflow: WorkflowFile): WorkflowFile {
	const done = '\n**Done here, for the simulator. No real money moves.**\n\n';
	const nodes = workflow.nodes.map((node) => {
		const { content } = node.parameters as { content?: string };
		if (!content?.startsWith('## Set up')) return node;
		return { ...node, parameters: { ...node.parameters, content: content.replace('\n', done) } };
	});
	return { ...workflow, nodes };
}
