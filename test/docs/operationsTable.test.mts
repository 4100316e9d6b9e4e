import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { withOperationsTable } from './operationsTable.mts';

it('finds the README in step with the list of operations', () => {
	const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');
	expect(readme).toBe(withOperationsTable(readme));
});
