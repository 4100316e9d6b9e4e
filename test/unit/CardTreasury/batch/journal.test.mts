import {
	callPlace,
	createJournal,
	type JournalData,
	type JournalEntry,
} from '../../../../nodes/CardTreasury/batch/journal.ts';
import type { Outcome } from '../../../../nodes/CardTreasury/request/errors.ts';

const entry = (outcome: Outcome, more: Partial<JournalEntry> = {}): JournalEntry => ({
	fingerprint: 'f',
	outcome,
	target: 't',
	credential: 'c',
	node: 'n',
	...more,
});
const at = (item: number, node = 'Node', round = 0) => open({}, node, round).itemPlace(item);
const CALL = callPlace('INV-1', 'call');
/** In a round of an execution, which begins with round 0. */
function open(data: JournalData = {}, node = 'Node', round = 0) {
	createJournal(data, node, 0);
	return createJournal(data, node, round);
}
const HERE = at(0);

describe('the journal', () => {
	it('the journal stores the outcome of each place as JSON', () => {
		const data: JournalData = {};
		const journal = open(data);
		expect(journal.find(HERE)).toBeUndefined();
		journal.record(HERE, entry('unknown'));
		journal.record(at(1), entry('rejected'));
		journal.record(HERE, entry('accepted', { items: [{ id: 1 }] }));
		journal.record(CALL, entry('unknown'));
		const again = open(JSON.parse(JSON.stringify(data)) as JournalData);
		expect(again.find(HERE)).toEqual(entry('accepted', { items: [{ id: 1 }] }));
		expect(again.find(at(1))).toEqual(entry('rejected'));
		expect(again.find(CALL)).toEqual(entry('unknown'));
		again.record(HERE, undefined);
		expect(again.find(HERE)).toBeUndefined();
	});

	it("the journal drops only the node's output of earlier iterations, which n8n stores", () => {
		const items = [{ id: 1 }];
		const data: JournalData = {};
		const journal = open(data);
		const places = [HERE, at(0, 'Other'), CALL];
		for (const place of places) journal.record(place, entry('accepted', { items }));
		const next = open(data, 'Node', 1);
		expect(places.map((place) => next.find(place)?.items)).toEqual([undefined, items, items]);
		expect(next.find(HERE)).toEqual(entry('accepted'));
	});

	it("the journal returns the amounts that an agent's other calls transferred or may have transferred", () => {
		const journal = open();
		const call = (reference: string) => callPlace(reference, 'f');
		journal.record(call('a'), entry('accepted', { amount: '1' }));
		journal.record(call('b'), entry('unknown', { amount: '2' }));
		journal.record(call('c'), entry('failed', { amount: '3' }));
		journal.record(call('d'), entry('rejected', { amount: '4' }));
		journal.record(call('e'), entry('accepted'));
		journal.record(HERE, entry('accepted', { amount: '5' }));
		expect(journal.otherAmounts(new Set([call('f')]), true)).toEqual(['1', '2']);
		expect(journal.otherAmounts(new Set([call('b')]), true)).toEqual(['1']);
	});

	it("the journal returns the amounts that the iteration's other items transferred or may have transferred", () => {
		const journal = open({}, 'Node', 1);
		journal.record(at(0, 'Node', 1), entry('accepted', { amount: '1' }));
		journal.record(at(1, 'Node', 1), entry('unknown', { amount: '2' }));
		journal.record(at(2, 'Node', 1), entry('rejected', { amount: '3' }));
		journal.record(at(0, 'Node', 0), entry('accepted', { amount: '4' }));
		journal.record(CALL, entry('accepted', { amount: '5' }));
		expect(journal.otherAmounts(new Set([at(1, 'Node', 1)]), false)).toEqual(['1']);
	});

	it.each<[Outcome, boolean]>([
		['accepted', true],
		['failed', true],
		['unknown', true],
		['rejected', false],
	])('the journal shows if anything was sent that was not rejected: %s', (outcome, sent) => {
		const journal = open();
		expect(journal.hasSent()).toBe(false);
		journal.record(at(0, 'Other', 3), entry(outcome));
		expect(journal.hasSent()).toBe(sent);
	});

	it("loop iterations count from the first recorded run, because n8n's run index is not reset by a crash", () => {
		const data: JournalData = {};
		const places = [0, 1].map((run) => createJournal(data, 'Node', run).itemPlace(0));
		expect(createJournal({}, 'Node', 1).itemPlace(0)).toBe(places[0]);
		const stored = JSON.parse(JSON.stringify(data)) as JournalData;
		expect(createJournal(stored, 'Node', 1).itemPlace(0)).toBe(places[1]);
		expect(createJournal(data, '__proto__', 4).round).toBe(0);
	});

	it('the journal distinguishes calls by reference and values', () => {
		const calls = [
			['a', 'f'],
			['b', 'f'],
			['a', 'g'],
			[undefined, 'f'],
			['undefined', 'f'],
		] as const;
		const places = calls.map(([reference, fingerprint]) => callPlace(reference, fingerprint));
		expect(new Set(places).size).toBe(calls.length);
		// Saved in the journal, so a retry across an update looks it up.
		expect(callPlace(undefined, 'f')).toBe('{"fingerprint":"f"}');
	});
});
