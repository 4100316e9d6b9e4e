import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { packPack } from '../../harness/n8n/n8n.mts';
import { copySource, scan, scannerVersions, unpack } from './scan.mts';

const say = (line: string) => process.stdout.write(`${line}\n`);
const folder = mkdtempSync(join(tmpdir(), 'card-treasury-scan-'));
try {
	const source = join(folder, 'source');
	copySource(source);
	const parts = { source, unpacked: await unpack(await packPack(folder), folder) };
	for (const version of await scannerVersions()) {
		const findings = await scan(parts, say, version);
		for (const [part, messages] of Object.entries(findings))
			say(`scanner ${version}, ${part}: ${messages || '0 errors'}`);
		if (Object.values(findings).some((messages) => messages !== '')) process.exitCode = 1;
	}
} catch (error) {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
} finally {
	rmSync(folder, { recursive: true, force: true });
}
