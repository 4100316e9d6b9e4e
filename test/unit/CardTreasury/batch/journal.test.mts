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
	sentAt: 1,
	...more,
});
const at = (item: number, node = 'Node', round = 0) =>
	createJournal({}, node, round).itemPlace(item);
const HERE = at(0);
const CALL = callPlace({ asks: 'call' });
const open = (data: JournalData = {}, node = 'Node', round = 0) => createJournal(data, node, round);

it('keeps what became of each place, in a form that survives as JSON', () => {
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
	again.record(HERE, entry('unknown'));
	expect(again.find(HERE)).toEqual(entry('unknown'));
	again.record(HERE, undefined);
	expect(again.find(HERE)).toBeUndefined();
});

it("keeps the output of this round, of other nodes and of an agent's calls; of earlier rounds n8n has it", () => {
	const items = [{ id: 1 }];
	const data: JournalData = {};
	const journal = open(data);
	const places = [HERE, at(0, 'Other'), CALL];
	for (const place of places) journal.record(place, entry('accepted', { items }));
	const present = () => places.map((place) => open(data).find(place)?.items);
	expect(present()).toEqual([items, items, items]);
	const next = open(data, 'Node', 1);
	expect(places.map((place) => next.find(place)?.items)).toEqual([undefined, items, items]);
	expect(next.find(HERE)).toEqual(entry('accepted'));
});

it('finds what was sent under each key, and where', () => {
	const data: JournalData = {};
	const journal = open(data);
	const seven = entry('unknown', { key: 'invoice-7' });
	journal.record(HERE, seven);
	journal.record(at(1), entry('accepted', { key: 'invoice-8' }));
	journal.record(at(2), entry('accepted'));
	journal.record(at(0, 'Node', 1), seven);
	for (const found of [journal, open(data)]) {
		expect([...found.sent().byKey.keys()]).toEqual(['invoice-7', 'invoice-8']);
		expect(found.sent().byKey.get('invoice-7')).toEqual([
			[HERE, seven],
			['["Node",1,0]', seven],
		]);
	}
	journal.record(HERE, entry('unknown', { key: 'other' }));
	expect(journal.sent().byKey.get('invoice-7')).toEqual([['["Node",1,0]', seven]]);
	journal.record(HERE, undefined);
	expect(journal.sent().byKey.has('other')).toBe(false);
});

it("adds up what an agent's other calls have transferred, or may have", () => {
	const journal = open();
	const call = (key: string) => callPlace({ key });
	journal.record(call('a'), entry('accepted', { amount: '1' }));
	journal.record(call('b'), entry('unknown', { amount: '2' }));
	journal.record(call('c'), entry('not_sent', { amount: '3' }));
	journal.record(call('d'), entry('rejected', { amount: '4' }));
	journal.record(call('e'), entry('accepted'));
	journal.record(HERE, entry('accepted', { amount: '5' }));
	expect(journal.otherAmounts(new Set([call('f')]), true)).toEqual(['1', '2', '3']);
	expect(journal.otherAmounts(new Set([call('b')]), true)).toEqual(['1', '3']);
});

it.each<[Outcome, boolean]>([
	['accepted', true],
	['unknown', true],
	['rejected', false],
	['not_sent', false],
])('knows whether anything was sent that was not rejected: %s', (outcome, sent) => {
	const journal = open();
	expect(journal.hasSent()).toBe(false);
	journal.record(at(0, 'Other', 3), entry(outcome));
	expect(journal.hasSent()).toBe(sent);
});

it('counts definite answers by path', () => {
	const data: JournalData = {};
	const journal = open(data);
	journal.changed('/a');
	journal.changed('/a');
	const again = open(data, 'Node', 1);
	expect([again.changes('/a'), again.changes('/b')]).toEqual([2, 0]);
});
