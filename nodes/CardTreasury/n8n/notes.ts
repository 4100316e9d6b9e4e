import type { IExecuteFunctions } from 'n8n-workflow';

import type { Notes } from '../batch/batch';

/** Bound on the notes of a node; n8n drops the oldest. */
const OPTIONS = { mode: 'entries' as const, maxEntries: 20_000 };

/** How long a payment waits for n8n's database. */
const WITHIN_MS = 4_000;

/** n8n's database fails once when two processes write the first notes of a node at the same time. */
const ATTEMPTS = 2;

/** n8n compares each value that it removes with all notes, without a pause. */
const REMOVED_AT_ONCE = 250;

type Context = Pick<IExecuteFunctions, 'getNode' | 'getWorkflow' | 'helpers'>;

/** Makes the notes of a node for one of its runs. */
export type NotesFor = (n8n: Context) => Notes;

/**
 * Notes in n8n's database. n8n reads all notes of a node, then writes them all back. So in one process there is one call at
 * a time for each node, also where an earlier one does not end: what it writes late would undo what came after it.
 */
export function createNotes(wait: (ms: number) => Promise<void>): NotesFor {
	/** The last call of each node that has one waiting or under way. */
	const turns = new Map<string, Promise<unknown>>();
	/** Notes that runs hold, by node. */
	const locked = new Set<string>();

	return (n8n) => {
		const node = `${n8n.getWorkflow().id}/${n8n.getNode().id}`;
		const own = new Set<string>();

		/** @returns undefined where the call failed, or did not end in time; then it may still have an effect if it has begun */
		const call = async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
			let isLate = false;
			const attempt = async () => {
				for (let count = 1; !isLate; count++) {
					try {
						return await work();
					} catch {
						if (count >= ATTEMPTS) return undefined;
					}
				}
				return undefined;
			};
			const turn = Promise.resolve(turns.get(node)).then(attempt);
			turns.set(node, turn);
			void turn.then(() => {
				if (turns.get(node) === turn) turns.delete(node);
			});
			return await Promise.race([
				turn,
				wait(WITHIN_MS).then(() => {
					isLate = true;
					return undefined;
				}),
			]);
		};

		return {
			lock: (note) => {
				const name = `${node} ${note}`;
				if (own.has(name)) return true;
				if (locked.has(name)) return false;
				locked.add(name);
				own.add(name);
				return true;
			},
			unlock: () => {
				for (const name of own) locked.delete(name);
				own.clear();
			},
			record: async (notes) => {
				let attempts = 0;
				const recorded = await call(async () => {
					attempts += 1;
					return await n8n.helpers.checkProcessedAndRecord(notes, 'node', OPTIONS);
				});
				if (!recorded) return undefined;
				// All may be there because the first attempt has stored them: what was there before is lost.
				if (attempts > 1 && recorded.new.length === 0) return undefined;
				const fresh = new Set(recorded.new.map(String));
				return new Set(notes.filter((note) => !fresh.has(note)));
			},
			remove: async (notes) => {
				for (let at = 0; at < notes.length; at += REMOVED_AT_ONCE) {
					const part = notes.slice(at, at + REMOVED_AT_ONCE);
					const removed = await call(async () => {
						await n8n.helpers.removeProcessed(part, 'node', OPTIONS);
						return true;
					});
					if (!removed) return false;
				}
				return true;
			},
		};
	};
}
