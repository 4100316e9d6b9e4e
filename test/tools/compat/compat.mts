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

interface Report {
	testResults: Array<{ name: string; message: string; assertionResults: Result[] }>;
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
		// Each run reports the files in another order.
		const checks = testResults
			.sort((left, right) => left.name.localeCompare(right.name, 'en'))
			.flatMap(({ assertionResults }) => assertionResults)
			.map(({ title, status }) => [title, status === 'passed' ? 'yes' : FAILED]);
		return { n8n: version, Node: nodeFor(version), ...Object.fromEntries(checks) };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

await main();
