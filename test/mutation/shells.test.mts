import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The unit tests of the shells towards n8n, and after them those in n8n's own engine, all in one file for Stryker alone
 * (see `unit.test.mts`): n8n's engine is loaded once for each mutant.
 */

/** Load and time: they say nothing of the shells that a quicker one does not, and take most of the suite's time. */
const SLOW = /\/(batches|faults|plainNode)\.test/;

const TESTS = join(import.meta.dirname, '..');
const files = ['unit', 'engine'].flatMap((folder) =>
	readdirSync(join(TESTS, folder), { recursive: true, encoding: 'utf8' })
		.map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
		.filter((path) => path.endsWith('.test.mts') && /\/n8n\/|^engine\//.test(path))
		.filter((path) => !SLOW.test(path))
		.sort(),
);

describe.each(files)('%s', (file) => {
	require(join(TESTS, file));
});
