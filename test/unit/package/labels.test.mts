import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CardTreasuryApi } from '../../../credentials/CardTreasuryApi.credentials.ts';
import { CardTreasury } from '../../../nodes/CardTreasury/CardTreasury.node.ts';
import { CardTreasuryTrigger } from '../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/**
 * Labels that the pages tell readers to look for. Written by hand, because the generated pages follow a label that was
 * changed by mistake.
 */
const NAMED = [
	...['Allowed Recipients', 'Dry Run', 'Idempotency Key', 'Maximum Amount', 'Maximum Total'],
	...['Maximum Transfers', 'Once per Day', 'Only in Environment', 'Payment Reference'],
	...['Endpoint Path', 'From Date', 'Query Parameters', 'Ramp Transfer ID', 'To Date'],
	...['Requests per Second', 'Transaction Types'],
	...['Calculate Sweep', 'Download Statement', 'Get Missing Requirements', 'Submit Document'],
	...['Amount From', 'Ask the Workflow', 'Decline All', 'Default Decision', 'Other Code'],
	...['IP Allowlist', 'Ignore Duplicates', 'Sample Changes', 'Sample Status', 'Test With'],
	...['Wait for a Real Event', 'Cards: Cleared'],
	...['Base URL', 'Idempotency Window (Hours)', 'Previous Webhook Key', 'Webhook Key'],
	...['Respond to card authorization'],
];

/** Labels and actions of the panels, at any depth. */
function labelsIn(part: unknown): string[] {
	if (Array.isArray(part)) return part.flatMap(labelsIn);
	if (typeof part !== 'object' || part === null) return [];
	const { displayName, name, action, options, values, properties } = part as Record<
		string,
		unknown
	>;
	const own = [displayName, name, action].filter((text) => typeof text === 'string');
	return [...own, ...[options, values, properties].flatMap(labelsIn)];
}

/** Pages without their generated parts. */
const pages = [
	'README.md',
	'SECURITY.md',
	...readdirSync(join(ROOT, 'docs')).map((file) => `docs/${file}`),
]
	.filter((file) => file.endsWith('.md'))
	.map((file) => readFileSync(join(ROOT, file), 'utf8'))
	.join('\n')
	.replace(/<!-- (\w+): generated [\s\S]*?<!-- \/\1 -->/g, '');

const labels = new Set(
	[
		new CardTreasury().description,
		new CardTreasuryTrigger().description,
		new CardTreasuryApi(),
	].flatMap(labelsIn),
);

it.each(NAMED)('the label %s is in a panel, and a page names it', (label) => {
	expect(labels).toContain(label);
	expect(pages).toMatch(new RegExp(`[*_]${label.replace(/[()]/g, '\\$&')}[*_]`));
});
