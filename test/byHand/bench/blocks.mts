import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import type { n8nTransport } from '../../../nodes/CardTreasury/n8n/connect.ts';
import type { FileReference } from '../../../nodes/CardTreasury/request/input.ts';
import type { encodeBody } from '../../../nodes/CardTreasury/request/request.ts';
import { pausesOf, processClock } from '../../../nodes/shared/clock.ts';
import type { Table } from '../measured.mts';
import { earlierNodes, ROOT } from './earlierNodes.mts';
import { watchTurns } from './watchTurns.mts';

/** Last commit that handled replies and documents as a whole. */
const BEFORE = '25650b7';

interface Code {
	n8nTransport: typeof n8nTransport;
	encodeBody: typeof encodeBody;
	FileReference: typeof FileReference;
}

const MEGABYTE = 1024 * 1024;
const ROUNDS = 9;

/** Measures the longest time for which large replies and documents block the process. */
export async function blocks(): Promise<Table[]> {
	const codes = { before: await codeIn(earlierNodes(BEFORE)), now: await codeIn(ROOT) };
	const rows: Table['rows'] = [];
	for (const [work, run] of Object.entries(WORKS)) {
		const row: Record<string, string> = { Work: work };
		for (const [name, code] of Object.entries(codes)) {
			const longest: number[] = [];
			for (let round = 0; round < ROUNDS; round++) longest.push(await longestBlock(run(code)));
			longest.sort((left, right) => left - right);
			row[name] =
				`${Math.round(longest[(ROUNDS - 1) / 2]!)} ms, at most ${Math.round(longest.at(-1)!)} ms`;
		}
		rows.push(row);
	}
	return [{ caption: `Longest block, median and highest of ${ROUNDS} rounds`, rows }];
}

async function codeIn(folder: string): Promise<Code> {
	const load = async (file: string) =>
		(await import(join(folder, 'nodes/CardTreasury', file))) as Partial<Code>;
	const [connect, request, input] = await Promise.all(
		['n8n/connect.ts', 'request/request.ts', 'request/input.ts'].map(load),
	);
	return { ...connect, ...request, ...input } as Code;
}

type Run = (code: Code) => () => Promise<unknown>;

const WORKS: Record<string, Run> = {
	'a reply of 20 MB of JSON with backslashes': ({ n8nTransport }) =>
		receiving(n8nTransport, Buffer.from('{"a":"b\\n c"} '.repeat((20 * MEGABYTE) / 14))),
	'a PDF of 10 MB': ({ n8nTransport }) =>
		receiving(n8nTransport, Buffer.from(randomBytes(10 * MEGABYTE))),
	'100 documents of 2 MB at once': ({ encodeBody, FileReference }) => {
		const bytes = randomBytes(2 * MEGABYTE);
		const image = new FileReference('data', bytes.length, bytes, async () => bytes, 'image/png');
		const pause = pausesOf(processClock);
		return async () =>
			await Promise.all(
				Array.from({ length: 100 }, async () => (await encodeBody({ image }, pause)).length),
			);
	},
};

function receiving(transportOf: typeof n8nTransport, body: Buffer) {
	const transport = transportOf(async () => ({ statusCode: 200, headers: {}, body }), {
		baseUrl: 'https://api.example.com',
		apiKey: 'sk-live-0123456789abcdef',
	});
	return async () => await transport({ method: 'GET', path: '/', headers: {}, timeoutMs: 60_000 });
}

/** Returns the most processor time of a turn of the event loop, because other load has no effect on it. */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
	const longest = watchTurns();
	await work();
	await new Promise((resolve) => setImmediate(resolve));
	return longest();
}
