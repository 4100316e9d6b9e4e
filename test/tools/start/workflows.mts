import { writeTable } from '../../harness/workflows/dataTables.mts';
import {
	ANA,
	openEveryWorkflow,
	walletRow,
	type EveryWorkflow,
} from '../../harness/workflows/everyWorkflow.mts';
import type { WorkflowFile } from '../../harness/workflows/workflowFiles.mts';
import type { WorkflowHarness } from '../../harness/workflows/workflowHarness.mts';
import { IDS } from '../../simulator/index.mts';

/**
 * Opens the workflows of `docs/workflows` for a user, and fills their tables.
 * @param timeZone of n8n, for what "today" is
 */
export async function bringUpWorkflows(
	harness: WorkflowHarness,
	timeZone: string,
): Promise<EveryWorkflow> {
	const { n8n } = harness.scenario;
	// The buttons are links, because nobody can click in a terminal.
	const flows = await openEveryWorkflow(harness, { captureResponder: false }, asSetUp);
	const client = { type: 'individual', link: '', link_until: '' };
	const grace = { name: 'Grace Hill', email: 'grace.hill@example.com' };
	await writeTable(n8n, 'KYC clients', [
		{ ...ANA, ...client },
		{ client_id: IDS.otherClient, ...grace, ...client },
	]);
	// The Swedish form of a date is the one of ISO 8601.
	const today = { balance_day: new Date().toLocaleDateString('sv', { timeZone }) };
	await writeTable(n8n, 'Treasury wallets', [{ ...walletRow(IDS.wallet, '1000.10'), ...today }]);
	await writeTable(n8n, 'Wallets to sweep with approval', [
		{ ...walletRow(IDS.secondWallet, '2500.30'), ...today },
	]);
	return flows;
}

/** Changes the note to say that the workflow is set up. */
function asSetUp(workflow: WorkflowFile): WorkflowFile {
	const done = '\n**Done here, for the simulator. No real money moves.**\n\n';
	const nodes = workflow.nodes.map((node) => {
		const { content } = node.parameters as { content?: string };
		if (!content?.startsWith('## Set up')) return node;
		return { ...node, parameters: { ...node.parameters, content: content.replace('\n', done) } };
	});
	return { ...workflow, nodes };
}
