import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { transformSync } from '@swc/core';
import lodash from 'lodash';
import ts from 'typescript';

import { read, ROOT } from './page.mts';

const NODES = join(ROOT, 'nodes');
const page = read('docs/architecture.md');
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

const textOf = (file: string) => readFileSync(join(NODES, file), 'utf8');
const withoutTypes = (text: string) =>
	transformSync(text, { jsc: { parser: { syntax: 'typescript' } } }).code;

/** Files in `nodes/` and packages that code of a file imports. */
const targetsIn = (code: string, file: string) =>
	ts.preProcessFile(code).importedFiles.map(({ fileName }) => resolved(file, fileName));

function resolved(file: string, name: string): string {
	if (!name.startsWith('.')) return name;
	const path = slashes(normalize(join(dirname(file), name)));
	return sources.find((source) => [`${path}.ts`, `${path}/index.ts`].includes(source)) ?? path;
}

const files = lodash.keyBy(sources);
const all = lodash.mapValues(files, (file) => targetsIn(textOf(file), file));
const atRunTime = lodash.mapValues(files, (file) => targetsIn(withoutTypes(textOf(file)), file));

function unitImports(): Imports {
	const found: Record<string, Set<string>> = {};
	for (const [file, targets] of Object.entries(all)) {
		const unit = (found[unitOf(file)] ??= new Set());
		for (const target of targets)
			if (target in all && unitOf(target) !== unitOf(file)) unit.add(unitOf(target));
	}
	return lodash.mapValues(found, (targets) => [...targets].sort());
}

type Imports = Record<string, string[]>;
/** Everything that can be reached in any number of steps. */
function reached(from: string, of: Imports, seen = new Set<string>()): Set<string> {
	for (const target of of[from] ?? []) if (!seen.has(target)) reached(target, of, seen.add(target));
	return seen;
}
const circlesIn = (of: Imports) => Object.keys(of).filter((each) => reached(each, of).has(each));

it('the table on the architecture page matches the source', () => {
	const section = page.split('## Who may import whom')[1]!.split('\n## ')[0]!;
	const rows = section.split('\n').filter((line) => line.startsWith('| `'));
	const named = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!).sort();
	const table = rows
		.map((row) => row.split('|'))
		.map(([, unit = '', , may = '']) => [named(unit)[0], named(may)]);
	expect(Object.fromEntries(table)).toEqual(unitImports());
});

it('no folder imports in a circle, and no file, types included', () => {
	expect([circlesIn(unitImports()), circlesIn(all)]).toEqual([[], []]);
});

it('the payment memory runs without n8n: run/batch reaches nothing of n8n when it runs', () => {
	const targets = [...reached('CardTreasury/run/batch.ts', atRunTime)];
	expect(targets).toContain('p-limit');
	expect(targets.filter((target) => /^@?n8n/.test(target))).toEqual([]);
});
