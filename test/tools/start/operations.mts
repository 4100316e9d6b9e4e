import type { INodePropertyOptions } from 'n8n-workflow';

import { CardTreasury } from '../../../nodes/CardTreasury/CardTreasury.node.ts';
import { publishChain, type ChainNode } from '../../harness/n8n/chain.mts';
import type { RunningN8n } from '../../harness/n8n/n8n.mts';
import { cardTreasury } from '../../harness/n8n/nodes.mts';
import type { Reference } from '../../harness/n8n/scenario.mts';
import type { Demo } from './demo.mts';
import type { Outcome } from './report.mts';

/** Runs an operation in a workflow of a webhook and the node. */
export async function runOperation(
	n8n: RunningN8n,
	credential: Reference,
	demo: Demo,
): Promise<Outcome> {
	const { path } = await publishChain(n8n, operationNodes(demo, credential), {
		name: labelOf(demo),
		responseMode: 'lastNode',
	});
	const answer = await fetch(`${n8n.url}/webhook/${path}`, { method: 'POST' });
	return { ok: answer.ok, text: await answer.text() };
}

/** Name in the panel, e.g. `Card: Get`. */
export function labelOf({ resource, operation }: Demo): string {
	const label = (name: string, value: string) =>
		new CardTreasury().description.properties
			.filter((property) => property.name === name)
			.filter(({ displayOptions }) => displayOptions?.show?.resource?.includes(resource) ?? true)
			.flatMap(({ options = [] }) => options as INodePropertyOptions[])
			.find((option) => option.value === value)!.name;
	return `${label('resource', resource)}: ${label('operation', operation)}`;
}

/** The node of the operation, after the nodes that create the file it sends. */
export const operationNodes = (demo: Demo, credential: Reference): ChainNode[] => [
	...('frontImageField' in demo ? IMAGE_NODES : []),
	cardTreasury(demo, credential),
];

/** One-pixel picture as base64, enough for the simulator, which checks only the type. */
export const IMAGE =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const IMAGE_NODES: ChainNode[] = [
	{
		name: 'Image as text',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: {
			assignments: { assignments: [{ id: 'image', name: 'image', value: IMAGE, type: 'string' }] },
			options: {},
		},
	},
	{
		name: 'Convert to File',
		type: 'n8n-nodes-base.convertToFile',
		typeVersion: 1.1,
		parameters: {
			operation: 'toBinary',
			sourceProperty: 'image',
			options: { fileName: 'passport.png', mimeType: 'image/png' },
		},
	},
];
