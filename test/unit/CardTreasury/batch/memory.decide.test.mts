import { decide, type Circumstances } from '../../../../nodes/CardTreasury/batch/memory.ts';

const KINDS = ['ref', 'open', 'paid'] as const;
const FLAGS = ['isOpenHere', 'isOwn', 'isInWindow', 'oncePerDay'] as const;

const valuesOf = <Name extends string>(names: readonly Name[], bits: number) =>
	Object.fromEntries(names.map((name, at) => [name, (bits & (2 ** at)) > 0])) as Record<
		Name,
		boolean
	>;

/** Decisions for all sets of notes, in all circumstances. A node owns only payments that the journal has as unknown. */
const ALL = Array.from({ length: 2 ** KINDS.length }, (_, notes) =>
	Array.from({ length: 2 ** FLAGS.length }, (_flag, bits) => {
		const was = valuesOf(KINDS, notes);
		const given: Circumstances = valuesOf(FLAGS, bits);
		return { was, given, decision: decide(was, given) };
	}),
)
	.flat()
	.filter(({ given }) => given.isOpenHere || !given.isOwn);
const where = (decision: object) =>
	ALL.filter((one) =>
		Object.entries(decision).every(([name, value]) => value === Reflect.get(one.decision, name)),
	);

describe('decision on a write', () => {
	it('a first send needs a reference without notes and without an open payment in the journal', () => {
		for (const { was, given } of where({ kind: 'send', isFirst: true })) {
			expect(was).toEqual({ ref: false, open: false, paid: false });
			expect(given.isOpenHere).toBe(false);
		}
	});

	it('a payment is sent again only if the journal has it as unknown, within the window; if a note has it as open, only by the same node', () => {
		const resends = where({ kind: 'send', isFirst: false });
		expect(resends.some(({ was }) => was.open)).toBe(true);
		for (const { was, given } of resends) {
			expect([given.isOpenHere, given.isInWindow, was.paid]).toEqual([true, true, false]);
			expect(was.open ? given.isOwn : !was.ref).toBe(true);
		}
	});

	it('a payment counts as sent only if no request of it may be open', () => {
		for (const { was, given, decision } of where({ kind: 'already sent' })) {
			expect(was.open).toBe(false);
			const isSame = decision.kind === 'already sent' && decision.isSameAmount;
			expect(isSame ? was.paid : was.ref && given.oncePerDay).toBe(true);
		}
	});

	it('a refused payment is reported as unknown if a request of it may be open', () => {
		for (const { was, given, decision } of where({ kind: 'refuse' })) {
			if (decision.kind !== 'refuse') continue;
			const mayBeOpen = was.open || (!was.ref && given.isOpenHere);
			expect(decision.outcome).toBe(mayBeOpen ? 'unknown' : undefined);
			expect(decision.why === 'names another payment').toBe(!mayBeOpen);
		}
	});
});
