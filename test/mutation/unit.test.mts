import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The unit tests that need no n8n, all in one file, for Stryker alone: it starts jest for each mutant, and loading the
 * code once, instead of for every test file, is what makes a run of thousands of mutants possible.
 */

const FOLDER = join(import.meta.dirname, '../unit');
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
	.map((path) => path.replaceAll('\\', '/'))
	.filter((path) => path.endsWith('.test.mts') && !/(^|\/)(n8n|package)\//.test(path))
	.sort();

// In a block of its own each, so that what a file does before its tests stays its own.
describe.each(files)('%s', (file) => {
	require(join(FOLDER, file));
});
