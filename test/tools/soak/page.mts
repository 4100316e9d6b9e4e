import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { provenance } from '../bench/page.mts';
import { readResults } from '../bench/results.mts';
import { summaryOf } from './summary.mts';
import type { Verdict } from './verdict.mts';

export const MODES = ['regular', 'queue'] as const;
export type Mode = (typeof MODES)[number];

export const RESULTS = 'soak';
export const RESULTS_FOLDER = join(import.meta.dirname, 'results');

/** What was compared in one part of a soak. */
export interface Section extends Verdict {
	title: string;
}

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'evidence', 'soak.md');

const HEAD = [
	'# Soak and crash',
	'<!-- Written by `npm run test:soak` from test/tools/soak/results. Changes made here are lost. -->',
	'Two questions: is an event lost or run twice when n8n is killed while events come in, and does money move twice when n8n is killed while it sends? Each part is killed with SIGKILL, which is what a power cut does to it, and started again.',
	"**Deliveries.** A sender that keeps to the retry rules of the service (§6.4) sends events of every kind at 15 per second (unless the command below says otherwise): repetitions, authorizations, forged and malformed ones among them. Afterwards, everything the sender knows is compared with every execution in n8n's database.",
	"**Writes.** Batches of transfers and freezes are cut off by a kill, and then retried as a user would retry them. The ledger of the simulated service shows what was executed. With idempotency keys of the user's own, the whole batch is executed in the end. With keys that the node derives, the retry after a crash is refused ([money safety](../money-safety.md)), so the batch stays as the kill left it until a person has looked at it.",
	'A run fails when a row that says *must be 0* is not 0. n8n ran with `N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true`, and with `EXECUTIONS_DATA_PRUNE=false`, so that no execution is removed before it is counted.',
];

const INTRODUCTIONS: Record<Mode, { title: string; text: string }> = {
	regular: {
		title: 'Regular mode: one n8n on SQLite',
		text: 'n8n is killed five times while deliveries come in, and once in each round of writes. After two crashes in quick succession n8n 2.41 can end by itself while it starts: it cannot recover an execution that the second one has cut off before it was noted when it started ([known to n8n](https://github.com/n8n-io/n8n/issues/22064)). The next start leaves that out, and succeeds. So n8n is started again, as Docker or systemd do where they are told to; the tables count how often.',
	},
	queue: {
		title: 'Queue mode',
		text: 'One main process, two workers, two webhook processes behind nginx with path affinity, PostgreSQL and Redis, with the database settings that [queue mode](../when-n8n-restarts-or-grows.md#queue-mode-what-to-set) asks for. Each of these but the main process and nginx is killed once while deliveries come in, and both workers in each round of writes. The figures behind what [queue mode](../when-n8n-restarts-or-grows.md#what-can-still-be-lost) says about a killed worker.',
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
			...(result.measured as Section[]).flatMap(asMarkdownSection),
			provenance([result]),
		];
	});
	return `${[...HEAD, ...(modes.length > 0 ? modes : ['No run has been kept yet.'])].join('\n\n')}\n`;
}

export function writePage(): void {
	writeFileSync(PAGE, renderPage());
}

function asMarkdownSection({ title, facts, faults }: Section): string[] {
	const rows = facts.map(([what, value]) => `| ${what} | ${value} |`);
	return [
		`### ${title}`,
		summaryOf(title, facts),
		['| Counted | Result |', '|---|---:|', ...rows].join('\n'),
		...(faults.length > 0 ? ['**Faults**', faults.map((fault) => `- ${fault}`).join('\n')] : []),
	].filter((part) => part !== '');
}
