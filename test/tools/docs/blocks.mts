import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { compatTable } from '../compat/table.mts';
import { eventSamples, eventsTable } from './eventSamples.mts';
import { withBlock } from './generatedBlock.mts';
import { operationPages } from './operationPages.mts';
import { operationsTable } from './operationsTable.mts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Parts of the docs that are made from what the code exports. */
export const BLOCKS: Array<{
	file: string;
	name: string;
	content: () => string | Promise<string>;
}> = [
	{ file: 'README.md', name: 'operations', content: operationsTable },
	{ file: 'README.md', name: 'events', content: eventsTable },
	{ file: 'README.md', name: 'compatibility', content: () => compatTable() },
	{ file: 'docs/operations.md', name: 'operations', content: operationPages },
	{ file: 'docs/events.md', name: 'events', content: eventSamples },
];

/** A document as it is, and as it should be. */
export async function compared({ file, name, content }: (typeof BLOCKS)[number]): Promise<{
	is: string;
	shouldBe: string;
	path: string;
}> {
	const path = join(ROOT, file);
	const is = readFileSync(path, 'utf8');
	return {
		is,
		shouldBe: withBlock(is, { name, command: 'npm run docs', content: await content() }),
		path,
	};
}

export async function writeBlocks(): Promise<void> {
	// All contents first, so that a failure leaves every page as it was.
	const contents = await Promise.all(BLOCKS.map(async ({ content }) => await content()));
	for (const [index, block] of BLOCKS.entries()) {
		const { path, shouldBe } = await compared({ ...block, content: () => contents[index]! });
		writeFileSync(path, shouldBe);
	}
}
