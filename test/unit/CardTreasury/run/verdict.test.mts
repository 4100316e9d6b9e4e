import { namesOf } from '../../../../nodes/CardTreasury/run/names.ts';
import { verdict, type Found } from '../../../../nodes/CardTreasury/run/verdict.ts';

const names = namesOf('api.example.com', 'INV-1', 'F');
const { ref, open, paid, failed } = names;
type Outcome = Found['journal']['sent'][string]['outcome'];
const journalOf = (outcome?: Outcome, fingerprint = 'F') => ({
	sent: outcome ? { [ref]: { outcome, fingerprint, items: [] } } : {},
});

it.each<[was: string[] | undefined, found: Partial<Found>, decision: string]>([
	[[], {}, 'send'],
	[[ref], {}, 'another payment'],
	[[ref, paid], {}, 'already sent'],
	[[ref, open], {}, 'open'],
	[[ref, paid, open], {}, 'open'],
	[undefined, {}, 'no database'],
	[[], { isEdited: true }, 'changed'],
	[[], { isAnew: true }, 'changed'],
	[[ref, paid], { isEdited: true, isAnew: true }, 'already sent'],
	// What this run has sent is answered by its journal, whatever else is known.
	[undefined, { journal: journalOf('done') }, 'repeated'],
	[[open], { journal: journalOf('pending'), isEdited: true }, 'repeated'],
	[[], { journal: journalOf('done', 'G') }, 'another payment'],
	[[], { journal: journalOf('pending', 'G') }, 'another payment'],
	[[ref, paid], { journal: journalOf('unknown') }, 'open'],
	[[], { journal: journalOf('unknown', 'G') }, 'open'],
	[[], { journal: journalOf('failed', 'G') }, 'FAILED'],
	[[], { journal: journalOf('rejected', 'G') }, 'send'],
	[[open], { journal: journalOf('rejected') }, 'open'],
	[[ref, failed], {}, 'FAILED'],
	[[ref, failed, open], {}, 'open'],
	[[ref, paid], { isSilent: true }, 'already sent'],
	[[], { isSilent: true }, 'no answer'],
])('with the notes %j and %j the verdict is "%s"', (was, found, decision) => {
	const all = { journal: journalOf(), isEdited: false, isAnew: false, isSilent: false, ...found };
	expect(verdict(names, { ...all, was: was && new Set(was) })).toBe(decision);
});
