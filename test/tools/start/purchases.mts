import type { Reference } from '../../harness/n8n/credentials.mts';
import type { N8nAccess } from '../../harness/n8n/n8n.mts';
import { cardTreasuryTrigger, nodeOf, respond } from '../../harness/n8n/nodes.mts';
import { publish, saveWorkflow, type TriggerWorkflow } from '../../harness/n8n/workflows.mts';

const upTo = (amountTo: string) => ({ amountTo, currencies: 'USD' });
const RULES = [
	{ name: 'No gambling', decision: 'decline', conditions: { mccCodes: '7800-7802, 7995' } },
	{ name: 'Small purchases', decision: 'approve', conditions: upTo('250.00') },
	{ name: 'Large purchases', decision: 'ask', conditions: upTo('1000.00') },
];

const IS_ASKED = nodeOf('Asked?', 'filter', 2.2, {
	conditions: {
		options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
		combinator: 'and',
		conditions: [
			{
				...{ id: 'asked', leftValue: '={{ $json.decision.outcome }}', rightValue: 'asked' },
				operator: { type: 'string', operation: 'equals' },
			},
		],
	},
});

/** Workflow that decides purchases: by rules, or by its own steps where a rule asks. */
export async function openPurchases(
	n8n: N8nAccess,
	credential: Reference,
): Promise<TriggerWorkflow> {
	const webhookId = 'console-purchases';
	const events = ['cards.authorization'];
	const trigger = cardTreasuryTrigger(credential, { events, rules: { rule: RULES } });
	const nodes = [{ ...trigger, webhookId }, IS_ASKED, respond(credential)];
	const wire = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
	const connections = { [trigger.name]: wire('Asked?'), 'Asked?': wire('Respond') };
	const workflow = await saveWorkflow(n8n, 'Purchases', nodes, connections);
	await publish(n8n, workflow);
	const at = (kind: string) => `${n8n.url}/${kind}/${webhookId}/webhook`;
	return { ...workflow, url: at('webhook'), testUrl: at('webhook-test') };
}
