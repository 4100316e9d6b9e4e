import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { provenance } from '../bench/page.mts';
import { readResults } from '../bench/results.mts';
import { asMarkdown } from '../bench/table.mts';
import type { Verdict } from './verdict.mts';

export const MODES = ['regular', 'queue'] as const;
export type Mode = (typeof MODES)[number];

export const RESULTS = 'soak';
export const RESULTS_FOLDER = join(import.meta.dirname, 'results');

/** What was held against each other in one part of a soak. */
export interface Section extends Verdict {
	title: string;
}

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'soak.md');

const HEAD = [
	'# Soak and crash',
	'<!-- Written by `npm run test:soak` from test/tools/soak/results. Changes made here are lost. -->',
	"Deliveries of all 17 events at 15 per second, a fifth of them repetitions, some forged, some malformed, a tenth and more of them authorizations, by a sender that keeps to the retry rules of the service (§6.4). Meanwhile parts of n8n are killed with SIGKILL, as by a power cut, and started again. Afterwards everything that the sender knows is held against every execution in n8n's database. Then batches of transfers and freezes are cut off by a kill and done again as a user would, with the ledger of the simulated service as witness. With keys of the user's own, all of a batch is carried out in the end; with keys that the node derives, the retry after a crash is refused ([money safety](money-safety.md)), so what was under way stays as the kill left it, for a person to look at.",
	'Where a row says *must be 0*, the run fails otherwise. n8n was started with `N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true`, and with `EXECUTIONS_DATA_PRUNE=false` so that no witness is removed.',
];

const INTRODUCTIONS: Record<Mode, { title: string; text: string }> = {
	regular: {
		title: 'Regular mode: one n8n on SQLite',
		text: 'n8n is killed five times while deliveries come in, and once in each round of writes.',
	},
	queue: {
		title: 'Queue mode',
		text: 'One main process, two workers, two webhook processes behind nginx with path affinity, PostgreSQL and Redis. Each of these but the main process and nginx is killed once while deliveries come in, and a worker in each round of writes. What [scaling](scaling.md) says of a killed worker can be seen here in figures.',
	},
};

export function renderPage(): string {
	const results = readResults(RESULTS, RESULTS_FOLDER);
	const modes = MODES.flatMap((mode) => {
		const result = results[mode];
		if (result === undefined) return [];
		const { title, text } = INTRODUCTIONS[mode];
		return [
			`## ${title}`,
			text,
			...(result.measured as Section[]).map(asTable),
			provenance([result]),
		];
	});
	return `${[...HEAD, ...(modes.length > 0 ? modes : ['No run has been kept yet.'])].join('\n\n')}\n`;
}

export function writePage(): void {
	writeFileSync(PAGE, renderPage());
}

function asTable({ title, facts, faults }: Section): string {
	const rows = facts.map(([what, value]) => [what, value]);
	const table = asMarkdown({ caption: title, headings: ['', ''], rows });
	return faults.length === 0
		? table
		: [table, '', '**Faults**', '', ...faults.map((fault) => `- ${fault}`)].join('\n');
}
