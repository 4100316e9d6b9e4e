import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const NODES = join(ROOT, 'nodes');
const page = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8');
const sources = readdirSync(NODES, { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.ts'))
	.sort();

/** A folder of a node, or one of the files that stand directly in it; all that both nodes share is one. */
function unitOf(file: string): string {
	const [node, ...rest] = file.split('/');
	return node === 'service' ? node : `${node}/${rest[0]}`;
}

/** Which units import which, from the source. */
function imports(): Record<string, string[]> {
	const found: Record<string, Set<string>> = {};
	for (const file of sources) {
		const unit = (found[unitOf(file)] ??= new Set());
		const { importedFiles } = ts.preProcessFile(
			readFileSync(join(NODES, file), 'utf8'),
			true,
			true,
		);
		for (const { fileName } of importedFiles) {
			if (!fileName.startsWith('.')) continue;
			const target = relative(NODES, join(NODES, dirname(file), fileName));
			const imported = unitOf(
				sources.find((source) => source === `${target}.ts` || source === `${target}/index.ts`) ??
					target,
			);
			if (imported !== unitOf(file)) unit.add(imported);
		}
	}
	return Object.fromEntries(
		Object.entries(found).map(([unit, targets]) => [unit, [...targets].sort()]),
	);
}

it('the table of imports on the architecture page is what the source does', () => {
	const section = page.split('## Who may import whom')[1]!.split('\n## ')[0]!;
	const rows = section.split('\n').filter((line) => line.startsWith('| `'));
	const named = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!).sort();
	const table = rows
		.map((row) => row.split('|'))
		.map(([, unit = '', , may = '']) => [named(unit)[0], named(may)]);
	expect(Object.fromEntries(table)).toEqual(imports());
});

it('nothing imports in a circle', () => {
	const graph = imports();
	const reached = (from: string, seen = new Set<string>()): Set<string> => {
		for (const next of graph[from] ?? []) if (!seen.has(next)) reached(next, seen.add(next));
		return seen;
	};
	expect(Object.keys(graph).filter((unit) => reached(unit).has(unit))).toEqual([]);
});

it('what the picture names is there', () => {
	const picture = page.split('```mermaid')[1]!.split('```')[0]!;
	const names = [...picture.matchAll(/(?:"|\+ )([a-z]+(?:\/[a-zA-Z]+)?)(?:<br\/>| \+)/g)].map(
		([, name]) => name!,
	);
	expect(names.length).toBeGreaterThan(10);
	expect(names.filter((name) => !sources.some((file) => file.endsWith(`/${name}.ts`)))).toEqual([]);
});

it('the page tells of every folder of tests', () => {
	const folders = readdirSync(join(ROOT, 'test'), { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.map(({ name }) => name);
	const told = [...page.split('## Beside the nodes')[1]!.matchAll(/`([a-z0-9]+)`/g)].map(
		([, name]) => name!,
	);
	expect(folders.filter((folder) => !told.includes(folder))).toEqual([]);
});
