import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const NODES = join(ROOT, 'nodes');
const page = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8');
const sources = readdirSync(NODES, { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.ts'))
	.map((file) => file.split(sep).join('/'))
	.sort();

/** A folder of a node, or a file directly in it; `shared/fields` apart from the rest of `shared`. */
function unitOf(file: string): string {
	const [node, first = ''] = file.split('/');
	return node === 'shared' && first !== 'fields' ? node : `${node}/${first}`;
}

interface Import {
	/** A file in `nodes/`, or a package. */
	target: string;
	/** Not there any more when the code runs. */
	isTypeOnly: boolean;
}

/** Returns the imports of a file, and its exports from other files. */
function importsOf(file: string): Import[] {
	const source = ts.createSourceFile(
		file,
		readFileSync(join(NODES, file), 'utf8'),
		ts.ScriptTarget.Latest,
	);
	return source.statements.flatMap((statement) => {
		if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
		const { moduleSpecifier } = statement;
		if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier)) return [];
		return [{ target: resolved(file, moduleSpecifier.text), isTypeOnly: isTypeOnly(statement) }];
	});
}

function isTypeOnly(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
	if (ts.isExportDeclaration(statement)) return statement.isTypeOnly;
	const { importClause } = statement;
	if (!importClause || importClause.isTypeOnly) return importClause !== undefined;
	const { name, namedBindings } = importClause;
	return (
		!name &&
		!!namedBindings &&
		ts.isNamedImports(namedBindings) &&
		namedBindings.elements.every((element) => element.isTypeOnly)
	);
}

function resolved(file: string, name: string): string {
	if (!name.startsWith('.')) return name;
	const path = relative(NODES, join(NODES, dirname(file), name))
		.split(sep)
		.join('/');
	return sources.find((source) => [`${path}.ts`, `${path}/index.ts`].includes(source)) ?? path;
}

const graph = new Map(sources.map((file) => [file, importsOf(file)]));

/** Which units import which, from the source. */
function imports(): Record<string, string[]> {
	const found: Record<string, Set<string>> = {};
	for (const [file, imported] of graph) {
		const unit = (found[unitOf(file)] ??= new Set());
		for (const { target } of imported)
			if (graph.has(target) && unitOf(target) !== unitOf(file)) unit.add(unitOf(target));
	}
	return Object.fromEntries(
		Object.entries(found).map(([unit, targets]) => [unit, [...targets].sort()]),
	);
}

/** All that is reached from there over any number of steps. */
function reached(
	from: string,
	next: (name: string) => string[],
	seen = new Set<string>(),
): Set<string> {
	for (const target of next(from)) if (!seen.has(target)) reached(target, next, seen.add(target));
	return seen;
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

it('no folder imports in a circle', () => {
	const units = imports();
	const next = (unit: string) => units[unit] ?? [];
	expect(Object.keys(units).filter((unit) => reached(unit, next).has(unit))).toEqual([]);
});

it('no file imports in a circle, types included', () => {
	const next = (file: string) => (graph.get(file) ?? []).map(({ target }) => target);
	expect(sources.filter((file) => reached(file, next).has(file))).toEqual([]);
});

describe.each(['batch', 'request'])('CardTreasury/%s, which runs without n8n', (folder) => {
	const files = sources.filter((file) => file.startsWith(`CardTreasury/${folder}/`));
	const isN8n = (target: string) => /^@?n8n|^CardTreasury\/n8n\//.test(target);

	it('imports nothing of n8n, types neither', () => {
		expect(files).not.toEqual([]);
		const found = files.flatMap((file) => graph.get(file)!.map(({ target }) => target));
		expect(found.filter(isN8n)).toEqual([]);
	});

	it('reaches nothing of n8n when it runs', () => {
		expect(files).not.toEqual([]);
		const next = (file: string) =>
			(graph.get(file) ?? []).flatMap(({ target, isTypeOnly }) => (isTypeOnly ? [] : [target]));
		const found = files.flatMap((file) => [...reached(file, next)].filter(isN8n));
		expect(found).toEqual([]);
	});
});
