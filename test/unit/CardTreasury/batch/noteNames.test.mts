import type { Batch, Checked, Read } from '../../../../nodes/CardTreasury/batch/batch.ts';
import { createJournal, type JournalData } from '../../../../nodes/CardTreasury/batch/journal.ts';
import { notesOf, numberUnkeyed } from '../../../../nodes/CardTreasury/batch/noteNames.ts';

/** Batch of one loop iteration of an execution; iterations share `data`. */
const batchOf = (data: JournalData, round = 0, isTool = false) => {
	createJournal(data, 'Node', 0);
	return {
		caller: { startedAt: 1_000, isTool },
		journal: createJournal(data, 'Node', round),
		service: { target: 'api.example.com' },
		parts: { size: 10 },
	} as unknown as Batch;
};

const item = (index: number, fingerprint: string) =>
	({ index, work: { fingerprint, profile: { effect: 'unkeyed write' } } }) as unknown as Checked;

const numbersOf = (batch: Batch, ...fingerprints: string[]) => [
	...numberUnkeyed(
		fingerprints.map((each, index) => item(index, each) as Read),
		batch,
	).values(),
];

describe('numbers of equal unkeyed writes', () => {
	it('equal writes are counted over the iterations of an execution', () => {
		const data: JournalData = {};
		expect(numbersOf(batchOf(data), 'a', 'b', 'a')).toEqual([0, 0, 1]);
		expect(numbersOf(batchOf(data, 1), 'a', 'c')).toEqual([2, 0]);
	});

	it('a retry that begins in an earlier iteration gets the numbers of that iteration', () => {
		const data: JournalData = {};
		numbersOf(batchOf(data), 'a');
		numbersOf(batchOf(data, 1), 'a', 'a');
		expect(numbersOf(batchOf(data), 'a')).toEqual([0]);
		expect(numbersOf(batchOf(data, 1), 'a', 'a')).toEqual([1, 2]);
	});

	it("an agent's equal calls are not numbered, so that a repeat is recognized", () => {
		expect(numbersOf(batchOf({}, 0, true), 'a', 'a')).toEqual([]);
	});
});

describe('note of a part', () => {
	const partOf = (index: number, round: number) =>
		notesOf(item(index, 'a'), 0, batchOf({}, round)).part;

	it('items of one part share a note, and other parts and iterations have others', () => {
		expect(partOf(9, 0)).toBe(partOf(0, 0));
		const notes = [partOf(0, 0), partOf(10, 0), partOf(0, 1), partOf(20, 0), partOf(0, 2)];
		expect(new Set(notes).size).toBe(notes.length);
	});

	it('the note never changes, or a retry across an update would send a part again', () => {
		expect(partOf(20, 1)).toBe('GynEDitV5twel_NUeo0w6Ht2XNH4nA6KkqU28Qs21D8');
	});
});
