import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The unit tests of the action node, all in one file, for Stryker alone: it starts jest for each mutant, and loading the
 * operations once instead of for every test file is what makes a run of thousands of mutants possible.
 */

const FOLDER = join(import.meta.dirname, '../unit/CardTreasury');
const files = ['.', 'batch', 'fields', 'resources'].flatMap((folder) =>
	readdirSync(join(FOLDER, folder))
		.filter((name) => name.endsWith('.test.mts'))
		.map((name) => join(folder, name)),
);

// In a block of its own each, so that what a file does before its tests stays its own.
describe.each(files)('%s', (file) => {
	require(join(FOLDER, file));
});
