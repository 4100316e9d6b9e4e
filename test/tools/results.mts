import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import lodash from 'lodash';

import { N8N_VERSION } from '../harness/n8n/install.mts';
import { markdownTable } from './docs/markdownTable.mts';

/** Each row by its headings. */
export interface Table {
	caption: string;
	rows: Array<Record<string, string | number>>;
}

/** What a part of a benchmark or of the soak has measured, where and when. */
interface Result {
	command: string;
	machine: string;
	/** Of the sender; n8n runs on its own. */
	node: string;
	n8n: string;
	date: string;
	/** Of the minute before: what else the machine was doing. */
	loadAverage: number;
	tables: Table[];
}

type Results = Record<string, Result>;

const fileOf = (name: string) => join(import.meta.dirname, 'results', `${name}.json`);
const keptResults = (name: string) => JSON.parse(readFileSync(fileOf(name), 'utf8')) as Results;

/** Measures and prints; what has been measured is kept in the place of the last time, unless it was only tried. */
export async function measureAndKeep(
	name: string,
	part: string,
	command: string,
	measure: () => Promise<Table[]>,
	isKept = true,
): Promise<void> {
	console.log(`\n${command}`);
	const result: Result = {
		command,
		machine: `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
		node: process.version,
		n8n: N8N_VERSION,
		date: new Date().toISOString().slice(0, 10),
		loadAverage: lodash.round(loadavg()[0]!, 2),
		tables: await measure(),
	};
	for (const { caption, rows } of result.tables) {
		console.log(`\n${caption}`);
		console.table(rows);
	}
	if (!isKept) return;
	const kept = { ...keptResults(name), [part]: result };
	writeFileSync(fileOf(name), `${JSON.stringify(kept, null, '\t')}\n`);
}

/** The kept tables of one or all parts, and where, when and by what they were measured, for a page. */
export function measuredTables(name: string, part?: string): string {
	const kept = keptResults(name);
	const results = part === undefined ? Object.values(kept) : [kept[part]!];
	const tables = results.flatMap((result) =>
		result.tables.map(({ caption, rows }) => {
			const headings = [...new Set(rows.flatMap(Object.keys))];
			const cells = rows.map((row) => headings.map((heading) => String(row[heading] ?? '')));
			return `**${caption}**\n\n${markdownTable(headings, cells)}`;
		}),
	);
	const provenance = results.map(
		({ command, date, machine, n8n, node, loadAverage }) =>
			`- \`${command}\`: ${date}, ${machine}, n8n ${n8n}, sender on Node ${node}, load average before ${loadAverage}`,
	);
	return [...tables, ['Measured by', ...provenance].join('\n')].join('\n\n');
}
