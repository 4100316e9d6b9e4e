import { withBlock } from '../docs/generatedBlock.mts';
import { CHECKS } from './checks.mts';

/** What one n8n said: an answer per check, in their order. */
export interface HostResult {
	version: string;
	/** Major version of the Node that ran it. */
	node: string;
	answers: string[];
}

export function compatTable(results: HostResult[]): string {
	const head = ['n8n', 'Node', ...CHECKS.map(({ title }) => title)];
	const rows = results.map(({ version, node, answers }) => [version, node, ...answers]);
	return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** @throws Error when the document has no place for the table */
export function withCompatTable(readme: string, results: HostResult[]): string {
	return withBlock(readme, { name: 'compatibility', command: 'npm run test:compat', content: compatTable(results) });
}
