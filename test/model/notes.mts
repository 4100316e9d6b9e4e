import { createHash } from 'node:crypto';

import { Deliberate } from './incidents.mts';

/**
 * n8n's notes of processed entries, as its deduplication helper keeps them (n8n 2.41): a list per workflow and node id,
 * found, changed and written back, with no atomic step. Survives processes.
 */
export class Notes {
	private readonly rows = new Map<string, string[]>();

	async record(
		row: string,
		entries: string[],
		maxEntries: number | undefined,
	): Promise<{ new: string[]; processed: string[] }> {
		const found = this.rows.get(row);
		const known = [...(found ?? [])];
		const set = new Set(known);
		// n8n waits for its database here.
		await Promise.resolve();
		const result: { new: string[]; processed: string[] } = { new: [], processed: [] };
		for (const entry of entries) {
			const hash = hashOf(entry);
			if (set.has(hash)) result.processed.push(entry);
			else {
				result.new.push(entry);
				known.push(hash);
			}
		}
		if (maxEntries) known.splice(0, known.length - maxEntries);
		// An insert that comes second violates the primary key.
		if (found === undefined && this.rows.has(row)) throw new Deliberate('duplicate key value');
		this.rows.set(row, known);
		return result;
	}

	remove(row: string, entries: string[]): void {
		const gone = new Set(entries.map(hashOf));
		const known = this.rows.get(row);
		if (known)
			this.rows.set(
				row,
				known.filter((hash) => !gone.has(hash)),
			);
	}
}

const hashOf = (entry: string) => createHash('md5').update(entry).digest('base64');
