import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { hostVersions, nodeFor } from '../../harness/n8n/install.mts';
import { writeBlocks } from '../docs/blocks.mts';
import { compatTable, KEPT, keptResults, type HostResult } from './table.mts';

const RUN = join(import.meta.dirname, '..', 'run.mjs');
const say = (line: string) => process.stdout.write(`${line}\n`);

/**
 * Runs `test/compat` in every n8n of `test/harness/n8n/hosts/`, or in those named as arguments, and prints the table. If
 * all pass, it saves their results and updates the README.
 */
async function main(chosen: string[]): Promise<number> {
	const known = hostVersions();
	const versions = chosen.length > 0 ? chosen : known;
	const unknown = versions.filter((version) => !known.includes(version));
	if (unknown.length > 0)
		throw new Error(`There is no test/harness/n8n/hosts/${unknown[0]}. Known: ${known.join(', ')}`);
	const results: HostResult[] = [];
	for (const version of versions) results.push(await tryIn(version));
	say(`\n${compatTable(results)}`);
	if (results.some(({ answers }) => answers.some(({ answer }) => answer !== 'yes'))) return 1;
	const kept = known
		.map((version) => [...results, ...keptResults()].find((result) => result.version === version))
		.filter(Boolean);
	writeFileSync(KEPT, `${JSON.stringify(kept, undefined, '\t')}\n`);
	writeBlocks();
	return 0;
}

/** Report of jest, with an entry per test file. */
interface Report {
	testResults: Array<{
		name: string;
		message: string;
		assertionResults: Array<{ title: string; status: string }>;
	}>;
}

async function tryIn(version: string): Promise<HostResult> {
	say(`Trying n8n ${version} …`);
	const folder = mkdtempSync(join(tmpdir(), 'card-treasury-compat-'));
	try {
		const report = join(folder, 'report.json');
		const jest = ['jest', '-c', 'test/jest.compat.config.json', '--json', `--outputFile=${report}`];
		const child = spawn(process.execPath, [RUN, ...jest], {
			stdio: ['ignore', 'inherit', 'inherit'],
			env: { ...process.env, N8N_UNDER_TEST: version },
		});
		await once(child, 'close');
		const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
		for (const { assertionResults, message } of testResults)
			if (assertionResults.length === 0) throw new Error(message);
		// Each run reports the files in another order.
		const files = testResults.sort((left, right) => left.name.localeCompare(right.name, 'en'));
		const answers = files
			.flatMap(({ assertionResults }) => assertionResults)
			.map(({ title, status }) => ({
				check: title,
				answer: status === 'passed' ? 'yes' : 'FAILED',
			}));
		return { version, node: nodeFor(version), answers };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	return 1;
});
