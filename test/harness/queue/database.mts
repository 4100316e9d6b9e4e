import { createRequire } from 'node:module';

import type { Database } from '../database/database.mts';
import { installN8n } from '../n8n/install.mts';
import type { Server } from './servers.mts';

interface Driver {
	Client: new (settings: object) => {
		connect(): Promise<void>;
		query(sql: string, values: unknown[]): Promise<{ rows: Array<Record<string, unknown>> }>;
		end(): Promise<void>;
	};
}

/** Opens n8n's PostgreSQL database while n8n uses it, with the driver of the installed n8n. The caller closes it. */
export async function openPostgres({ port }: Server): Promise<Database> {
	const { n8n } = await installN8n(() => undefined);
	const { Client } = createRequire(n8n)('pg') as Driver;
	const client = new Client({ host: '127.0.0.1', port, user: 'n8n', database: 'postgres' });
	await client.connect();
	return {
		async query(sql, ...values) {
			let place = 0;
			return (
				await client.query(
					sql.replaceAll('?', () => `$${++place}`),
					values,
				)
			).rows;
		},
		close: async () => await client.end(),
	};
}
