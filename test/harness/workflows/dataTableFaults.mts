import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { listen } from '../../simulator/listen.mts';

/** Decides for n8n's own Data Table nodes whether the database fails them, which nothing from outside n8n can do to one node. */
export async function startDataTableFaults() {
	const server = createServer((incoming, response) => {
		const { searchParams } = new URL(incoming.url ?? '/', 'http://127.0.0.1');
		response.end(JSON.stringify(faults.refuse(searchParams.get('node') ?? '')));
	});
	const { url, close } = await listen(server);
	const preload = pathToFileURL(join(import.meta.dirname, 'dataTableFaults.mjs')).href;
	const faults = {
		/** Whether the node of this name fails now. */
		refuse: (_node: string): boolean => false,
		/** For n8n's environment. */
		env: { NODE_OPTIONS: `--import=${preload}`, DATA_TABLE_FAULTS_URL: url },
		close,
	};
	return faults;
}
