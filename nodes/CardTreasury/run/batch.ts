/**
 * Payments of a run, each sent at most once in all executions. All have been read and checked before. They are
 * recorded, sent and settled in parts: after a kill, only the parts in flight are unknown. Imports nothing of n8n.
 *
 * Notes of a payment in n8n's database, which survive everything:
 * - `ref`: this reference was sent   - `paid`: with these values   - `open`: no answer yet, unknown, or FAILED
 * Accepted: `open` goes. Rejected or never sent: all go. n8n cannot look up without recording, so what a lookup
 * leaves behind when it is cut off must refuse: that is `open`.
 */

import atMost from 'p-limit';

import type { KeyStore } from '../../shared/keyStore';
import { hashOf } from '../service/key';
import type { Execution, Memory } from './execution';
import { namesOf, REFUSALS, type Refusal } from './refusals';
import type { Result } from './result';

export interface Payment {
	reference: string;
	/** Names it in a refusal. */
	name: string;
	/** True for a write that another execution sends again. */
	isOnce?: boolean;
	/** Hash of account, wallet, recipient, token and amount. */
	fingerprint: string;
	/** Sends the request with the payment's idempotency key. Never throws. */
	send(): Promise<Result>;
	/** Result of a payment that was accepted before. */
	alreadySent(): Result;
}

export interface PaymentRun
	extends Pick<Execution, 'isRetry' | 'continueOnFail' | 'isStopped'>,
		Omit<Memory, 'firstExecution'> {
	host: string;
	/** Waits until the rate allows the next request. Never throws. */
	turn(): Promise<void>;
	/** Notes of this node. */
	notes: Pick<KeyStore, 'record' | 'remove'>;
}

const PART = 10;
/** Parts between recording and settling: after a kill, at most 80 payments are unknown, mostly 20. */
const PARTS_AT_ONCE = 8;

type Named = Payment & ReturnType<typeof namesOf>;
type Decision = Refusal | 'already sent' | 'send';

/** Decides by the notes that were there. */
export function decide({ ref, paid, open }: Named, was: Set<string>): Decision {
	if (was.has(open)) return 'open';
	if (was.has(paid)) return 'already sent';
	return was.has(ref) ? 'another payment' : 'send';
}

/** @returns a result for each payment, in order. Undefined for one that the run did not reach. */
export async function pay(all: Payment[], run: PaymentRun): Promise<Array<Result | undefined>> {
	const { notes, journal } = run;
	const named = all.map((each) => ({ ...each, ...namesOf(each, run.host) }));
	const refs = new Set(named.map(({ ref }) => ref));
	const results = new Map<Named, Result>();
	const runNote = hashOf('run', run.startedAt, run.runIndex);
	const [inOrder, atOnce] = [atMost(1), atMost(PARTS_AT_ONCE)];
	let hasFailed = false;
	// Each payment that this run has sent must be there again. If not, references or the target were edited before the retry.
	const isEdited = Object.entries(journal.sent).some(
		([sent, { outcome }]) => outcome !== 'rejected' && !refs.has(sent),
	);
	const isOver = () => run.isStopped() || (hasFailed && !run.continueOnFail);

	function end(payment: Named, result: Result): void {
		results.set(payment, result);
		hasFailed ||= result.problem !== undefined;
	}
	function refuse(payment: Named, why: Refusal): void {
		const before = why === 'open' || why === 'FAILED' ? journal.sent[payment.ref] : undefined;
		const problem = REFUSALS[why](payment.name, payment.isOnce, before?.problem);
		end(payment, { outcome: problem.outcome, items: before?.items ?? [], problem });
	}

	/** True if this run has sent the payment, so that its end is known. */
	function answerFromJournal(payment: Named): boolean {
		const before = journal.sent[payment.ref];
		if (before === undefined || before.outcome === 'rejected') return false;
		const { outcome, items, binary } = before;
		const mark = !payment.isOnce && { repeated: true };
		if (outcome === 'unknown') refuse(payment, 'open');
		else if (outcome === 'failed') refuse(payment, 'FAILED');
		else if (before.fingerprint !== payment.fingerprint) refuse(payment, 'another payment');
		else end(payment, { outcome, items: items.map((item) => ({ ...item, ...mark })), binary });
		return true;
	}

	/** Records a part and decides. */
	async function permit(part: Named[]): Promise<Named[]> {
		const due = isOver() ? [] : part.filter((payment) => !answerFromJournal(payment));
		if (due.length === 0) return [];
		const was = new Set<string>();
		const ask = async (of: string[]) => (await notes.record(of)).forEach((name) => was.add(name));
		const isAccepted = ({ ref, open }: Named) => was.has(ref) && !was.has(open);
		try {
			await ask([runNote, ...due.flatMap(({ ref, open }) => [ref, open])]);
			// Not in the first call: what is left of this one, when it is cut off, has an `open` beside it.
			const known = due.filter(isAccepted);
			if (known.length > 0) await ask(known.map(({ paid }) => paid));
		} catch {
			for (const payment of due) refuse(payment, 'no database');
			return [];
		}
		// A retry that has lost its journal: n8n was killed. Until it meets something that was accepted, its
		// references may have been made anew. `open` shows nothing: a retry that was killed leaves it, too.
		const wasKilled = run.isRetry && journal.began !== true && was.has(runNote);
		const isNew = isEdited || (wasKilled && !due.some(isAccepted));
		if (!isNew) journal.began = true;
		const sending = due.filter((payment) => {
			const decision = decide(payment, was);
			if (decision === 'send' && !isNew) return true;
			if (decision === 'already sent') end(payment, payment.alreadySent());
			else refuse(payment, decision === 'send' ? 'changed' : decision);
			return false;
		});
		const asked = (each: Named) => [each.ref, each.open, ...(isAccepted(each) ? [each.paid] : [])];
		const others = due.filter((payment) => !sending.includes(payment));
		await undo(others.flatMap(asked).filter((name) => !was.has(name)));
		return sending;
	}

	async function sendOne(payment: Named): Promise<Result['outcome']> {
		if (isOver()) return 'not_sent';
		const result = await payment.send();
		const { outcome, items, binary } = result;
		const { ref, fingerprint } = payment;
		const problem = result.problem && { ...result.problem, message: result.problem.message };
		if (outcome !== 'not_sent')
			journal.sent[ref] = { fingerprint, outcome, items, binary, problem };
		end(payment, result);
		return outcome;
	}

	async function sendPart(part: Named[]): Promise<void> {
		let permitted: Named[] = [];
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
		const accepted = ended('done', 'pending');
		const closed = accepted.map(({ open }) => open);
		const gone = ended('rejected', 'not_sent').flatMap(({ ref, open }) => [ref, open]);
		// Recorded again, because another process may have overwritten the notes. If that fails, `open` stays.
		const again = accepted.flatMap(({ ref, paid }) => [ref, paid]);
		if (again.length > 0) await notes.record(again).catch(() => closed.splice(0));
		await undo([...closed, ...gone]);
	}

	/** Notes that a failure leaves behind refuse a payment, and never permit one. */
	async function undo(names: string[]): Promise<void> {
		if (names.length > 0) await notes.remove(names).catch(() => undefined);
	}

	const parts = named.flatMap((_, at) => (at % PART === 0 ? [named.slice(at, at + PART)] : []));
	await Promise.all(parts.map((part) => atOnce(async () => await sendPart(part))));
	return named.map((payment) => results.get(payment));
}
