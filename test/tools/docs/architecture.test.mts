import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { transformSync } from '@swc/core';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const NODES = join(ROOT, 'nodes');
const page = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8');
const slashes = (path: string) => path.split(sep).join('/');
const sources = readdirSync(NODES, { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.ts'))
	.map(slashes)
	.sort();

/** Folder of the action node, or a file directly in it. */
function unitOf(file: string): string {
	const [node, first = ''] = file.split('/');
	return node === 'CardTreasury' ? `${node}/${first}` : node!;
}

/** Imports of a file: files in `nodes/` and packages. `atRunTime` leaves out types. */
function importsOf(file: string): { all: string[]; atRunTime: string[] } {
	const text = readFileSync(join(NODES, file), 'utf8');
	const targets = (code: string) =>
		ts.preProcessFile(code).importedFiles.map(({ fileName }) => resolved(file, fileName));
	const { code } = transformSync(text, { jsc: { parser: { syntax: 'typescript' } } });
	return { all: targets(text), atRunTime: targets(code) };
}

function resolved(file: string, name: string): string {
	if (!name.startsWith('.')) return name;
	const path = slashes(normalize(join(dirname(file), name)));
	return sources.find((source) => [`${path}.ts`, `${path}/index.ts`].includes(source)) ?? path;
}

const graph = new Map(sources.map((file) => [file, importsOf(file)]));

function imports(): Record<string, string[]> {
	const found: Record<string, Set<string>> = {};
	for (const [file, { all }] of graph) {
		const unit = (found[unitOf(file)] ??= new Set());
		for (const target of all)
			if (graph.has(target) && unitOf(target) !== unitOf(file)) unit.add(unitOf(target));
	}
	return Object.fromEntries(
		Object.entries(found).map(([unit, targets]) => [unit, [...targets].sort()]),
	);
}

/** Everything that can be reached in any number of steps. */
function reached(
	from: string,
	next: (name: string) => string[],
	seen = new Set<string>(),
): Set<string> {
	for (const target of next(from)) if (!seen.has(target)) reached(target, next, seen.add(target));
	return seen;
}

describe('imports', () => {
	it('the table on the architecture page matches the source', () => {
		const section = page.split('## Who may import whom')[1]!.split('\n## ')[0]!;
		const rows = section.split('\n').filter((line) => line.startsWith('| `'));
		const named = (cell: string) =>
			[...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!).sort();
		const table = rows
			.map((row) => row.split('|'))
			.map(([, unit = '', , may = '']) => [named(unit)[0], named(may)]);
		expect(Object.fromEntries(table)).toEqual(imports());
	});

	it('no folder imports in a circle', () => {
		const units = imports();
		const next = (unit: string) => units[unit] ?? [];
		expect(Object.keys(units).filter((unit) => reached(unit, next).has(unit))).toEqual([]);
	});

	it('no file imports in a circle, types included', () => {
		const next = (file: string) => graph.get(file)?.all ?? [];
		expect(sources.filter((file) => reached(file, next).has(file))).toEqual([]);
	});

	it('the payment memory runs without n8n: run/batch reaches nothing of n8n when it runs', () => {
		const next = (file: string) => graph.get(file)?.atRunTime ?? [];
		const targets = [...reached('CardTreasury/run/batch.ts', next)];
		expect(targets).toContain('p-limit');
		expect(targets.filter((target) => /^@?n8n/.test(target))).toEqual([]);
	});
});
