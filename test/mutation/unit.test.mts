import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Unit tests that need no n8n, in one file for Stryker. It starts jest for each mutant; loading the code once instead of
 * per test file makes thousands of mutants feasible.
 */

const FOLDER = join(import.meta.dirname, '../unit');
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
	.map((path) => path.replaceAll('\\', '/'))
	.filter((path) => path.endsWith('.test.mts') && !/(^|\/)(n8n|package)\//.test(path))
	.sort();

// Separate blocks, so that hooks of a file apply to its own tests only.
describe.each(files)('%s', (file) => {
	require(join(FOLDER, file));
});
