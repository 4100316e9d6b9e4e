import { openDatabase } from './database.mts';

/**
 * Takes the write lock of n8n's SQLite database, so that n8n can read but not write.
 * @returns a function that releases the lock
 */
export async function lockDatabase(userFolder: string): Promise<() => Promise<void>> {
	const database = await openDatabase(userFolder);
	await database.query('BEGIN IMMEDIATE');
	return async () => {
		await database.query('ROLLBACK');
		await database.close();
	};
}
