import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { run } from '../../harness/n8n/command.mts';
import { installN8n, type Installation } from '../../harness/n8n/install.mts';
import { packPack } from '../../harness/n8n/n8n.mts';
import type { Benchmark } from './benchmark.mts';
import { milliseconds } from './ladder.mts';

/** Odd, so that the median is one of them. */
const TIMES = 15;

interface Loaded {
	nodes: string;
	/** Median, in milliseconds. */
	ms: number;
	/** Median, in bytes, after a collection. */
	heapBytes: number;
	files: number;
	fileBytes: number;
}

/** What n8n has to load when it starts, next to two nodes of its own that do much the same for another service. */
export const load: Benchmark<Loaded[]> = {
	name: 'load',
	title: 'Load: what the two nodes weigh',
	parts: ['all'],
	async measure(_, { say }) {
		const installation = await installN8n(say);
		const folder = mkdtempSync(join(tmpdir(), 'card-treasury-load-'));
		try {
			const tarball = await packPack(folder);
			await run('tar', ['-xzf', tarball, '-C', folder], folder);
			const base = join(
				dirname(installation.n8n),
				'..',
				'..',
				'n8n-nodes-base',
				'dist',
				'nodes',
				'Stripe',
			);
			const ours = join(folder, 'package', 'dist', 'nodes');
			return [
				await measureLoading('Card Treasury and its trigger', installation, [
					join(ours, 'CardTreasury', 'CardTreasury.node.js'),
					join(ours, 'CardTreasuryTrigger', 'CardTreasuryTrigger.node.js'),
				]),
				await measureLoading('n8n: Stripe and its trigger', installation, [
					join(base, 'Stripe.node.js'),
					join(base, 'StripeTrigger.node.js'),
				]),
			];
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	},
	present: ({ all = [] }) => ({
		inShort:
			all.length === 0
				? ''
				: `${all.map(({ nodes, ms, heapBytes }) => `${nodes}: ${milliseconds(ms)} ms and ${kibi(heapBytes)} KiB of heap`).join('; ')}. n8n loads them once, when it starts.`,
		text: [
			`Each pair of nodes is loaded and made in a fresh process of n8n's Node, ${TIMES} times; the median counts. What n8n has loaded by then anyway (n8n-workflow, luxon, zod) is loaded before and not counted, for either pair. The aim of fewer than 112 files is missed: each operation is a file of its own.`,
		],
		tables: [
			{
				caption: 'Loading two nodes',
				headings: ['Nodes', 'ms', 'Heap KiB', 'Files', 'Size of the files KiB'],
				rows: all.map(({ nodes, ms, heapBytes, files, fileBytes }) => [
					nodes,
					milliseconds(ms),
					kibi(heapBytes),
					String(files),
					kibi(fileBytes),
				]),
			},
		],
	}),
};

const SCRIPT = `
for (const name of ['n8n-workflow', 'luxon', 'zod']) require(name);
const before = new Set(Object.keys(require.cache));
gc();
const heap = process.memoryUsage().heapUsed;
const began = performance.now();
const nodes = process.argv.slice(1).map((file) => new (Object.values(require(file))[0])());
const ms = performance.now() - began;
gc();
const heapBytes = process.memoryUsage().heapUsed - heap;
const files = Object.keys(require.cache).filter((file) => !before.has(file));
const fileBytes = files.reduce((sum, file) => sum + require('fs').statSync(file).size, 0);
console.log(JSON.stringify({ ms, heapBytes, files: files.length, fileBytes, nodes: nodes.length }));
`;

async function measureLoading(
	nodes: string,
	{ node, n8n }: Installation,
	files: string[],
): Promise<Loaded> {
	const packages = join(dirname(n8n), '..', '..');
	const samples: Array<Omit<Loaded, 'nodes'>> = [];
	for (let time = 0; time < TIMES; time++) {
		const output = await run(node, ['--expose-gc', '-e', SCRIPT, ...files], dirname(n8n), {
			env: { NODE_PATH: packages },
		});
		samples.push(JSON.parse(output));
	}
	const [first] = samples;
	return {
		nodes,
		ms: median(samples.map(({ ms }) => ms)),
		heapBytes: median(samples.map(({ heapBytes }) => heapBytes)),
		files: first!.files,
		fileBytes: first!.fileBytes,
	};
}

function median(values: number[]): number {
	return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!;
}

function kibi(bytes: number): string {
	return Math.round(bytes / 1_024).toLocaleString('en-US');
}
