import { cpus, loadavg, totalmem } from 'node:os';
import lodash from 'lodash';

import { N8N_VERSION } from '../harness/n8n/install.mts';

/** Rows keyed by their headings. */
export interface Table {
	caption: string;
	rows: Array<Record<string, string | number>>;
}

/** Prints the tables, with the command, date and machine that produced them. */
export async function printMeasured(
	command: string,
	measure: () => Promise<Table[]>,
): Promise<void> {
	const date = new Date().toISOString().slice(0, 10);
	const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
	const load = lodash.round(loadavg()[0]!, 2);
	console.log(
		`\n${command}: ${date}, ${machine}, n8n ${N8N_VERSION}, sender on Node ${process.version}, load average ${load}`,
	);
	for (const { caption, rows } of await measure()) {
		console.log(`\n${caption}`);
		console.table(rows);
	}
}
