import { InvalidFieldError } from '../../shared/fields/invalidField';
import { harmless, sentence, shortened, SUMMARY_LENGTH } from '../../shared/plainLine';
import type { ServiceOperation, SummaryFields } from '../operations/operation';
import { replyOf } from '../operations/reply';
import type { ItemOutcome, Work } from '../operations/work';
import type { Failure, Outcome, RequestFailure } from '../request/errors';
import type { JsonObject } from '../request/input';
import { isInWindow, isWrite, type Batch, type EndedRow } from './batch';

/** Texts of an item about its write, and the fields of its operation. */
export interface Told {
	summary: string;
	/** Advice to the user, with the outcome of the item. */
	advice: string;
	/** Fields of the operation, in the order of its output. */
	fields: JsonObject;
}

/** Outcomes in words. Each summary begins with one of them. */
const WORDS: Record<ItemOutcome, string> = {
	done: 'Sent',
	pending: 'Pending',
	already_sent: 'Already sent',
	nothing_to_send: 'Nothing to send',
	dry_run: 'Dry run',
	failed: 'Failed',
	rejected: 'Rejected',
	unknown: 'May have been sent',
	not_sent: 'Not sent',
	accepted: 'Accepted',
};

/** Results of writes without a failure, in words, unless the operation knows more. */
const BECAME: Partial<Record<ItemOutcome, string>> = {
	pending: 'Accepted, not final: wait for the event.',
	already_sent:
		'Accepted before, so nothing was sent. That does not mean paid: look for its event, or that run.',
	nothing_to_send: 'Nothing was sent.',
	dry_run: 'Everything was checked and nothing was sent.',
};

/** Reason that no other transfer has: it may be paid again, if it FAILED. */
export const OPEN_OR_FAILED = 'was sent before: its outcome is open or FAILED';

// Next steps after a failed request, in fewer words than the advice.
const WAIT = 'Wait for its event or ask the provider before paying again.';
const ASK = 'Ask the provider whether it was executed before you send it again.';
const PAY_ANEW = 'Correct the cause, then pay under a new reference.';

const MONEY_MAY_HAVE_LEFT = 'The money may have left.';

/** Outcome of a refused item, as a sentence. */
const REFUSED: Record<Outcome, string> = {
	accepted: 'An earlier try of this execution was accepted, and it is not sent again.',
	failed: 'An earlier try of this execution was accepted, and then FAILED.',
	rejected: 'An earlier try of this execution was rejected.',
	unknown: 'It may have been executed.',
	not_sent: 'Nothing was sent.',
};

/** Joins the parts that have text. */
export const sentences = (...parts: unknown[]) => parts.filter(Boolean).join(' ');

/** Outcomes of a write, in the order in which a report tells of them. */
export const OUTCOMES = ['accepted', 'failed', 'rejected', 'unknown', 'not_sent'] as const;

/** Sentence on all items of one outcome, e.g. "Items 1 to 12 were accepted." */
export function whatBecameOf(items: string, count: number, outcome: Outcome): string {
	const was = count === 1 ? 'was' : 'were';
	const became: Record<Outcome, string> = {
		accepted: `${was} accepted`,
		failed: `${was} accepted, then FAILED`,
		rejected: `${was} rejected`,
		unknown: 'may have been executed',
		not_sent: `${was} not sent`,
	};
	return `${items} ${became[outcome]}.`;
}

/** Output item of a write that did not fail. An item of a read is returned as it is. */
export function successItem(item: JsonObject, row: EndedRow, batch: Batch): JsonObject {
	const { work } = row;
	if (!work || !isWrite(work)) return item;
	const { operation } = batch;
	const outcome = item.outcome as ItemOutcome;
	const fields = { ...work.subject, ...known(operation, item) };
	const names = namesOf(operation, { ...fields, ...row.names?.(fields) });
	const became = operation.became(item, work.subject ?? {}) ?? BECAME[outcome] ?? '';
	const summary = summaryOf(WORDS[outcome], names, [became]);
	const ending = { outcome, item: { ...work.subject, ...item } };
	const told = { outcome, summary, ...operation.atEnd(ending) };
	// The first spread sets the order. The last one keeps fields of the service from replacing ours.
	return { ...told, ...blank(operation), ...item, ...told };
}

/**
 * Returns the texts and fields of a failed item.
 * @param operation undefined if it could not be read, or has no request
 * @param row undefined if the run failed before it had read the item
 */
export function tellFailure(
	failure: Failure,
	outcome: Outcome,
	operation?: ServiceOperation,
	row?: EndedRow,
	batch?: Batch,
): Told {
	const { work, result } = row ?? {};
	const subject = result?.kind === 'failed' ? result.subject : undefined;
	const isRead = (work?.profile.effect ?? operation?.effect) === 'read';
	const ids = isRead ? work?.ids : undefined;
	const told = { ...work?.subject, ...subject };
	const named = { ...told, ...row?.names?.(told) };
	// Without a record, an earlier request may have had other values.
	const isOthers = failure instanceof InvalidFieldError && outcome === 'unknown' && !row?.record;
	const names = !operation
		? ['']
		: isOthers && work?.payment?.shown !== undefined
			? namesNow(operation, work.payment.shown, named)
			: namesOf(operation, named, ids);
	const reason = replyOf(subject?.answer) ?? failure.message;
	const toDo = nextSteps(failure, outcome, work);
	return {
		summary: summaryOf(isRead ? 'Not read' : WORDS[outcome], names, [reason, ...toDo]),
		advice: adviceOf(failure, outcome, row, batch),
		fields: {
			...(operation && !isRead && withKey(operation)),
			...ids,
			...subject,
			...(!isRead && operation?.atEnd({ outcome, item: told, failure })),
		},
	};
}

/**
 * Returns the texts of a refused calculation.
 * @param name phrase that names its item
 */
export function tellCalculation(failure: InvalidFieldError, name: string): Told {
	const parts = [failure.message, ...nextSteps(failure, 'not_sent')];
	return {
		...tellFailure(failure, 'not_sent'),
		summary: summaryOf(WORDS.not_sent, [harmless(name)], parts),
	};
}

/** Advice on a transfer of which only `open` is known, in fewer words. */
const ifFailed = ({ payment }: Work): string =>
	`If FAILED, pay ${payment?.oncePerDay ? 'with a Payment Reference' : 'under a new reference'}; else wait for its event.`;

/** Advice for a summary, the longer one first. */
function nextSteps(failure: Failure, outcome: Outcome, work?: Work): string[] {
	const [first = ''] = failure.fix.split(/(?<=[.!?]) /);
	if (failure instanceof InvalidFieldError) {
		if (outcome !== 'unknown' || !work?.movesMoney) return [failure.fix, first];
		if (failure.message.endsWith(OPEN_OR_FAILED)) return [failure.fix, ifFailed(work)];
		return [failure.fix, first === MONEY_MAY_HAVE_LEFT ? WAIT : first];
	}
	if (isPending(failure)) return [failure.fix, first];
	if (outcome === 'failed') return [PAY_ANEW];
	if (outcome !== 'unknown') return [failure.fix, first];
	if (work?.movesMoney) return [WAIT];
	const mayRepeat = work?.payment === undefined && work?.profile.effect === 'keyed write';
	return [mayRepeat ? 'Run it again: it sets the same value.' : ASK];
}

/**
 * Fix for a failed item and what became of it.
 * @param isListed true if a report on all items follows, which states the outcome of a refused one
 */
export function adviceOf(
	failure: Failure,
	outcome: Outcome,
	row?: EndedRow,
	batch?: Batch,
	isListed = false,
): string {
	if (failure instanceof InvalidFieldError)
		return isListed ? failure.fix : sentences(failure.fix, REFUSED[outcome]);
	const work = row?.work;
	if (!batch || !work || !isWrite(work)) return failure.fix;
	switch (outcome) {
		case 'unknown':
			return isPending(failure)
				? sentences('It may have been executed.', failure.fix)
				: sentences(openAdvice(work, batch), failure.fix);
		case 'not_sent':
			return sentences(failure.fix, 'It was not sent.');
		case 'rejected':
			return sentences(
				failure.fix,
				'It was not executed.',
				work.payment !== undefined && rejectedAdvice(work),
			);
		case 'failed': {
			const reply = row.result.kind === 'failed' ? replyOf(row.result.subject?.answer) : undefined;
			return sentences(reply && `The service replied: "${reply}".`, failure.fix);
		}
		case 'accepted':
			return failure.fix;
	}
}

/** Example of a new reference, as part of a sentence. */
function suggestion({ payment, movesMoney }: Work): string {
	const { shown = '', oncePerDay = true } = payment ?? {};
	return movesMoney && shown !== '' && !oncePerDay && shown.length < 40
		? `, such as ${shown}-2`
		: '';
}

/**
 * Advice on a write that may have been executed.
 * @param sent `here`: by this execution; `elsewhere`: by another one, or before a crash
 */
export function openAdvice(work: Work, batch: Batch, sent: 'here' | 'elsewhere' = 'here'): string {
	const { payment, movesMoney, profile } = work;
	const may = movesMoney ? MONEY_MAY_HAVE_LEFT : 'It may have been executed.';
	if (profile.effect === 'unkeyed write')
		return `${may} Ask the provider whether it was executed before you send it again.`;
	if (payment === undefined) return `${may} Run it again: it sets the same value.`;
	if (sent === 'here' && batch.resend && isInWindow(batch)) {
		return batch.resend === 'retry'
			? `${may} Open Executions, this run, Retry.`
			: `${may} Call this tool again with the same values in this execution.`;
	}
	const ask = movesMoney
		? 'Wait for the treasury.transfer event or ask the provider'
		: 'Ask the provider';
	const isOver =
		movesMoney && sent === 'elsewhere' ? 'it FAILED or was not executed' : 'it was not executed';
	return `${may} ${ask}; only if ${isOver}, ${payUnder(work)}.`;
}

/** How to pay what the reference does not let through, as part of a sentence. */
function payUnder(work: Work): string {
	const { payment } = work;
	if (payment?.oncePerDay) return 'pay it with a Payment Reference';
	return payment?.key === undefined
		? `pay under a new reference${suggestion(work)}`
		: 'send it under a new Idempotency Key';
}

/** Advice on a transfer that was accepted and then FAILED. */
export const failedAdvice = (work: Work): string =>
	`Correct the cause, then ${payUnder(work)} in a new execution: this one is not sent again.`;

/** Advice on a rejected payment, in case the rejection repeats. */
const rejectedAdvice = (work: Work): string =>
	`If it is rejected again although the cause is gone, the service may have kept the rejection under its key: then ${payUnder(work)}.`;

/** True for a 302 `WARNING` where none is expected: a request that is pending is not repeated. */
const isPending = ({ status, code }: RequestFailure): boolean =>
	status === 302 && code === 'WARNING';

/** Headline of a failed item. n8n's pop-up shows only this line. */
export const headlineOf = (failure: Failure, outcome: Outcome): string =>
	`${outcome === 'unknown' ? 'Outcome unknown. ' : ''}${failure.message}`;

/** Outcome that the output item of a write shows. Undefined for a read, whose items belong to the service. */
export function outcomeOf(row: EndedRow): ItemOutcome | undefined {
	const { result, work } = row;
	if (result.kind !== 'done') return result.outcome;
	if (!work || !isWrite(work)) return undefined;
	return (result.items[0]?.outcome as ItemOutcome | undefined) ?? 'done';
}

/** Name of the item in a list of items: its reference, or its number, counted from 1. */
export const nameOf = ({ work, index }: EndedRow): string =>
	work?.payment?.shown === undefined ? `item ${index + 1}` : harmless(work.payment.shown, 40);

/** Fields of the operation's output without values, in their order. */
const blank = ({ output }: ServiceOperation): JsonObject =>
	Object.fromEntries(Object.keys(output).map((name) => [name, null]));

/** Blank fields and the key, which each item of a keyed write has. */
const withKey = (operation: ServiceOperation): JsonObject => ({
	...blank(operation),
	...(operation.effect === 'keyed write' && { idempotency_key: null }),
});

/** Fields that the operation declares. Others belong to the service and name nothing. */
function known({ output }: ServiceOperation, item: JsonObject): JsonObject {
	return Object.fromEntries(Object.entries(item).filter(([name]) => Object.hasOwn(output, name)));
}

/** Phrases that name a payment whose earlier request may have had other values under the same reference. */
function namesNow(operation: ServiceOperation, reference: string, fields: JsonObject): string[] {
	return namesOf(operation, { ...fields, payment_reference: null }).map(
		(now, at) => `${harmless(reference, at < 2 ? 60 : 24)} (this run: ${now})`,
	);
}

/**
 * Phrases that name a write, the fullest first.
 * @param ids IDs of a read, which has no phrase of its own
 */
function namesOf(operation: ServiceOperation, fields: JsonObject, ids: JsonObject = {}): string[] {
	const of = Object.values(ids).map((id) => ` (${harmless(String(id))})`);
	return operation.names(textsOf(fields)).map((name) => name + of.join(''));
}

/** Fields that a summary can name. */
export function textsOf(fields: JsonObject): SummaryFields {
	const texts = Object.entries(fields).flatMap(([name, value]) =>
		value === null
			? [[name, null]]
			: ['string', 'number', 'boolean'].includes(typeof value)
				? [[name, harmless(String(value), 300)]]
				: [],
	);
	return Object.fromEntries(texts) as SummaryFields;
}

/**
 * One line of at most 200 characters. If it gets too long, the longer advice goes first, then the fuller names.
 * @param became what became of the item, then what to do, the longer advice first
 */
function summaryOf(word: string, names: string[], [became = '', ...toDo]: string[]): string {
	const first = sentence(harmless(became, 300));
	const advice = (toDo.length > 0 ? toDo : ['']).map((text) => sentence(harmless(text, 300)));
	const lines = names.flatMap((name) =>
		advice.map((then) => `${word}: ${sentences(sentence(name), first, then)}`),
	);
	const line = lines.find(({ length }) => length <= SUMMARY_LENGTH) ?? lines.at(-1) ?? word;
	return shortened(line, SUMMARY_LENGTH);
}
