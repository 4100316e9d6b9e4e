import { createHash } from 'node:crypto';

/**
 * Notes of processed entries as n8n's deduplication helper stores them (n8n 2.41): one row per node ID, which is read,
 * changed and written back. Duplicates within a call are all stored, and a removal deletes one of them. Survives
 * restarts.
 */
export class Notes {
	private readonly rows = new Map<string, string[]>();
	/** Rows with evicted notes. */
	readonly evicted = new Set<string>();
	/** Rows in which a process has undone changes of another process. */
	readonly overwritten = new Set<string>();
	private readonly lost = new Map<string, number>();

	constructor(private readonly bound = Infinity) {}

	/** Notes of a row, oldest first. */
	of(row: string): readonly string[] {
		return this.rows.get(row) ?? [];
	}

	/** Writes back an earlier state of a row, like a slow call that overwrites later changes. */
	restore(row: string, read: readonly string[]): void {
		this.rows.set(row, [...read]);
	}

	/** True if the entry is stored in a row. */
	has(row: string, entry: string): boolean {
		return this.of(row).includes(hashOf(entry));
	}

	/**
	 * Changes a row as it was read before, and so undoes what another process has changed since.
	 * @param now time at which lost notes are lost
	 */
	overwrite<Result>(
		row: string,
		read: readonly string[],
		now: number,
		change: () => Result,
	): Result {
		const others = this.of(row);
		this.restore(row, read);
		const result = change();
		const isUndone = others.length !== read.length || others.some((note) => !read.includes(note));
		if (isUndone) this.overwritten.add(row);
		for (const note of others)
			if (!read.includes(note) && !this.of(row).includes(note))
				this.lost.set(`${row} ${note}`, now);
		return result;
	}

	/** Time at which another process last overwrote the entry; -Infinity if none has. */
	lostAt(row: string, entry: string): number {
		return this.lost.get(`${row} ${hashOf(entry)}`) ?? -Infinity;
	}

	record(row: string, entries: string[], maxEntries = Infinity) {
		const known = [...this.of(row)];
		const before = new Set(known);
		const result: { new: string[]; processed: string[] } = { new: [], processed: [] };
		for (const entry of entries) {
			const hash = hashOf(entry);
			if (before.has(hash)) result.processed.push(entry);
			else {
				result.new.push(entry);
				known.push(hash);
			}
		}
		const excess = known.length - Math.min(maxEntries, this.bound);
		if (excess > 0) {
			known.splice(0, excess);
			this.evicted.add(row);
		}
		this.rows.set(row, known);
		return result;
	}

	remove(row: string, entries: string[]): void {
		const known = this.rows.get(row);
		for (const hash of known ? entries.map(hashOf) : []) {
			const index = known!.indexOf(hash);
			if (index !== -1) known!.splice(index, 1);
		}
	}
}

const hashOf = (entry: string) => createHash('md5').update(entry).digest('base64');
