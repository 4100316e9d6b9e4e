import type { IExecuteFunctions } from 'n8n-workflow';

import { createTurns, nodeKey, repeatedly } from '../../shared/turns';
import type { Notes } from '../batch/batch';

/** Maximum number of notes per node. n8n drops the oldest. */
const OPTIONS = { mode: 'entries' as const, maxEntries: 20_000 };

/**
 * Milliseconds that a run waits for n8n's database, its turn included. A busy n8n is blocked for seconds after a
 * restart, and a call that is given up leaves its payments unknown.
 */
const WITHIN_MS = 30_000;

type Context = Pick<IExecuteFunctions, 'getNode' | 'getWorkflow' | 'helpers'>;

/** Returns the notes of a node, for one run. */
export type NotesFor = (n8n: Context) => Notes;

/**
 * Creates the access to notes in n8n's database. Even a call that hangs delays the next one of the node, because a late
 * write would undo newer notes.
 */
export function createNotes(wait: (ms: number) => Promise<void>): NotesFor {
	const turnOf = createTurns();
	/** Locked notes of all runs, each with the ID of its node. */
	const locked = new Set<string>();

	return (n8n) => {
		const node = nodeKey(n8n);
		const own = new Set<string>();

		/**
		 * Calls the database when it is this call's turn.
		 * @param work must not throw. Gets a function that tells if the run has stopped waiting.
		 * @returns undefined if the call failed or timed out. It may still take effect.
		 */
		const inTurn = async <Result>(
			work: (isLate: () => boolean) => Promise<Result | undefined>,
		): Promise<Result | undefined> => {
			let isLate = false;
			return await Promise.race([
				turnOf(node, async () => await work(() => isLate)),
				wait(WITHIN_MS).then(() => {
					isLate = true;
					return undefined;
				}),
			]);
		};

		const removeNow = async (notes: string[]) =>
			await repeatedly(async () => {
				await n8n.helpers.removeProcessed(notes, 'node', OPTIONS);
				return true;
			});

		/** Records notes. `attempts` is more than 1 if a failed attempt may have recorded them. */
		const recordInTurn = async (notes: string[]) => {
			let attempts = 0;
			const recorded = await inTurn(async (isLate) => {
				const found = await repeatedly(async () => {
					if (isLate()) return undefined;
					attempts += 1;
					return await n8n.helpers.checkProcessedAndRecord(notes, 'node', OPTIONS);
				});
				// The run has gone on without these notes, so they would forbid a payment that was not sent.
				if (found && found.new.length > 0 && isLate()) await removeNow(found.new.map(String));
				return found;
			});
			return recorded && { fresh: new Set(recorded.new.map(String)), attempts };
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
			lookUpAndRecord: async (notes) => {
				const recorded = await recordInTurn(notes);
				if (!recorded) return undefined;
				const { fresh, attempts } = recorded;
				// The failed attempt may have stored all notes, so it is unknown which notes existed before.
				if (attempts > 1 && fresh.size === 0) return undefined;
				return new Set(notes.filter((note) => !fresh.has(note)));
			},
			record: async (notes) => (await recordInTurn(notes)) !== undefined,
			remove: async (notes) => (await inTurn(async () => await removeNow(notes))) === true,
			count: async () =>
				await inTurn(
					async () =>
						await Promise.resolve()
							.then(async () => await n8n.helpers.getProcessedDataCount('node', OPTIONS))
							.catch(() => undefined),
				),
		};
	};
}
