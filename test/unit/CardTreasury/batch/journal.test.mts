import { createJournal, type JournalData } from '../../../../nodes/CardTreasury/batch/journal.ts';

const all = () => true;

it('keeps how each place ended, in a form that survives as JSON', () => {
	const data: JournalData = {};
	const journal = createJournal(data, all);
	expect(journal.find('0/0')).toBeUndefined();
	journal.record('0/0', { fingerprint: 'a', state: 'unknown' });
	journal.record('0/1', { fingerprint: 'b', state: 'rejected' });
	journal.record('0/0', { fingerprint: 'a', state: 'done', items: [{ id: 1 }] });
	const again = createJournal(JSON.parse(JSON.stringify(data)) as JournalData, all);
	expect(again.find('0/0')).toEqual({ fingerprint: 'a', state: 'done', items: [{ id: 1 }] });
	expect(again.find('0/1')).toEqual({ fingerprint: 'b', state: 'rejected' });
});

it('forgets the places of earlier rounds, and with clear those of a run that is done', () => {
	const data: JournalData = {};
	createJournal(data, all).record('0/0', { fingerprint: 'a', state: 'done' });
	createJournal(data, all).record('1/0', { fingerprint: 'b', state: 'done' });
	const journal = createJournal(data, (place) => place.startsWith('1/'));
	expect(journal.find('0/0')).toBeUndefined();
	expect(journal.find('1/0')).toBeDefined();
	journal.clear();
	expect(journal.find('1/0')).toBeUndefined();
	expect(data.entries).toEqual({});
});

it('never forgets with clear what may have been executed', () => {
	const data: JournalData = {};
	const journal = createJournal(data, all);
	journal.record('0/0', { fingerprint: 'a', state: 'done' });
	journal.record('0/1', { fingerprint: 'b', state: 'unknown' });
	journal.record('0/2', { fingerprint: 'c', state: 'rejected' });
	journal.clear();
	expect(data.entries).toEqual({ '0/1': { fingerprint: 'b', state: 'unknown' } });
});

it('counts definite answers by path, also through clear', () => {
	const data: JournalData = {};
	const journal = createJournal(data, all);
	journal.changed('/a');
	journal.changed('/a');
	journal.clear();
	const again = createJournal(data, all);
	expect([again.changes('/a'), again.changes('/b')]).toEqual([2, 0]);
});

it('gives the entries of all other places', () => {
	const journal = createJournal({}, all);
	journal.record('a', { fingerprint: 'a', state: 'done' });
	journal.record('b', { fingerprint: 'b', state: 'rejected' });
	expect(journal.others('a')).toEqual([{ fingerprint: 'b', state: 'rejected' }]);
});

it('gives what was sent under a key', () => {
	const journal = createJournal({}, all);
	journal.record('a', { fingerprint: 'a', key: 'invoice-7', state: 'done' });
	journal.record('b', { fingerprint: 'b', state: 'done' });
	journal.record('c', { fingerprint: 'c', key: 'invoice-8', state: 'unknown' });
	expect(journal.sentWith('invoice-7')).toEqual([
		{ fingerprint: 'a', key: 'invoice-7', state: 'done' },
	]);
	expect(journal.sentWith('invoice')).toEqual([]);
});
