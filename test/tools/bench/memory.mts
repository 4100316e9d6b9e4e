import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { end } from '../../harness/n8n/process.mts';
import type { Benchmark } from './benchmark.mts';
import { timeChart } from './chart.mts';
import type { MemoryReport, MemoryTask } from './memoryRun.mts';

const ITEMS = 100;
const MEGABYTES = 5;

const LABELS: Record<MemoryTask['part'], string> = {
	documents: `${ITEMS} documents of two images of ${MEGABYTES} MB (*Submit Document*)`,
	statements: `${ITEMS} statements of ${MEGABYTES} MB (*Download Statement*)`,
};
const PARTS = ['documents', 'statements'] as const;

const TEXT = [
	`One run of the action node in n8n's own engine (n8n-core), in a process of its own; the simulator, without a limit, is another. Files are where n8n keeps them by default, on disk. Every 20 ms the process is asked for its memory; each figure is the highest value above that before the run. *Heap* is what JavaScript holds, including garbage that is not collected yet: when it is full, n8n dies. *Buffers* are outside of it.`,
	'A batch costs about as much as the few requests that are under way at once, however many items it has. An image is read, and its request built, only when it is sent; a statement goes to disk as soon as it has arrived. With `N8N_DEFAULT_BINARY_DATA_MODE=default` n8n itself holds all files in the heap, whatever this node does.',
];

/** What a batch of large files takes of the memory of the process in which n8n also answers authorizations. */
export const memory: Benchmark<MemoryReport> = {
	name: 'memory',
	title: 'Memory: a batch of large files',
	parts: PARTS,
	async measure(name) {
		const part = PARTS.find((known) => known === name)!;
		const bytes = MEGABYTES * 1_000_000;
		const folder = mkdtempSync(join(tmpdir(), 'card-treasury-memory-'));
		const service = start('memoryService.mts');
		const node = start('memoryRun.mts', {
			N8N_USER_FOLDER: folder,
			N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
			N8N_LOG_LEVEL: 'silent',
		});
		try {
			const baseUrl = await ask<string>(service, bytes);
			const task: MemoryTask = { part, baseUrl, items: ITEMS, bytes };
			const report = await ask<MemoryReport>(node, task);
			if (report.wrong !== undefined) throw new Error(report.wrong);
			return report;
		} finally {
			await Promise.all([end(node), end(service)]);
			rmSync(folder, { recursive: true, force: true });
		}
	},
	present: (measured) => ({
		inShort: PARTS.flatMap((part) => {
			const peak = measured[part]?.peak;
			return peak === undefined
				? []
				: [
						`${LABELS[part]} need at most ${megabytes(peak.heapUsed)} MB of heap and ${megabytes(peak.external)} MB of buffers.`,
					];
		}).join(' '),
		text: TEXT,
		charts: PARTS.flatMap((part) => {
			const report = measured[part];
			if (report === undefined) return [];
			return [
				{
					name: `benchmark-memory-${part}`,
					alternative: `Heap and buffers while ${ITEMS} ${part} pass, in MB`,
					svg: timeChart(
						`Heap and buffers while ${ITEMS} ${part} pass`,
						[{ label: part, values: report.course.map((bytes) => bytes / 1e6) }],
						{ seconds: report.seconds / (report.course.length - 1), unit: 'MB' },
					),
				},
			];
		}),
		tables: [
			{
				caption: 'Peak above the start of the run, in MB',
				headings: ['Batch', 'Heap', 'Buffers', 'Process (RSS)'],
				rows: PARTS.flatMap((part) => {
					const report = measured[part];
					if (report === undefined) return [];
					const { heapUsed, external, rss } = report.peak;
					const sizes = [heapUsed, external, rss].map(megabytes);
					return [[LABELS[part], ...sizes]];
				}),
			},
		],
	}),
};

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);

function start(script: string, env: Record<string, string> = {}): ChildProcess {
	return fork(join(import.meta.dirname, script), {
		execArgv: [...process.execArgv, '--expose-gc'],
		env: { ...process.env, ...env },
	});
}

/** Sends a process its one message, and waits for its one answer. */
async function ask<Answer>(child: ChildProcess, message: object | number): Promise<Answer> {
	child.send(message);
	const ended = once(child, 'exit').then(([code]) => {
		throw new Error(`The process ended early, with code ${code}`);
	});
	const [answer] = (await Promise.race([once(child, 'message'), ended])) as [Answer];
	return answer;
}
