import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { writeBlocks } from '../docs/blocks.mts';
import { run } from '../../harness/n8n/command.mts';
import { hostVersions, installN8n } from '../../harness/n8n/install.mts';
import { packPack } from '../../harness/n8n/n8n.mts';
import { startWorkflowHarness } from '../../harness/workflows/workflowHarness.mts';
import { CHECKS, prepare } from './checks.mts';
import { compatTable, KEPT, keptResults, type HostResult } from './table.mts';

const FAILED = 'FAILED';
const say = (line: string) => process.stdout.write(`${line}\n`);

/**
 * Tries the packed pack in every n8n of `test/harness/n8n/hosts/`, or in those named as arguments, and prints the table.
 * When all that were tried work, their answers are kept with those of the others, and the README is brought up to date.
 */
async function main(chosen: string[]): Promise<number> {
	const known = hostVersions();
	const versions = chosen.length > 0 ? chosen : known;
	const unknown = versions.filter((version) => !known.includes(version));
	if (unknown.length > 0)
		throw new Error(`There is no test/harness/n8n/hosts/${unknown[0]}. Known: ${known.join(', ')}`);
	const folder = mkdtempSync(join(tmpdir(), 'card-treasury-compat-'));
	try {
		say('Building and packing the nodes …');
		const tarball = await packPack(folder);
		const results: HostResult[] = [];
		for (const version of versions) results.push(await tryIn(version, tarball));
		say(`\n${compatTable(results)}`);
		if (results.some(({ answers }) => answers.some(({ answer }) => answer === FAILED))) return 1;
		const kept = known
			.map((version) => [...results, ...keptResults()].find((result) => result.version === version))
			.filter(Boolean);
		writeFileSync(KEPT, `${JSON.stringify(kept, undefined, '\t')}\n`);
		writeBlocks();
		return 0;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

async function tryIn(version: string, tarball: string): Promise<HostResult> {
	const installation = await installN8n(say, version);
	const node = (await run(installation.node, ['--version'], tmpdir()))
		.trim()
		.replace(/^v(\d+).*$/, '$1');
	say(`Trying n8n ${version} …`);
	const harness = await startWorkflowHarness({ host: installation, tarball });
	const answers: HostResult['answers'] = [];
	try {
		const host = await prepare(harness);
		for (const check of CHECKS) {
			const answer = await check.run(host).catch((error: Error) => {
				say(`  ${check.title}: ${error.message}\n${host.n8n.log().slice(-2_000)}`);
				return FAILED;
			});
			say(`  ${check.title}: ${answer}`);
			answers.push({ check: check.title, answer });
		}
	} finally {
		await harness.close();
	}
	return { version, node, answers };
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	return 1;
});
