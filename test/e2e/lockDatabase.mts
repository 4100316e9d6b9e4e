import { createRequire } from 'node:module';
import { join } from 'node:path';

import { installN8n } from '../n8n/install.mts';

interface Database {
	run(sql: string, done: (error: Error | null) => void): void;
	close(done: (error: Error | null) => void): void;
}

/**
 * Takes the write lock of n8n's SQLite database, so that n8n can read but store nothing.
 * Uses the driver of the installed n8n. Returns what gives the lock back.
 */
export async function lockDatabase(userFolder: string): Promise<() => Promise<void>> {
	const { n8n } = await installN8n(() => undefined);
	const sqlite = createRequire(n8n)('sqlite3') as { Database: new (file: string, opened: (error: Error | null) => void) => Database };
	const file = join(userFolder, '.n8n', 'database.sqlite');
	const database = await new Promise<Database>((resolve, reject) => {
		const opened: Database = new sqlite.Database(file, (error) => (error ? reject(error) : resolve(opened)));
	});
	const run = async (sql: string) =>
		await new Promise<void>((resolve, reject) => database.run(sql, (error) => (error ? reject(error) : resolve())));
	await run('PRAGMA busy_timeout = 10000');
	await run('BEGIN IMMEDIATE');
	return async () => {
		await run('ROLLBACK');
		await new Promise<void>((resolve, reject) => database.close((error) => (error ? reject(error) : resolve())));
	};
}
