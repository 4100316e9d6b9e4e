import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** `file`: *name*, *name*; … in the document. */
function namedTests(document: string): Array<{ file: string; name: string }> {
	return [...document.matchAll(/`(test\/[\w/.]+\.test\.mts)`: ((?:\*[^*]+\*(?:, )?)+)/g)].flatMap(([, file, names]) =>
		[...names!.matchAll(/\*([^*]+)\*/g)].map(([, name]) => ({ file: file!, name: name! })),
	);
}

describe('what the trigger guarantees', () => {
	const document = read('docs/trigger-guarantees.md');
	const named = namedTests(document);

	it.each(named)('is shown by $file: $name', ({ file, name }) => {
		expect(read(file)).toContain(`'${name}`);
	});

	it('names a test for every statement', () => {
		const statements = document.split('\n').filter((line) => line.startsWith('- '));
		expect(statements.length).toBeGreaterThan(15);
		expect(statements.filter((line) => namedTests(line).length === 0)).toEqual([]);
	});
});
