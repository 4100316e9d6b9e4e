import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { compatTable } from '../compat/table.mts';
import { eventSamples } from './eventSamples.mts';
import { withBlock } from './generatedBlock.mts';
import { messageTables } from './messages.mts';
import { operationPages } from './operationPages.mts';
import { operationsTable } from './operationsTable.mts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Parts of the docs that are made from the source. */
export const BLOCKS: Array<{ file: string; name: string; content: () => string }> = [
	{ file: 'README.md', name: 'operations', content: operationsTable },
	{ file: 'README.md', name: 'compatibility', content: () => compatTable() },
	{ file: 'docs/operations.md', name: 'operations', content: operationPages },
	{ file: 'docs/events.md', name: 'events', content: eventSamples },
	{ file: 'docs/troubleshooting.md', name: 'messages', content: messageTables },
];

/** A document as it is, and as it should be. */
export function compared({ file, name, content }: (typeof BLOCKS)[number]): {
	is: string;
	shouldBe: string;
	path: string;
} {
	const path = join(ROOT, file);
	const is = readFileSync(path, 'utf8');
	return {
		is,
		shouldBe: withBlock(is, { name, command: 'npm run docs', content: content() }),
		path,
	};
}

/** Brings every document up to date. */
export function writeBlocks(): void {
	for (const block of BLOCKS) {
		const { path, shouldBe } = compared(block);
		writeFileSync(path, shouldBe);
	}
}
