import type { N8nAccess } from '../../harness/n8n/n8n.mts';
import {
	cardTreasuryTrigger,
	publish,
	respond,
	type Reference,
} from '../../harness/n8n/scenario.mts';
import { importWorkflow } from '../../harness/workflows/imported.mts';
import type { WorkflowFile } from '../../harness/workflows/workflowFiles.mts';

const RULES = [
	{ name: 'No gambling', decision: 'decline', conditions: { mccCodes: '7800-7802, 7995' } },
	{
		name: 'Small purchases',
		decision: 'approve',
		conditions: { amountTo: '250.00', currencies: 'USD' },
	},
];

/** Workflow that decides purchases: by rules, or by its own steps where a rule asks. */
export async function openPurchases(n8n: N8nAccess, credential: Reference) {
	const trigger = cardTreasuryTrigger(credential, {
		events: ['cards.authorization'],
		rules: { rule: RULES },
	});
	const nodes = [
		{ ...trigger, id: 'trigger', position: [0, 0], webhookId: 'console-purchases' },
		{ ...respond(credential), id: 'respond', position: [300, 0] },
	];
	const workflow = await importWorkflow(n8n, {
		name: 'Purchases',
		nodes,
		connections: {},
		settings: { executionOrder: 'v1', saveDataSuccessExecution: 'all' },
		pinData: {},
	} as unknown as WorkflowFile);
	await publish(n8n, workflow);
	return workflow;
}
