import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Unit tests of the code next to n8n and the engine tests, in one file for Stryker (see `unit.test.mts`): it loads n8n's
 * engine once per mutant.
 */

/** Slow tests of load and time. Quicker tests notice the same mutants. */
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
