import { createHash } from 'node:crypto';

/**
 * Notes of processed entries as n8n's deduplication helper stores them (n8n 2.41): one row per node ID, which is read,
 * changed and written back. Duplicates within a call are all stored, and a removal deletes one of them.
 */
export class Notes {
	private readonly rows = new Map<string, string[]>();

	of(row: string): readonly string[] {
		return this.rows.get(row) ?? [];
	}

	/** Writes back an earlier state of a row, like a slow call that overwrites later changes. */
	restore(row: string, read: readonly string[]): void {
		this.rows.set(row, [...read]);
	}

	record(row: string, entries: string[], maxEntries = Infinity) {
		const before = new Set(this.of(row));
		const isKnown = (entry: string) => before.has(hashOf(entry));
		const added = entries.filter((entry) => !isKnown(entry));
		const all = [...this.of(row), ...added.map(hashOf)];
		this.rows.set(row, all.slice(Math.max(0, all.length - maxEntries)));
		return { new: added, processed: entries.filter(isKnown) };
	}

	remove(row: string, entries: string[]): void {
		const known = this.rows.get(row) ?? [];
		for (const hash of entries.map(hashOf)) {
			const index = known.indexOf(hash);
			if (index !== -1) known.splice(index, 1);
		}
	}
}

const hashOf = (entry: string) => createHash('md5').update(entry).digest('base64');
