/** The rules of the payment memory. */

import type { Names } from './names';
import type { Refusal } from './refusals';
import type { Journal, Sent } from './result';

/** Reason why a payment is not sent, or `send`. */
export type Verdict = Refusal | 'already sent' | 'repeated' | 'send';

/** Facts by which a part of a run is decided. */
export interface Found {
	journal: Journal;
	/** Notes that existed before. Undefined if n8n's database has failed. */
	was: Set<string> | undefined;
	/** True if this run lacks what it has sent: references or the target were edited before the retry. */
	isEdited: boolean;
	isAnew: boolean;
	/** True if the service does not answer. */
	isSilent: boolean;
}

/** Decides about a payment: the first rule that holds. */
export function verdict({ ref, open, failed, paid, fingerprint }: Names, found: Found): Verdict {
	const { journal, was, isEdited, isAnew, isSilent } = found;
	const before = sentBefore(journal, ref);
	// This run has sent it, and its end is unknown.
	if (before?.outcome === 'unknown') return 'open';
	// This run has sent it, and it came back FAILED.
	if (before?.outcome === 'failed') return 'FAILED';
	// This run has sent something else under this name.
	if (before && before.fingerprint !== fingerprint) return 'another payment';
	// This run has sent it, so its output is shown again.
	if (before) return 'repeated';
	// An earlier run may have sent it.
	if (!was) return 'no database';
	// Another run is about to send it, or has sent it, and its end is unknown.
	if (was.has(open)) return 'open';
	// Another run has sent it, and it was accepted.
	if (was.has(paid)) return 'already sent';
	// Another run has sent it, and it came back FAILED.
	if (was.has(failed)) return 'FAILED';
	// Something else was accepted under this name.
	if (was.has(ref)) return 'another payment';
	// The user has edited this run, so it may have been sent under another name.
	if (isEdited) return 'changed';
	// n8n was killed, so it may have been sent under another name.
	if (isAnew) return 'changed';
	// It would end unknown, as those before.
	if (isSilent) return 'no answer';
	return 'send';
}

/** Attempt of this run. A rejected one does not count, because it executed nothing. */
export function sentBefore({ sent }: Journal, ref: string): Sent | undefined {
	const before = sent[ref];
	return before?.outcome === 'rejected' ? undefined : before;
}

/** True if this run has sent something that is not among these. */
export function hasSentOther(journal: Journal, than: Names[] = []): boolean {
	const refs = new Set(than.map(({ ref }) => ref));
	return Object.keys(journal.sent).some((ref) => !refs.has(ref) && sentBefore(journal, ref));
}

/** True if the note of its reference is left of a payment that was accepted, or came back FAILED. */
export const isSettled = ({ ref, open }: Names, was: Set<string>): boolean =>
	was.has(ref) && !was.has(open);

/**
 * True if the references of a part may have been made anew: a kill has lost the journal of this retry, and nothing of
 * the part was settled. `open` shows nothing, because a retry that was killed leaves it, too.
 */
export const mayBeAnew = (part: Names[], was: Set<string>, { began }: Journal, runNote: string) =>
	began !== true && was.has(runNote) && !part.some((payment) => isSettled(payment, was));
