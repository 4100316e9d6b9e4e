import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Benchmark, Chart } from './benchmark.mts';
import { BENCHMARKS } from './registry.mts';
import { readResults, type PartResult } from './results.mts';

const EVIDENCE = join(import.meta.dirname, '..', '..', '..', 'docs', 'evidence');

const HEAD = [
	'# Benchmarks',
	'<!-- Written by `npm run bench` from test/tools/bench/results. Changes made here are lost. -->',
	'Every figure comes from the real n8n on SQLite with its default settings, unless the text says otherwise, with the pack installed as a user installs it. The sender is a separate process on the same machine. It sends at a fixed rate, whether or not earlier deliveries have been answered, and measures from when a delivery was *due* to its full response, so a slow receiver cannot slow the sender down and look better for it. Each figure is shown next to what a user would build without this pack, measured in the same run.',
	'The figures behind the summaries are in `test/tools/bench/results`.',
	'*Lazy acquire* means that n8n was started with `N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true`. n8n then builds its expression engine only when an expression is evaluated, not for every delivery. This trigger evaluates none. *Default settings* means that n8n was started without it.',
];

/** Facts that hardly move with this code: measured once, by benchmarks that are gone. */
const SETTLED = [
	'## Settled',
	'Measured once, in November 2026 with n8n 2.41.1 on two processors, and not again:',
	[
		'- **What n8n itself costs**: with lazy acquire, at 40 deliveries per second, 7.9 ms of processor time for a delivery that runs nothing, and 23.3 ms for one whose execution it stores first; with default settings 74.9 and 168 ms.',
		'- **What the two nodes weigh**: they load in 61.8 ms and take 1,786 KiB of heap, once, when n8n starts; its Stripe node and trigger take 10.4 ms and 583 KiB.',
		'- **Several processes on one limit of 15 per second**: 2 workers executed 600 of 600 transfers at 87.5 % of the limit, with 4.3 % of the requests rejected and sent again; 4 workers at 73.1 % and 9.9 %. No execution failed, and no transfer was executed twice.',
	].join('\n'),
];

/** The page and its charts, by file name under docs/evidence/. The tables behind them are printed, and stay in the results. */
export function renderPage(): Map<string, string> {
	const files = new Map<string, string>();
	const sections = BENCHMARKS.flatMap((benchmark) => {
		const results = readResults(benchmark.name);
		const parts = benchmark.parts.flatMap((part) =>
			results[part] ? [{ part, result: results[part] }] : [],
		);
		if (parts.length === 0) return [];
		const { inShort, text, charts, lines } = section(benchmark, parts);
		for (const { name, svg } of charts) files.set(`${name}.svg`, svg);
		return [
			`## ${benchmark.title}`,
			...(inShort === '' ? [] : [`**In short:** ${inShort}`]),
			...text,
			...lines,
			provenance(parts.map(({ result }) => result)),
		];
	});
	files.set('benchmarks.md', `${[...HEAD, ...sections, ...SETTLED].join('\n\n')}\n`);
	return files;
}

export function writePage(): void {
	mkdirSync(EVIDENCE, { recursive: true });
	for (const [file, content] of renderPage()) writeFileSync(join(EVIDENCE, file), content);
}

interface MeasuredPart {
	part: string;
	result: PartResult;
}

function section(benchmark: Benchmark, parts: MeasuredPart[]) {
	const byPart = Object.fromEntries(parts.map(({ part, result }) => [part, result.measured]));
	const { inShort, text, charts = [] } = benchmark.present(byPart);
	const picture = ({ name, alternative }: Chart) => `![${alternative}](${name}.svg)`;
	return { inShort, text, charts, lines: charts.map(picture) };
}

/** Where, when and by what the figures above were measured. */
export function provenance(results: PartResult[]): string {
	const lines = results.map(({ command, machine, node, n8n, date, loadAverage }) => {
		const busy = loadAverage === null ? '' : `, load average before ${loadAverage}`;
		return `- \`${command}\`: ${date}, ${machine}, n8n ${n8n}, sender on Node ${node}${busy}`;
	});
	return ['Measured by', ...lines].join('\n');
}
