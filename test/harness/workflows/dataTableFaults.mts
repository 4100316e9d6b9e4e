import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { listen } from '../../simulator/listen.mts';

/**
 * Server that decides whether the database fails for one of n8n's Data Table nodes, which nothing outside n8n could do
 * to a single node.
 */
export async function startDataTableFaults() {
	const server = createServer((incoming, response) => {
		const { searchParams } = new URL(incoming.url ?? '/', 'http://127.0.0.1');
		response.end(JSON.stringify(faults.refuse(searchParams.get('node') ?? '')));
	});
	const { url, close } = await listen(server);
	const preload = pathToFileURL(join(import.meta.dirname, 'dataTableFaults.mjs')).href;
	const faults = {
		/** True if the node of this name fails now. */
		refuse: (_node: string): boolean => false,
		/** Environment for n8n. */
		env: { NODE_OPTIONS: `--import=${preload}`, DATA_TABLE_FAULTS_URL: url },
		close,
	};
	return faults;
}
