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

const many = Array.from({ length: 251 }, (_, at) => `new-${at}`);

it.each([0, 1])(
	'a recording that the database answers after the timeout is undone before the next call, after %d failures',
	async (failures) => {
		const { stored, removals, faults, notes, timeOut, answer } = slowNotes();
		faults.removals = failures;
		stored.record('node', ['old']);
		const recorded = notes.lookUpAndRecord(['old', ...many]);
		await turns();
		timeOut();
		expect(await recorded).toBeUndefined();
		const next = notes.lookUpAndRecord(['old', ...many]);
		answer();
		await turns();
		expect(removals).toEqual([250, 1]);
		expect(stored.of('node')).toHaveLength(1);
		answer();
		expect(await next).toEqual(new Set(['old']));
		expect(removals).toHaveLength(2);
	},
);

it('a shared lock holds for all nodes of the workflow, another one for the node', () => {
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
	expect([own.lock('n'), own.lock('n'), own.lock('s', true)]).toEqual([true, true, true]);
	expect([sameNode.lock('n'), sameNode.lock('s', true)]).toEqual([false, false]);
	expect([sameWorkflow.lock('n'), sameWorkflow.lock('s', true)]).toEqual([true, false]);
	expect([other.lock('n'), other.lock('s', true)]).toEqual([true, true]);
	own.unlock();
	expect([sameNode.lock('n'), sameNode.lock('s', true)]).toEqual([true, true]);
});

it('after a part that failed, the rest of a removal stays, so that no payment loses only its last notes', async () => {
	const { stored, faults, notes } = slowNotes();
	stored.record('node', many);
	faults.removals = 2;
	expect(await notes.remove(many)).toBe(false);
	await turns();
	expect(stored.of('node')).toHaveLength(many.length);
});

it('after a part that failed, the rest of a late recording stays', async () => {
	const { stored, faults, notes, timeOut, answer } = slowNotes();
	faults.removals = 2;
	const recorded = notes.lookUpAndRecord(many);
	await turns();
	timeOut();
	expect(await recorded).toBeUndefined();
	answer();
	await turns();
	expect(stored.of('node')).toHaveLength(many.length);
});

it('a removal takes effect even if the run has stopped waiting for it', async () => {
	const { stored, faults, notes, timeOut, answer } = slowNotes();
	stored.record('node', [...many, 'other']);
	faults.held = true;
	const removed = notes.remove(many);
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
