import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { installN8n, NEWEST_N8N } from '../n8n/install.mts';

type Row = Record<string, unknown>;

interface Answer {
	error?: string;
	rows?: Row[];
}

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
	await answerOf(child);
	const query: Database['query'] = async (sql, ...values) => {
		child.send({ sql, values });
		return await answerOf(child);
	};
	await query('PRAGMA busy_timeout = 10000');
	return {
		query,
		close: async () => {
			child.disconnect();
			await once(child, 'exit');
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

async function answerOf(child: ChildProcess): Promise<Row[]> {
	const answered = new AbortController();
	const { signal } = answered;
	const ended = once(child, 'exit', { signal }).then(([code]) => {
		throw new Error(`The process of the database driver ended with ${String(code)}`);
	});
	try {
		const [answer] = (await Promise.race([once(child, 'message', { signal }), ended])) as [Answer];
		if (answer.error !== undefined) throw new Error(answer.error);
		return answer.rows ?? [];
	} finally {
		answered.abort();
	}
}
