import type { Reference } from '../../harness/n8n/credentials.mts';
import type { N8nAccess } from '../../harness/n8n/n8n.mts';
import { cardTreasuryTrigger, nodeOf, respond } from '../../harness/n8n/nodes.mts';
import { publishTrigger } from '../../harness/n8n/workflows.mts';

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
export async function openPurchases(n8n: N8nAccess, credential: Reference) {
	const events = ['cards.authorization'];
	const trigger = cardTreasuryTrigger(credential, { events, rules: { rule: RULES } });
	const named = { ...trigger, webhookId: 'console-purchases' };
	return await publishTrigger(n8n, named, [[IS_ASKED, respond(credential)]], { name: 'Purchases' });
}
