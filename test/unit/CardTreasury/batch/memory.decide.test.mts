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
const DAILY = { ...FIRST, oncePerDay: true };
const TOO_LATE = { isInWindow: false };

const decided = (there: readonly NoteKind[], given: Circumstances) =>
	decide((kind) => there.includes(kind), given);

const SENT = 'place pay ref own open';
const SEND: Decision = { kind: 'send', isFirst: true };
const RESEND: Decision = { kind: 'send', isFirst: false };
const alreadySent = (isSameAmount: boolean): Decision => ({ kind: 'already sent', isSameAmount });
type Refusal = Extract<Decision, { kind: 'refuse' }>;
const unknown = (why: Refusal['why']): Refusal => ({ kind: 'refuse', why, outcome: 'unknown' });
const notSent = (why: Refusal['why']): Refusal => ({ kind: 'refuse', why, outcome: 'not_sent' });

describe('decision on a payment', () => {
	it.each<[string, string, Circumstances, Decision]>([
		['a new payment', '', FIRST, SEND],
		['a new payment, in a late retry', '', { ...RETRY, ...TOO_LATE }, SEND],
		['the place of an execution that began in the same moment', 'place', FIRST, SEND],
		['an interrupted lookup', 'look', FIRST, unknown('look interrupted')],
		['an interrupted lookup, in a retry', `${SENT} look`, RETRY, unknown('look interrupted')],
		['another reference than was sent', 'place', RETRY, unknown('reference changed')],
		['a payment open here with lost notes', '', OPEN_HERE, RESEND],
		['the same, too late', '', { ...OPEN_HERE, ...TOO_LATE }, unknown('not sent again')],
		['a payment open in this execution', SENT, RETRY, RESEND],
		['the same, in the same run', SENT, OPEN_HERE, RESEND],
		['the same, too late', SENT, { ...RETRY, ...TOO_LATE }, unknown('not sent again')],
		['the same, without a key', SENT, { ...RETRY, isKeyed: false }, unknown('not sent again')],
		[
			'the same, under another credential',
			'place pay ref open',
			RETRY,
			unknown('credential changed'),
		],
		['a payment open elsewhere', 'pay ref open', FIRST, unknown('open elsewhere')],
		['the same, in a retry', 'pay ref open', RETRY, unknown('open elsewhere')],
		['the note of an execution of the same moment', SENT, FIRST, unknown('open elsewhere')],
		['other values than are open', 'ref open', FIRST, notSent('open for another payment')],
		['the same, sent here', 'place ref open', RETRY, unknown('open for another payment')],
		['an accepted payment', 'pay ref', FIRST, alreadySent(true)],
		['an accepted payment, in a retry', 'place pay ref', RETRY, alreadySent(true)],
		['other values than were accepted', 'ref', FIRST, notSent('names another payment')],
		['the same, sent here', 'place ref', RETRY, unknown('names another payment')],
		['another amount of the day', 'ref', DAILY, alreadySent(false)],
		['another amount than is open', 'ref open', DAILY, notSent('open for another payment')],
		['a payment with only its open note', 'open', FIRST, notSent('open for another payment')],
		['a payment with only its own values', 'pay', FIRST, alreadySent(true)],
	])('%s (%s) is decided', (_, there, given, decision) => {
		expect(decided(there.split(' ') as NoteKind[], given)).toEqual(decision);
	});

	const flags = (of: readonly string[], bits: number) => of.filter((_, at) => bits & (2 ** at));
	/** All sets of notes, in all circumstances. */
	const all = Array.from({ length: 2 ** KINDS.length }, (_, bits) => flags(KINDS, bits)).flatMap(
		(there) =>
			Array.from({ length: 2 ** 5 }, (_, bits) => {
				const set = flags(Object.keys(FIRST), bits);
				const given = Object.fromEntries(
					Object.keys(FIRST).map((name) => [name, set.includes(name)]),
				);
				return { there: there as NoteKind[], given: given as unknown as Circumstances };
			}),
	);

	it('a known payment is sent only if it is open in this execution and within the window', () => {
		for (const { there, given } of all) {
			const decision = decided(there, given);
			if (decision.kind !== 'send') continue;
			const isKnown = there.some((kind) => ['pay', 'ref', 'open', 'look'].includes(kind));
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
