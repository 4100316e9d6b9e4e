import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { packPack } from '../harness/n8n/n8n.mts';
import { copySource, scan, unpack } from '../tools/scan/scan.mts';

const quiet = () => undefined;

describe("n8n's scanner of community packages", () => {
	const folder = mkdtempSync(join(tmpdir(), 'card-treasury-scan-'));
	const source = join(folder, 'source');
	let unpacked: string;

	beforeAll(async () => {
		copySource(source);
		unpacked = await unpack(await packPack(folder), folder);
	});

	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	it('accepts the source and the tarball, and detects inline disables', async () => {
		expect(await scan({ source, unpacked }, quiet)).toEqual({ source: '', tarball: '' });

		const hidden = '\n/* eslint-disable */\nconsole.log(process.env);\n';
		appendFileSync(join(source, 'nodes/CardTreasury/operations/operation.ts'), hidden);
		appendFileSync(join(unpacked, 'dist/nodes/CardTreasury/operations/operation.js'), hidden);
		const found = await scan({ source, unpacked }, quiet);
		for (const messages of Object.values(found)) {
			expect(messages).toContain('no-console');
			expect(messages).toContain('no-restricted-globals');
		}
	});
});
