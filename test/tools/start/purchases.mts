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
	{
		name: 'Large purchases',
		decision: 'ask',
		conditions: { amountTo: '1000.00', currencies: 'USD' },
	},
];

const IS_ASKED = {
	name: 'Asked?',
	type: 'n8n-nodes-base.filter',
	typeVersion: 2.2,
	parameters: {
		conditions: {
			options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
			combinator: 'and',
			conditions: [
				{
					id: 'asked',
					leftValue: '={{ $json.decision.outcome }}',
					rightValue: 'asked',
					operator: { type: 'string', operation: 'equals' },
				},
			],
		},
		options: {},
	},
};

/** Workflow that decides purchases: by rules, or by its own steps where a rule asks. */
export async function openPurchases(n8n: N8nAccess, credential: Reference) {
	const trigger = cardTreasuryTrigger(credential, {
		events: ['cards.authorization'],
		rules: { rule: RULES },
	});
	const nodes = [
		{ ...trigger, id: 'trigger', position: [0, 0], webhookId: 'console-purchases' },
		{ ...IS_ASKED, id: 'asked', position: [260, 0] },
		{ ...respond(credential), id: 'respond', position: [520, 0] },
	];
	const wire = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
	const workflow = await importWorkflow(n8n, {
		name: 'Purchases',
		nodes,
		connections: { [trigger.name]: wire('Asked?'), 'Asked?': wire('Respond') },
		settings: { executionOrder: 'v1', saveDataSuccessExecution: 'all' },
		pinData: {},
	} as unknown as WorkflowFile);
	await publish(n8n, workflow);
	return workflow;
}
