import type { IExecuteFunctions } from 'n8n-workflow';

import { createNotes } from '../../../../nodes/CardTreasury/n8n/notes.ts';
import { Notes } from '../../../harness/notes.mts';

const turns = async () => await new Promise((resolve) => setImmediate(resolve));

/** Notes of a node, in a database whose recordings are answered on demand. */
function slowNotes() {
	const stored = new Notes();
	const removals: number[] = [];
	let timeOut = () => {};
	let answer = () => {};
	const n8n = {
		getNode: () => ({ id: 'node' }),
		getWorkflow: () => ({ id: 'workflow' }),
		helpers: {
			checkProcessedAndRecord: async (entries: string[]) => {
				await new Promise<void>((resolve) => (answer = resolve));
				return stored.record('node', entries);
			},
			removeProcessed: async (entries: string[]) => {
				removals.push(entries.length);
				stored.remove('node', entries);
			},
		},
	} as unknown as IExecuteFunctions;
	const wait = async () => await new Promise<void>((resolve) => (timeOut = resolve));
	return {
		stored,
		removals,
		notes: createNotes(wait)(n8n),
		timeOut: () => timeOut(),
		answer: () => answer(),
	};
}

it('a recording that the database answers after the timeout is undone before the next call', async () => {
	const { stored, removals, notes, timeOut, answer } = slowNotes();
	stored.record('node', ['old']);
	const fresh = Array.from({ length: 251 }, (_, at) => `new-${at}`);
	const recorded = notes.lookUpAndRecord(['old', ...fresh]);
	await turns();
	timeOut();
	expect(await recorded).toBeUndefined();
	const next = notes.lookUpAndRecord(['old', ...fresh]);
	answer();
	await turns();
	expect(removals).toEqual([250, 1]);
	expect(stored.of('node')).toHaveLength(1);
	answer();
	expect(await next).toEqual(new Set(['old']));
	expect(removals).toHaveLength(2);
});
