import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { savedNames } from './savedNames.mts';

const FILE = 'test/unit/package/savedNames.txt';
const written = readFileSync(join(import.meta.dirname, 'savedNames.txt'), 'utf8')
	.split('\n')
	.filter((line) => line !== '');
const names = savedNames();

/** What the report of a failed test says; empty when there is nothing to say. */
const report = (lines: string[], meaning: string) =>
	lines.length === 0 ? '' : `${lines.join('\n')}\n\n${meaning}`;

it('no name, type or default that workflows have saved is gone or another', () => {
	const gone = written.filter((line) => !names.includes(line));
	expect(
		report(
			gone,
			`Saved workflows hold on to these. Removing or renaming one is a major version, and another default or type needs a new typeVersion (CONTRIBUTING.md, "Versions"). Take a line out of ${FILE} only together with that.`,
		),
	).toBe('');
});

it('every new name that workflows will save is written down', () => {
	const added = names.filter((line) => !written.includes(line));
	expect(
		report(
			added,
			`Once released, these can never be renamed. If they are meant, put the lines into ${FILE}, in the order of the alphabet; that is a minor version (CONTRIBUTING.md, "Versions").`,
		),
	).toBe('');
});

it('the list of saved names is sorted, so that a change of it is easy to read', () => {
	expect(written).toEqual([...new Set(written)].sort());
});
