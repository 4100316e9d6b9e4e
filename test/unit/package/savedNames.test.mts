import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { savedNames } from './savedNames.mts';

const FILE = 'test/unit/package/savedNames.txt';
const written = readFileSync(join(import.meta.dirname, 'savedNames.txt'), 'utf8')
	.split('\n')
	.filter((line) => line !== '');
// The trigger waits for answers.
jest.useFakeTimers();
const names = savedNames();
jest.useRealTimers();

/** Report of a failed test; empty if the test passes. */
const report = (lines: string[], meaning: string) =>
	lines.length === 0 ? '' : `${lines.join('\n')}\n\n${meaning}`;

it('no saved name, type or default has been removed or changed', () => {
	const gone = written.filter((line) => !names.includes(line));
	expect(
		report(
			gone,
			`Saved workflows hold on to these. Removing or renaming one is a major version, and another default or type needs a new typeVersion (CONTRIBUTING.md, "Versions"). Take a line out of ${FILE} only together with that.`,
		),
	).toBe('');
});

it('every new saved name is listed', () => {
	const added = names.filter((line) => !written.includes(line));
	expect(
		report(
			added,
			`Once released, these can never be renamed. If they are meant, put the lines into ${FILE}, in the order of the alphabet; that is a minor version (CONTRIBUTING.md, "Versions").`,
		),
	).toBe('');
});

it('the list of saved names is sorted, so that its changes are easy to review', () => {
	expect(written).toEqual([...new Set(written)].sort());
});
