import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Every page that may name a test. */
const PAGES = ['', 'docs', 'docs/evidence'].flatMap((folder) =>
	readdirSync(join(ROOT, folder))
		.filter((file) => file.endsWith('.md'))
		.map((file) => join(folder, file)),
);

/** Pages of which every statement names the tests that show it. */
const STATEMENTS = [
	{ path: 'docs/evidence/trigger.md', isStatement: (line: string) => line.startsWith('- ') },
	{
		path: 'docs/evidence/security.md',
		isStatement: (line: string) => /^\| (?!Threat )/.test(line),
	},
];

/** `file`: *name*, *name*; … in the text. */
function namedTests(text: string): Array<{ file: string; name: string }> {
	return [...text.matchAll(/`(test\/[\w/.]+\.test\.mts)`: ((?:\*[^*]+\*(?:, )?)+)/g)].flatMap(
		([, file, names]) =>
			[...names!.matchAll(/\*([^*]+)\*/g)].map(([, name]) => ({ file: file!, name: name! })),
	);
}

/** Many pages name tests of the same file: each is read once. */
const known = new Map<string, string[]>();

/** The names of all tests in a file as its source has them: `it('…')`, and with their placeholders `it.each(…)('…')`. */
function testNames(path: string): string[] {
	const names = known.get(path) ?? readNames(path);
	known.set(path, names);
	return names;
}

function readNames(path: string): string[] {
	const names: string[] = [];
	const look = (node: ts.Node): void => {
		if (ts.isCallExpression(node) && callsIt(node.expression)) {
			const [title] = node.arguments;
			if (title && ts.isStringLiteralLike(title)) names.push(title.text);
		}
		ts.forEachChild(node, look);
	};
	look(ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest));
	return names;
}

/** Whether what is called is `it`, `it.each(…)` or the like. */
function callsIt(node: ts.Expression): boolean {
	if (ts.isIdentifier(node)) return node.text === 'it';
	if (ts.isCallExpression(node) || ts.isTaggedTemplateExpression(node))
		return callsIt(ts.isCallExpression(node) ? node.expression : node.tag);
	return ts.isPropertyAccessExpression(node) && callsIt(node.expression);
}

const named = PAGES.flatMap((page) => namedTests(read(page)).map((test) => ({ page, ...test })));

it.each(named)('$page names a test of $file: $name', ({ file, name }) => {
	expect(existsSync(join(ROOT, file)) ? testNames(file) : 'no such file').toContain(name);
});

it('no page names a test in another form, which would be held by nothing', () => {
	const mentions = (page: string) => read(page).match(/`[\w/.]+`: \*[^*]+\*/g) ?? [];
	const other = PAGES.flatMap((page) =>
		mentions(page)
			.filter((mention) => !namedTests(mention).length)
			.map((mention) => `${page}: ${mention}`),
	);
	expect(other).toEqual([]);
});

it.each(STATEMENTS)('every statement of $path names a test', ({ path, isStatement }) => {
	const statements = read(path).split('\n').filter(isStatement);
	expect(statements.length).toBeGreaterThan(15);
	expect(statements.filter((line) => namedTests(line).length === 0)).toEqual([]);
});
