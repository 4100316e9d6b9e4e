import type { NoteKind } from '../../../../nodes/CardTreasury/batch/batch.ts';
import {
	decide,
	KINDS,
	type Circumstances,
	type Decision,
} from '../../../../nodes/CardTreasury/batch/memory.ts';

const FIRST: Circumstances = {
	isRetry: false,
	isOpenHere: false,
	isInWindow: true,
	oncePerDay: false,
	isKeyed: true,
};
const RETRY = { ...FIRST, isRetry: true };
const OPEN_HERE = { ...FIRST, isOpenHere: true };

const send = (isFirst: boolean): Decision => ({ kind: 'send', isFirst });
const alreadySent = (isSameAmount: boolean): Decision => ({ kind: 'already sent', isSameAmount });
const refuse = (
	why: Extract<Decision, { kind: 'refuse' }>['why'],
	outcome: 'not_sent' | 'unknown' = 'unknown',
): Decision => ({ kind: 'refuse', why, outcome });

const decided = (there: NoteKind[], given: Circumstances) =>
	decide((kind) => there.includes(kind), given);

const SENT: NoteKind[] = ['place', 'pay', 'ref', 'own', 'open'];
const OTHERS: NoteKind[] = ['pay', 'ref', 'open'];

describe('decision on a payment', () => {
	it.each<[string, NoteKind[], Circumstances, Decision]>([
		['a new payment', [], FIRST, send(true)],
		['a new payment, in a retry', [], RETRY, send(true)],
		['a new payment while the window is over', [], { ...RETRY, isInWindow: false }, send(true)],
		['the place of another execution that began at the same moment', ['place'], FIRST, send(true)],
		['an interrupted look', ['look'], FIRST, refuse('look interrupted')],
		['an interrupted look, in a retry', [...SENT, 'look'], RETRY, refuse('look interrupted')],
		['another reference than was sent', ['place'], RETRY, refuse('reference changed')],
		['what is unknown here, with its notes lost', [], OPEN_HERE, send(false)],
		[
			'what is unknown here, with its notes lost and the window over',
			[],
			{ ...OPEN_HERE, isInWindow: false },
			refuse('not sent again'),
		],
		['what is open of this execution', SENT, RETRY, send(false)],
		['what is open of this execution, in the same run', SENT, OPEN_HERE, send(false)],
		[
			'what is open of this execution, without a window',
			SENT,
			{ ...RETRY, isInWindow: false },
			refuse('not sent again'),
		],
		[
			'what is open of this execution, without a key',
			SENT,
			{ ...RETRY, isKeyed: false },
			refuse('not sent again'),
		],
		['what is open of another execution', OTHERS, FIRST, refuse('open elsewhere')],
		['what is open of another execution, in a retry', OTHERS, RETRY, refuse('open elsewhere')],
		[
			'the own note of an execution that began at the same moment',
			SENT,
			FIRST,
			refuse('open elsewhere'),
		],
		[
			'an open payment of other values',
			['ref', 'open'],
			FIRST,
			refuse('open for another payment', 'not_sent'),
		],
		[
			'an open payment of other values, sent from here',
			['place', 'ref', 'open'],
			RETRY,
			refuse('open for another payment'),
		],
		['an accepted payment', ['pay', 'ref'], FIRST, alreadySent(true)],
		['an accepted payment, in a retry', ['place', 'pay', 'ref'], RETRY, alreadySent(true)],
		[
			'an accepted payment of other values',
			['ref'],
			FIRST,
			refuse('names another payment', 'not_sent'),
		],
		[
			'an accepted payment of other values, sent from here',
			['place', 'ref'],
			RETRY,
			refuse('names another payment'),
		],
		['another amount of the day', ['ref'], { ...FIRST, oncePerDay: true }, alreadySent(false)],
		[
			'another amount of the day while the first is open',
			['ref', 'open'],
			{ ...FIRST, oncePerDay: true },
			refuse('open for another payment', 'not_sent'),
		],
		[
			'a payment with only its open note left',
			['open'],
			FIRST,
			refuse('open for another payment', 'not_sent'),
		],
		['a payment with only its own values left', ['pay'], FIRST, alreadySent(true)],
	])('the decision is right for %s', (_, there, given, decision) => {
		expect(decided(there, given)).toEqual(decision);
	});

	/** All notes that there can be, with all that can be known. */
	const all = Array.from({ length: 2 ** KINDS.length }, (_, bits) =>
		KINDS.filter((_kind, at) => bits & (2 ** at)),
	).flatMap((there) =>
		Array.from({ length: 2 ** 5 }, (_, bits) => ({
			there,
			given: {
				isRetry: Boolean(bits & 1),
				isOpenHere: Boolean(bits & 2),
				isInWindow: Boolean(bits & 4),
				oncePerDay: Boolean(bits & 8),
				isKeyed: Boolean(bits & 16),
			},
		})),
	);

	it('a known payment is sent only if it is open in this execution and within the window', () => {
		for (const { there, given } of all) {
			const decision = decided(there, given);
			if (decision.kind !== 'send') continue;
			const isKnown = (['pay', 'ref', 'open', 'look'] as const).some((kind) =>
				there.includes(kind),
			);
			const isOwnOpen =
				(['pay', 'own', 'open'] as const).every((kind) => there.includes(kind)) && given.isInWindow;
			expect(!isKnown || isOwnOpen).toBe(true);
			if (isKnown) expect(decision.isFirst).toBe(false);
		}
	});

	it('a retry never reports an item as not sent whose place was sent before', () => {
		for (const { there, given } of all) {
			const decision = decided(there, given);
			if (decision.kind !== 'refuse' || !given.isRetry || !there.includes('place')) continue;
			expect(decision.outcome).toBe('unknown');
		}
	});
});
