import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes the database fail for one of n8n's Data Table nodes, which nothing outside n8n could do to a single node. n8n
 * reads the faults from a file, because it looks for each row.
 */
export function createDataTableFaults() {
	const folder = mkdtempSync(join(tmpdir(), 'card-treasury-faults-'));
	const file = join(folder, 'faults.json');
	const write = (fault: object) => writeFileSync(file, JSON.stringify(fault));
	write({});
	return {
		refuse: (node: string, fault: 'once' | 'always') => write({ node, fault }),
		mend: () => write({}),
		env: { DATA_TABLE_FAULTS: file },
		close: () => rmSync(folder, { recursive: true, force: true }),
	};
}
