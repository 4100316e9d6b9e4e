import { createRequire } from 'node:module';
import { join } from 'node:path';

import { installN8n, NEWEST_N8N } from '../n8n/install.mts';

type Done<Result> = (error: Error | null, result: Result) => void;

interface Driver {
	all(sql: string, values: unknown[], done: Done<Array<Record<string, unknown>>>): void;
	close(done: (error: Error | null) => void): void;
}

export interface Database {
	/** Runs one statement; gives its rows. */
	query(sql: string, ...values: unknown[]): Promise<Array<Record<string, unknown>>>;
	close(): Promise<void>;
}

/**
 * Opens n8n's SQLite database beside it. The one who opens it closes it. The driver is always that of the newest n8n: the
 * older ones' are built for the Node that runs n8n, and crash in another one.
 */
export async function openDatabase(userFolder: string): Promise<Database> {
	const { n8n } = await installN8n(() => undefined, NEWEST_N8N);
	const sqlite = createRequire(n8n)('sqlite3') as {
		Database: new (file: string, opened: (error: Error | null) => void) => Driver;
	};
	const file = join(userFolder, '.n8n', 'database.sqlite');
	const driver = await new Promise<Driver>((resolve, reject) => {
		const opened: Driver = new sqlite.Database(file, (error) =>
			error ? reject(error) : resolve(opened),
		);
	});
	const query: Database['query'] = async (sql, ...values) =>
		await new Promise((resolve, reject) =>
			driver.all(sql, values, (error, rows) => (error ? reject(error) : resolve(rows))),
		);
	await query('PRAGMA busy_timeout = 10000');
	return {
		query,
		close: async () =>
			await new Promise((resolve, reject) =>
				driver.close((error) => (error ? reject(error) : resolve())),
			),
	};
}
