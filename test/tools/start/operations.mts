import type { Reference } from '../../harness/n8n/credentials.mts';
import type { N8nAccess } from '../../harness/n8n/n8n.mts';
import { cardTreasury, code } from '../../harness/n8n/nodes.mts';
import { publishChain, type ChainNode } from '../../harness/n8n/workflows.mts';
import { OPERATION_SAMPLES, sampleOf } from '../../samples/operations.mts';

export type Demo = Record<string, unknown> & { resource: string; operation: string };

/** Demo runs of every operation that needs no trigger: the samples, with the day of today. */
export const DEMOS: Demo[] = Object.entries(OPERATION_SAMPLES)
	.filter(([name]) => !name.startsWith('authorization: '))
	.map(([name, { given }]) => {
		const today = 'balanceDay' in given && { balanceDay: '={{ $now.toISODate() }}' };
		return sampleOf(name, { ...today });
	});

/** Runs an operation in a workflow of a webhook and the node, and returns its first item. @throws if it fails */
export async function runOperation(n8n: N8nAccess, credential: Reference, demo: Demo) {
	const nodes = operationNodes(demo, credential);
	const { url } = await publishChain(n8n, nodes, { responseMode: 'lastNode' });
	const answer = await fetch(url, { method: 'POST' });
	const text = await answer.text();
	if (!answer.ok) throw new Error(text);
	return text;
}

/** The node of the operation, after the node that creates the file it sends. */
export const operationNodes = (demo: Demo, credential: Reference): ChainNode[] => [
	...('frontImageField' in demo ? [IMAGE_NODE] : []),
	cardTreasury(demo, credential),
];

/** One-pixel picture as base64, enough for the simulator, which checks only the type. */
export const IMAGE =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const FILE = { data: IMAGE, mimeType: 'image/png', fileName: 'passport.png' };
const IMAGE_NODE = code(
	'Passport',
	`return [{ json: {}, binary: { data: ${JSON.stringify(FILE)} } }];`,
);
