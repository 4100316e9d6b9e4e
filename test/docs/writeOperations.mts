import { readFileSync, writeFileSync } from 'node:fs';

import { withOperationsTable } from './operationsTable.mts';

const readme = new URL('../../README.md', import.meta.url);
writeFileSync(readme, withOperationsTable(readFileSync(readme, 'utf8')));
