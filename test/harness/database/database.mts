import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { installN8n, NEWEST_N8N } from '../n8n/install.mts';

type Row = Record<string, unknown>;

export interface Database {
	/** Runs one statement and returns its rows. One statement at a time. */
	query(sql: string, ...values: unknown[]): Promise<Row[]>;
	close(): Promise<void>;
}

/**
 * Opens n8n's SQLite database from outside n8n. The caller closes it. The driver comes from the newest n8n and runs in a
 * process of the matching Node version.
 */
export async function openDatabase(userFolder: string): Promise<Database> {
	const { n8n, node } = await installN8n(() => undefined, NEWEST_N8N);
	const file = join(userFolder, '.n8n', 'database.sqlite');
	const child = fork(join(import.meta.dirname, 'query.mjs'), [n8n, file], {
		execPath: node,
		execArgv: [],
		// Keeps buffers.
		serialization: 'advanced',
	});
	const ended = once(child, 'exit').then(([code]) => [
		{ error: `The process of the database driver ended with ${String(code)}` },
	]);
	const answered = async (): Promise<Row[]> => {
		const [{ error, rows = [] }] = (await Promise.race([once(child, 'message'), ended])) as [
			{ error?: string; rows?: Row[] },
		];
		if (error !== undefined) throw new Error(error);
		return rows;
	};
	await answered();
	const query: Database['query'] = async (sql, ...values) => {
		child.send({ sql, values });
		return await answered();
	};
	await query('PRAGMA busy_timeout = 10000');
	return {
		query,
		close: async () => {
			child.disconnect();
			await ended;
		},
	};
}

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
