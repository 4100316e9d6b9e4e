import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Documents of which every statement names the tests that show it. */
const DOCUMENTS: Array<{ path: string; isStatement: (line: string) => boolean; least: number }> = [
	{ path: 'docs/trigger-guarantees.md', isStatement: (line) => line.startsWith('- '), least: 15 },
	{ path: 'SECURITY.md', isStatement: (line) => /^\| (?!Threat )/.test(line), least: 15 },
];

/** `file`: *name*, *name*; … in the text. */
function namedTests(text: string): Array<{ file: string; name: string }> {
	return [...text.matchAll(/`(test\/[\w/.]+\.test\.mts)`: ((?:\*[^*]+\*(?:, )?)+)/g)].flatMap(
		([, file, names]) =>
			[...names!.matchAll(/\*([^*]+)\*/g)].map(([, name]) => ({ file: file!, name: name! })),
	);
}

describe.each(DOCUMENTS)('what $path says', ({ path, isStatement, least }) => {
	const document = read(path);

	it.each(namedTests(document))('is shown by $file: $name', ({ file, name }) => {
		expect(read(file)).toContain(`'${name}`);
	});

	it('names a test for every statement', () => {
		const statements = document.split('\n').filter(isStatement);
		expect(statements.length).toBeGreaterThan(least);
		expect(statements.filter((line) => namedTests(line).length === 0)).toEqual([]);
	});
});
