import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { markdownTable } from '../docs/markdownTable.mts';

/** Where the answers of the last run are kept; `npm run test:compat` writes it. */
export const KEPT = join(import.meta.dirname, 'results.json');

/** What one n8n said: an answer per check, in the order in which they were tried. */
export interface HostResult {
	version: string;
	/** Major version of the Node that ran it. */
	node: string;
	answers: Array<{ check: string; answer: string }>;
}

export const keptResults = (): HostResult[] =>
	JSON.parse(readFileSync(KEPT, 'utf8')) as HostResult[];

export function compatTable(results = keptResults()): string {
	const head = ['n8n', 'Node', ...results[0]!.answers.map(({ check }) => check)];
	const rows = results.map(({ version, node, answers }) => [
		version,
		node,
		...answers.map(({ answer }) => answer),
	]);
	return markdownTable(head, rows);
}
