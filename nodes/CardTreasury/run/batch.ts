/**
 * Payments of a run, each sent at most once in all executions. All have been read and checked before. They are
 * recorded, sent and settled in parts: after a kill, only the parts in flight are unknown. Imports nothing of n8n.
 *
 * Notes of a payment in n8n's database, which survive everything. There are two, or none:
 * - `ref`, this reference was sent, and `open`: without an answer, or its outcome is unknown
 * - `ref` and `paid`: accepted with these values   - `ref` and `failed`: came back FAILED
 * A run that has sent something has a note, too, for a retry that n8n's end has left without a journal. n8n cannot look
 * up without recording, so what a lookup leaves behind when it is cut off must refuse: that is `open`.
 */

import type { IDataObject } from 'n8n-workflow';
import atMost from 'p-limit';

import type { Calls, KeyStore } from '../../shared/keyStore';
import type { Execution, Memory } from './execution';
import type { Names } from './names';
import { REFUSALS } from './refusals';
import { failed, type Result } from './result';
import {
	hasSentOther,
	isSettled,
	mayBeAnew,
	sentBefore,
	verdict,
	type Found,
	type Verdict,
} from './verdict';

/** Payment, or another write that its execution sends once. */
export interface Payment extends Names {
	/** Names a payment in a refusal. Undefined for another write. */
	reference?: string;
	/** Words of what it sends. */
	what(): string;
	/** Sends the request with the payment's idempotency key. Never throws. */
	send(): Promise<Result>;
	/** Item of a payment that was accepted before. */
	alreadySent(): IDataObject;
	/** Result instead of the request, if it is not to be sent. */
	dryRun?(): Result;
}

export interface PaymentRun
	extends Pick<Execution, 'isRetry' | 'continueOnFail' | 'isStopped'>,
		Pick<Memory, 'journal' | 'runNote'> {
	/** Waits until the rate allows the next request. Never throws. */
	turn(): Promise<void>;
	/** Notes of this node. */
	notes: Pick<KeyStore, 'inTurn'>;
}

/** Notes before an answer, in the order in which n8n drops them. */
const asSent = ({ ref, open }: Names): string[] => [ref, open];

const PART = 10;
/** Parts between recording and settling: after a kill, at most 80 payments are unknown, mostly 20. */
const PARTS_AT_ONCE = 8;
/** Payments that follow each other and all end unknown. Then the service does not answer, and others would end so, too. */
const MOST_UNKNOWN = 10;

const isRow = (ends: unknown[]) =>
	ends.length === MOST_UNKNOWN && ends.every((end) => end === 'unknown');

/** @returns a result for each payment, in order. Undefined for one that the run did not reach. */
export async function pay(
	payments: Payment[],
	run: PaymentRun,
): Promise<Array<Result | undefined>> {
	const results = new Map<Payment, Result>();
	const { isRetry, journal, runNote, notes } = run;
	const isEdited = hasSentOther(journal, payments);
	const [inOrder, atOnce] = [atMost(1), atMost(PARTS_AT_ONCE)];
	/** Ends of the payments that have left, in this order. */
	const ends: Array<Result['outcome'] | undefined> = [];
	let [hasFailed, isNoteNew, isSilent] = [false, false, false];
	const isOver = () => run.isStopped() || (hasFailed && !run.continueOnFail);

	function end(payment: Payment, result: Result): void {
		results.set(payment, result);
		hasFailed ||= result.problem !== undefined;
	}

	/** Result of a payment that is not sent. */
	function unsent(payment: Payment, why: Verdict): Result {
		const { ref, reference } = payment;
		const before = sentBefore(journal, ref);
		if (why === 'send') return payment.dryRun!();
		if (why === 'already sent') return { outcome: 'already_sent', items: [payment.alreadySent()] };
		if (why === 'another payment') return failed(REFUSALS[why](reference, before));
		if (why !== 'repeated') return failed(REFUSALS[why](reference, before), before?.items);
		const { outcome, items, binary } = before!;
		const mark = reference !== undefined && { repeated: true };
		return { outcome, items: items.map((item) => ({ ...item, ...mark })), binary } as Result;
	}

	/**
	 * Looks up a part. What is not to be sent leaves no note behind this turn: another run would take an `open` for a
	 * payment that may be executed. (In another process of n8n, it may.)
	 */
	async function lookUp(part: Payment[], calls: Calls): Promise<Found> {
		const [was, added] = [new Set<string>(), new Set<string>()];
		const ask = async (names: string[]) => {
			(await calls.record(names)).forEach((name) => was.add(name));
			names.filter((name) => !was.has(name)).forEach((name) => added.add(name));
		};
		if (part.length > 0) await ask([runNote, ...part.flatMap(asSent)]);
		// Not in the first call: what is left of this one, when it is cut off, has an `open` beside it.
		const known = part.filter((payment) => isSettled(payment, was));
		if (known.length > 0) await ask(known.flatMap(({ paid, failed }) => [paid, failed]));
		const isAnew = isRetry && mayBeAnew(part, was, journal, runNote);
		const found = { journal, was, isEdited, isAnew, isSilent };
		const leaving = part.filter((payment) => leaves(payment, found));
		const kept = leaving.length > 0 ? [runNote, ...leaving.flatMap(asSent)] : [];
		isNoteNew ||= leaving.length > 0 && added.has(runNote);
		kept.forEach((name) => added.delete(name));
		await undo([...added], calls);
		return found;
	}

	const leaves = (payment: Payment, found: Found) =>
		!payment.dryRun && verdict(payment, found) === 'send';

	/** Decides about a part. Returns what is to be sent. */
	async function permit(part: Payment[]): Promise<Payment[]> {
		const due = part.filter(({ ref }) => !sentBefore(journal, ref));
		const found = await notes
			.inTurn(async (calls) => (isOver() ? undefined : await lookUp(due, calls)))
			.catch((): Found => ({ journal, was: undefined, isEdited, isAnew: false, isSilent: false }));
		if (!found) return [];
		if (found.was && !isEdited && !found.isAnew) journal.began = true;
		return part.filter((payment) => {
			const isLeaving = leaves(payment, found);
			if (!isLeaving) end(payment, unsent(payment, verdict(payment, found)));
			return isLeaving;
		});
	}

	async function sendOne(payment: Payment): Promise<Result['outcome']> {
		if (isOver()) return 'not_sent';
		const at = ends.push(undefined) - 1;
		const what = payment.what();
		const result = isSilent ? unsent(payment, 'no answer') : await payment.send();
		const { outcome, items, binary } = result;
		ends[at] = outcome;
		isSilent ||=
			outcome === 'unknown' &&
			ends.some((_, first) => isRow(ends.slice(first, first + MOST_UNKNOWN)));
		const { ref, fingerprint } = payment;
		const problem = result.problem && { ...result.problem, message: result.problem.message };
		if (outcome !== 'not_sent')
			journal.sent[ref] = { fingerprint, outcome, what, items, binary, problem };
		end(payment, result);
		return outcome;
	}

	async function sendPart(part: Payment[]): Promise<void> {
		let permitted: Payment[] = [];
		const sent: Array<Promise<Result['outcome']>> = [];
		// The next part waits until this one has left: few are open at a time, and Stop is not too late for them.
		await inOrder(async () => {
			permitted = await permit(part);
			for (const payment of permitted) {
				if (!isOver()) await run.turn();
				sent.push(sendOne(payment));
			}
		});
		const outcomes = await Promise.all(sent);
		const ended = (...those: Array<Result['outcome']>) =>
			permitted.filter((_, at) => those.includes(outcomes[at]!));
		const known = [
			...ended('done', 'pending').flatMap(({ ref, paid }) => [ref, paid]),
			...ended('failed').flatMap(({ ref, failed }) => [ref, failed]),
		];
		const closed = ended('done', 'pending', 'failed').map(({ open }) => open);
		const gone = ended('rejected', 'not_sent').flatMap(asSent);
		await notes
			.inTurn(async (calls) => {
				// `ref` again, because another process may have overwritten the notes. If that fails, `open` stays.
				if (known.length > 0) await calls.record(known).catch(() => closed.splice(0));
				await undo([...closed, ...gone], calls);
			})
			.catch(() => undefined);
	}

	/** Notes that a failure leaves behind refuse a payment, and never permit one. */
	async function undo(names: string[], { remove }: Calls): Promise<void> {
		if (names.length > 0) await remove(names).catch(() => undefined);
	}

	const parts = payments.flatMap((_, at) =>
		at % PART === 0 ? [payments.slice(at, at + PART)] : [],
	);
	await Promise.all(parts.map((part) => atOnce(async () => await sendPart(part))));
	// Nothing was sent, or all was rejected: as if it had not begun, because another retry may send it.
	if (!hasSentOther(journal)) {
		journal.began = false;
		if (isNoteNew)
			await notes.inTurn(async (calls) => await undo([runNote], calls)).catch(() => undefined);
	}
	return payments.map((payment) => results.get(payment));
}
