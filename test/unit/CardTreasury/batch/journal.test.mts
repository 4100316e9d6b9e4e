import {
	createJournal,
	sentBefore,
	type JournalData,
	type JournalEntry,
	type Place,
} from '../../../../nodes/CardTreasury/batch/journal.ts';
import type { Outcome } from '../../../../nodes/CardTreasury/errors.ts';

const entry = (outcome: Outcome, more: Partial<JournalEntry> = {}): JournalEntry => ({
	fingerprint: 'f',
	outcome,
	target: 't',
	sentAt: 1,
	...more,
});
const HERE: Place = ['Node', 0, 0];
const open = (data: JournalData = {}, node = 'Node', round = 0) => createJournal(data, node, round);

it('keeps what became of each place, in a form that survives as JSON', () => {
	const data: JournalData = {};
	const journal = open(data);
	expect(journal.find(HERE)).toBeUndefined();
	journal.record(HERE, entry('unknown'));
	journal.record(['Node', 0, 1], entry('rejected'));
	journal.record(HERE, entry('accepted', { items: [{ id: 1 }] }));
	journal.record(['agent', 'call'], entry('unknown'));
	const again = open(JSON.parse(JSON.stringify(data)) as JournalData);
	expect(again.find(HERE)).toEqual(entry('accepted', { items: [{ id: 1 }] }));
	expect(again.find(['Node', 0, 1])).toEqual(entry('rejected'));
	expect(again.find(['agent', 'call'])).toEqual(entry('unknown'));
	again.record(HERE, entry('unknown'));
	expect(again.find(HERE)).toEqual(entry('unknown'));
	again.record(HERE, undefined);
	expect(again.find(HERE)).toBeUndefined();
});

it("keeps the output of this round, of other nodes and of an agent's calls; of earlier rounds n8n has it", () => {
	const items = [{ id: 1 }];
	const data: JournalData = {};
	const journal = open(data);
	const places: Place[] = [
		['Node', 0, 0],
		['Other', 0, 0],
		['agent', 'call'],
	];
	for (const place of places) journal.record(place, entry('accepted', { items }));
	const present = () => places.map((place) => open(data).find(place)?.items);
	expect(present()).toEqual([items, items, items]);
	const next = open(data, 'Node', 1);
	expect(places.map((place) => next.find(place)?.items)).toEqual([undefined, items, items]);
	expect(next.find(HERE)).toEqual(entry('accepted'));
});

it('finds what was sent under a key at other places', () => {
	const data: JournalData = {};
	const journal = open(data);
	const seven = entry('unknown', { key: 'invoice-7' });
	journal.record(HERE, seven);
	journal.record(['Node', 0, 1], entry('accepted', { key: 'invoice-8' }));
	journal.record(['Node', 0, 2], entry('accepted'));
	for (const found of [journal, open(data)]) {
		expect(found.sentElsewhere('invoice-7', ['Node', 1, 0])).toEqual([seven]);
		expect(found.sentElsewhere('invoice-7', HERE)).toEqual([]);
		expect(found.sentElsewhere('invoice', HERE)).toEqual([]);
	}
	journal.record(HERE, entry('unknown', { key: 'other' }));
	expect(journal.sentElsewhere('invoice-7', ['Node', 1, 0])).toEqual([]);
	journal.record(HERE, undefined);
	expect(journal.sentElsewhere('other', ['Node', 1, 0])).toEqual([]);
});

it("adds up what an agent's other calls have transferred, or may have", () => {
	const journal = open();
	const call = (name: string): Place => ['agent', name];
	journal.record(call('a'), entry('accepted', { amount: '1' }));
	journal.record(call('b'), entry('unknown', { amount: '2' }));
	journal.record(call('c'), entry('not_sent', { amount: '3' }));
	journal.record(call('d'), entry('rejected', { amount: '4' }));
	journal.record(call('e'), entry('accepted'));
	journal.record(HERE, entry('accepted', { amount: '5' }));
	expect(journal.agentsAmounts(call('f'))).toEqual(['1', '2', '3']);
	expect(journal.agentsAmounts(call('b'))).toEqual(['1', '3']);
});

it.each<[Outcome, boolean]>([
	['accepted', true],
	['unknown', true],
	['rejected', false],
	['not_sent', false],
])('knows whether anything was sent that was not rejected: %s', (outcome, sent) => {
	const journal = open();
	expect(journal.hasSent()).toBe(false);
	journal.record(['Other', 3, 0], entry(outcome));
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

it.each<[string, Partial<JournalEntry> | undefined, string | undefined, Outcome | undefined]>([
	['what stands at its place', entry('accepted', { key: 'own' }), 'own', 'accepted'],
	['what may have been executed elsewhere under its key', undefined, 'own', 'unknown'],
	['that rather than a rejection at its place', entry('rejected'), 'own', 'unknown'],
	['nothing of another key', undefined, 'other', undefined],
	['nothing without a key of its own', undefined, undefined, undefined],
])('of a work, has been sent before: %s', (_name, here, idempotencyKey, outcome) => {
	const journal = open();
	if (here) journal.record(HERE, entry('unknown', here));
	journal.record(['Node', 1, 1], entry('accepted', { key: 'own' }));
	journal.record(['Node', 1, 2], entry('unknown', { key: 'own', fingerprint: 'different' }));
	journal.record(['Node', 1, 3], entry('unknown', { key: 'own' }));
	const work = { place: HERE, idempotencyKey, fingerprint: 'f' };
	const found = sentBefore(work, journal);
	expect([found?.outcome, found?.fingerprint ?? 'f']).toEqual([outcome, 'f']);
});
