import { eventsReference } from './eventSamples.mts';
import { operationPages, operationsTable } from './operations.mts';
import type { Block } from './page.mts';

/** Parts of the docs that `npm run docs` writes. */
export const BLOCKS: Block[] = [
	{ file: 'README.md', name: 'operations', content: operationsTable },
	{ file: 'docs/operations.md', name: 'operations', content: operationPages },
	{ file: 'docs/events.md', name: 'events', content: eventsReference },
];
