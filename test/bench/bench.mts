import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

import { N8N_VERSION } from '../n8n/install.mts';
import type { Benchmark } from './benchmark.mts';
import { pacing } from './pacing.mts';
import { asText } from './table.mts';

/** Every benchmark; `npm run bench -- <name>` runs one, without a name all run. */
const BENCHMARKS: Benchmark[] = [pacing];

const [wanted] = process.argv.slice(2);
const chosen = BENCHMARKS.filter(({ name }) => wanted === undefined || name === wanted);
if (chosen.length === 0) {
	process.stderr.write(`There is no benchmark "${wanted}". There are: ${BENCHMARKS.map(({ name }) => name).join(', ')}\n`);
	process.exit(1);
}
const say = (line: string) => process.stdout.write(`${line}\n`);
const folder = join(import.meta.dirname, 'results');
mkdirSync(folder, { recursive: true });
for (const { name, title, run } of chosen) {
	say(`\n${title}\n`);
	const tables = await run(say);
	for (const table of tables) say(`${asText(table)}\n`);
	const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
	const result = { name, title, machine, node: process.version, n8n: N8N_VERSION, date: new Date().toISOString().slice(0, 10), tables };
	writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(result, null, '\t')}\n`);
}
