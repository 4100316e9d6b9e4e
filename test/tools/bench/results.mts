import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';

import { N8N_VERSION } from '../../harness/n8n/install.mts';

/** One part of a benchmark, or one run of the soak, as it was measured, where and when. */
export interface PartResult {
	/** What measures it again. */
	command: string;
	machine: string;
	/** Of the sender; n8n runs on its own. */
	node: string;
	n8n: string;
	date: string;
	/** Of the minute before: what else the machine was doing. Null when it was not written down. */
	loadAverage: number | null;
	measured: unknown;
}

/** The kept results of a benchmark, by part. */
export type Results = Partial<Record<string, PartResult>>;

const FOLDER = join(import.meta.dirname, 'results');

export function readResults(benchmark: string, folder = FOLDER): Results {
	try {
		return JSON.parse(readFileSync(fileOf(benchmark, folder), 'utf8')) as Results;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
		throw error;
	}
}

/** Measures what a command measures, and tells where and when. */
export async function measured(
	command: string,
	measure: () => Promise<unknown>,
): Promise<PartResult> {
	const loadAverage = Math.round(loadavg()[0]! * 100) / 100;
	return {
		command,
		machine: `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
		node: process.version,
		n8n: N8N_VERSION,
		date: new Date().toISOString().slice(0, 10),
		loadAverage,
		measured: await measure(),
	};
}

/** Keeps a part's result in the place of the one before. */
export function keepResult(
	benchmark: string,
	part: string,
	result: PartResult,
	folder = FOLDER,
): void {
	mkdirSync(folder, { recursive: true });
	writeFileSync(
		fileOf(benchmark, folder),
		`${JSON.stringify({ ...readResults(benchmark, folder), [part]: result }, null, '\t')}\n`,
	);
}

function fileOf(benchmark: string, folder: string): string {
	return join(folder, `${benchmark}.json`);
}
