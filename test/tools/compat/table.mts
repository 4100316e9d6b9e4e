import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { markdownTable } from '../docs/markdownTable.mts';

/** Results of the last run, written by `npm run test:compat`. */
export const KEPT = join(import.meta.dirname, 'results.json');

/** Results of one n8n, one per check in the order they ran. */
export interface HostResult {
	version: string;
	/** Major version of Node. */
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
