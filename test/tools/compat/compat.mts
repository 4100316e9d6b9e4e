import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { hostVersions, nodeFor } from '../../harness/n8n/install.mts';
import { markdownTable, writeBlock } from '../docs/page.mts';

const RUN = join(import.meta.dirname, '..', 'run.mjs');

/** Runs `test/compat` in every n8n of `test/harness/n8n/hosts/` and prints the table. If all pass, the README gets it. */
async function main(): Promise<void> {
	const results: Array<Record<string, string>> = [];
	for (const version of hostVersions()) results.push(await tryIn(version));
	const table = markdownTable(Object.keys(results[0]!), results.map(Object.values));
	console.log(`\n${table}`);
	if (table.includes(FAILED)) process.exitCode = 1;
	else writeBlock({ file: 'README.md', name: 'compatibility', content: () => table });
}

const FAILED = 'FAILED';
/** Link to what is tried. */
const CHECKS = '[Checks](test/compat)';

interface Report {
	testResults: Array<{ message: string; assertionResults: Result[] }>;
}
type Result = { title: string; status: string };

async function tryIn(version: string): Promise<Record<string, string>> {
	console.log(`Trying n8n ${version} …`);
	const folder = mkdtempSync(join(tmpdir(), 'card-treasury-compat-'));
	try {
		const report = join(folder, 'report.json');
		const jest = ['jest', '-c', 'test/jest.compat.config.json', '--json', `--outputFile=${report}`];
		const env = { ...process.env, N8N_UNDER_TEST: version };
		spawnSync(process.execPath, [RUN, ...jest], { stdio: ['ignore', 'inherit', 'inherit'], env });
		const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
		for (const { assertionResults, message } of testResults)
			if (assertionResults.length === 0) throw new Error(message);
		const checks = testResults.flatMap(({ assertionResults }) => assertionResults);
		const failed = checks.filter(({ status }) => status !== 'passed').map(({ title }) => title);
		const all = `all ${checks.length} passed`;
		const found = failed.length > 0 ? `${FAILED}: ${failed.join('; ')}` : all;
		return { n8n: version, Node: nodeFor(version), [CHECKS]: found };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

await main();
