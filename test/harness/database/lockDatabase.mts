import { openDatabase } from './database.mts';

/**
 * Takes the write lock of n8n's SQLite database, so that n8n can read but store nothing.
 * Returns what gives the lock back.
 */
export async function lockDatabase(userFolder: string): Promise<() => Promise<void>> {
	const database = await openDatabase(userFolder);
	await database.query('BEGIN IMMEDIATE');
	return async () => {
		await database.query('ROLLBACK');
		await database.close();
	};
}
