import { PEOPLE } from '../../harness/slack/slackStandIn.mts';
import { decisions, REST } from '../../harness/workflows/cases/cards.mts';
import { writeTable } from '../../harness/workflows/dataTables.mts';
import { openEveryWorkflow, type EveryWorkflow } from '../../harness/workflows/everyWorkflow.mts';
import {
	ANA,
	clientRow,
	CLIENTS,
	invoiceRow,
	PAID,
	walletRow,
	WATCHED,
} from '../../harness/workflows/rows.mts';
import { withNodes, type WorkflowFile } from '../../harness/workflows/workflowFiles.mts';
import type { WorkflowHarness } from '../../harness/workflows/workflowHarness.mts';
import { IDS } from '../../simulator/index.mts';

export interface Flows extends EveryWorkflow {
	alarms: EveryWorkflow['router'];
}

export const APPROVERS = PEOPLE.slice(0, 2);

/** Opens the workflows of `docs/workflows` for a user, and fills their tables. */
export async function bringUpWorkflows(harness: WorkflowHarness): Promise<Flows> {
	const { n8n } = harness.scenario;
	const asks = { approvers: APPROVERS.map(({ id }) => id) };
	const flows = await openEveryWorkflow(harness, asks, withNote);
	const grace = { name: 'Grace Hill', email: 'grace.hill@example.com' };
	const { router } = flows;
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
	return { ...flows, alarms: await harness.openAlarms() };
}

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
