import type { IExecuteFunctions } from 'n8n-workflow';

import { createNotes } from '../../../../nodes/CardTreasury/n8n/notes.ts';
import { Notes } from '../../../harness/notes.mts';

const turns = async () => await new Promise((resolve) => setImmediate(resolve));

/** Notes of a node, in a database that answers recordings, and removals if they are `held`, on demand. */
function slowNotes() {
	const stored = new Notes();
	const removals: number[] = [];
	/** Ends of the waits for the database. */
	const timeOuts: Array<() => void> = [];
	const faults = { removals: 0, held: false };
	let answer = () => {};
	const held = async () => await new Promise<void>((resolve) => (answer = resolve));
	const n8n = {
		getNode: () => ({ id: 'node' }),
		getWorkflow: () => ({ id: 'workflow' }),
		helpers: {
			checkProcessedAndRecord: async (entries: string[]) => {
				await held();
				return stored.record('node', entries);
			},
			removeProcessed: async (entries: string[]) => {
				if (faults.held) await held();
				if (faults.removals-- > 0) throw new Error('SQLITE_BUSY');
				removals.push(entries.length);
				stored.remove('node', entries);
			},
		},
	} as unknown as IExecuteFunctions;
	const wait = async () => await new Promise<void>((resolve) => timeOuts.push(resolve));
	return {
		stored,
		removals,
		faults,
		notes: createNotes(wait)(n8n),
		timeOut: () => timeOuts.splice(0).forEach((end) => end()),
		answer: () => answer(),
	};
}

const NEW = ['new-1', 'new-2'];

it.each([0, 1])(
	'a recording that the database answers after the timeout is undone before the next call, after %d failures',
	async (failures) => {
		const { stored, removals, faults, notes, timeOut, answer } = slowNotes();
		faults.removals = failures;
		stored.record('node', ['old']);
		const recorded = notes.lookUpAndRecord(['old', ...NEW]);
		await turns();
		timeOut();
		expect(await recorded).toBeUndefined();
		const next = notes.lookUpAndRecord(['old', ...NEW]);
		answer();
		await turns();
		expect(removals).toEqual([2]);
		expect(stored.of('node')).toHaveLength(1);
		answer();
		expect(await next).toEqual(new Set(['old']));
		expect(removals).toHaveLength(1);
	},
);

it('recording notes that exist succeeds, and one that comes too late fails', async () => {
	const { stored, notes, timeOut, answer } = slowNotes();
	stored.record('node', NEW);
	const recorded = notes.record([...NEW, 'other']);
	await turns();
	answer();
	expect(await recorded).toBe(true);
	expect(stored.of('node')).toHaveLength(3);
	const late = notes.record(['late']);
	await turns();
	timeOut();
	expect(await late).toBe(false);
});

it('the number of notes is unknown where n8n does not count them', async () => {
	const { notes } = slowNotes();
	expect(await notes.count()).toBeUndefined();
});

it('a lock holds for all runs of the node', () => {
	const notesFor = createNotes(async () => {});
	const of = (workflow: string, node: string) =>
		notesFor({
			getNode: () => ({ id: node }),
			getWorkflow: () => ({ id: workflow }),
		} as unknown as IExecuteFunctions);
	const [own, sameNode, sameWorkflow, other] = [
		of('w', 'a'),
		of('w', 'a'),
		of('w', 'b'),
		of('other', 'a'),
	];
	expect([own.lock('n'), own.lock('n')]).toEqual([true, true]);
	expect(sameNode.lock('n')).toBe(false);
	expect([sameWorkflow.lock('n'), other.lock('n')]).toEqual([true, true]);
	own.unlock();
	expect(sameNode.lock('n')).toBe(true);
});

it('a removal fails after two attempts', async () => {
	const { stored, faults, notes } = slowNotes();
	stored.record('node', NEW);
	faults.removals = 2;
	expect(await notes.remove(NEW)).toBe(false);
	expect(stored.of('node')).toHaveLength(2);
	expect(await notes.remove(NEW)).toBe(true);
});

it('a removal takes effect even if the run has stopped waiting for it', async () => {
	const { stored, faults, notes, timeOut, answer } = slowNotes();
	stored.record('node', [...NEW, 'other']);
	faults.held = true;
	const removed = notes.remove(NEW);
	await turns();
	timeOut();
	expect(await removed).toBe(false);
	const next = notes.remove(['other']);
	await turns();
	timeOut();
	expect(await next).toBe(false);
	faults.held = false;
	answer();
	await turns();
	expect(stored.of('node')).toEqual([]);
});

it('calls of n8n never overlap, even when one begins after an earlier one has ended', async () => {
	const under = { now: 0, most: 0 };
	const ends: Array<() => void> = [];
	const n8n = {
		getNode: () => ({ id: 'node' }),
		getWorkflow: () => ({ id: 'workflow' }),
		helpers: {
			checkProcessedAndRecord: async (entries: string[]) => {
				under.most = Math.max(under.most, ++under.now);
				await new Promise<void>((resolve) => ends.push(resolve));
				under.now--;
				return { new: entries, processed: [] };
			},
		},
	} as unknown as IExecuteFunctions;
	const notes = createNotes(async () => await new Promise<void>(() => undefined))(n8n);
	const [first, second] = [notes.record(['a']), notes.record(['b'])];
	await turns();
	ends.shift()!();
	await first;
	await turns();
	// The second call is under way; a third one has to wait for it.
	const third = notes.record(['c']);
	await turns();
	expect(under).toEqual({ now: 1, most: 1 });
	for (const each of [second, third]) {
		ends.shift()!();
		expect(await each).toBe(true);
		await turns();
	}
	expect(under).toEqual({ now: 0, most: 1 });
});
