import type { RunningN8n } from '../n8n/n8n.mts';
import type { Reference } from '../n8n/scenario.mts';
import { IMAGE, type Demo } from './demo.mts';
import type { Outcome } from './report.mts';

/** Runs one operation: in a workflow of a webhook and the node, which calling the webhook runs. */
export async function runOperation(n8n: RunningN8n, credential: Reference, demo: Demo): Promise<Outcome> {
	const path = `demo-${demo.resource}-${demo.operation}`;
	const workflow = await n8n.rest('POST', '/rest/workflows', {
		name: `Demo: ${demo.resource} ${demo.operation}`,
		active: false,
		settings: {},
		...inARow([webhook(path), ...(demo.withImage ? IMAGE_NODES : []), service(demo, credential)]),
	});
	await n8n.rest('POST', `/rest/workflows/${String(workflow.id)}/activate`, { versionId: workflow.versionId });
	// n8n registers the webhook a moment after it reports the workflow active.
	for (let tries = 1; ; tries++) {
		const answer = await fetch(`${n8n.url}/webhook/${path}`);
		const text = await answer.text();
		if (answer.status !== 404 || tries >= 20) return { ok: answer.status === 200, text };
		await new Promise((resolve) => setTimeout(resolve, 250));
	}
}

type Node = { name: string; type: string; typeVersion: number; parameters: object; [field: string]: unknown };

const webhook = (path: string): Node => ({
	name: 'Webhook', type: 'n8n-nodes-base.webhook', typeVersion: 2, webhookId: path, parameters: { path, responseMode: 'lastNode', options: {} },
});

const IMAGE_NODES: Node[] = [
	{
		name: 'Image as text', type: 'n8n-nodes-base.set', typeVersion: 3.4,
		parameters: { assignments: { assignments: [{ id: 'image', name: 'image', value: IMAGE, type: 'string' }] }, options: {} },
	},
	{
		name: 'Convert to File', type: 'n8n-nodes-base.convertToFile', typeVersion: 1.1,
		parameters: { operation: 'toBinary', sourceProperty: 'image', options: { fileName: 'passport.png', mimeType: 'image/png' } },
	},
];

const service = ({ resource, operation, parameters }: Demo, credential: Reference): Node => ({
	name: 'Card Treasury', type: 'n8n-nodes-card-treasury.cardTreasury', typeVersion: 1,
	parameters: { resource, operation, ...parameters },
	credentials: { cardTreasuryApi: credential },
});

function inARow(row: Node[]): { nodes: object[]; connections: object } {
	const nodes = row.map((node, index) => ({ id: String(index), position: [index * 240, 0], ...node }));
	const wires = row.slice(1).map(({ name }, index) => [row[index]!.name, { main: [[{ node: name, type: 'main', index: 0 }]] }]);
	return { nodes, connections: Object.fromEntries(wires) as object };
}
