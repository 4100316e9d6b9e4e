import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { end } from '../../harness/n8n/process.mts';
import type { Table } from '../measured.mts';
import type { MemoryReport, MemoryTask } from './memoryRun.mts';

const ITEMS = 100;
const MEGABYTES = 5;

const LABELS: Record<MemoryTask['part'], string> = {
	documents: `${ITEMS} documents of two images of ${MEGABYTES} MB (*Submit Document*)`,
	statements: `${ITEMS} statements of ${MEGABYTES} MB (*Download Statement*)`,
};
export const MEMORY_PARTS = ['documents', 'statements'] as const;

/** Measures the memory that a batch of large files takes in the process that also answers authorizations. */
export async function memory(name: string): Promise<Table[]> {
	const part = MEMORY_PARTS.find((known) => known === name)!;
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
		const { wrong, peak } = await ask<MemoryReport>(node, task);
		if (wrong !== undefined) throw new Error(wrong);
		const megabytes = (value: number) => Math.round(value / 1e6);
		const cells = {
			Batch: LABELS[part],
			Heap: megabytes(peak.heapUsed),
			Buffers: megabytes(peak.external),
			'Process (RSS)': megabytes(peak.rss),
		};
		return [{ caption: 'Peak above the start of the run, in MB', rows: [cells] }];
	} finally {
		await Promise.all([end(node), end(service)]);
		rmSync(folder, { recursive: true, force: true });
	}
}

function start(script: string, env: Record<string, string> = {}): ChildProcess {
	return fork(join(import.meta.dirname, script), {
		execArgv: [...process.execArgv, '--expose-gc'],
		env: { ...process.env, ...env },
	});
}

/** Sends a process its message and waits for its answer. */
async function ask<Answer>(child: ChildProcess, message: object | number): Promise<Answer> {
	child.send(message);
	const ended = once(child, 'exit').then(([code]) => {
		throw new Error(`The process ended early, with code ${code}`);
	});
	const [answer] = (await Promise.race([once(child, 'message'), ended])) as [Answer];
	return answer;
}
